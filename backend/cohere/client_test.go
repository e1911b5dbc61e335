package cohere

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/cohere/coheretest"
	"fanous/network"
)

var documents = []string{"the lamp is out", "a lantern burns in the window", "nothing of the kind"}

func open(t *testing.T, url string) *Client {
	t.Helper()
	c, err := New(Options{Key: coheretest.Key, URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// retune changes the transport of a client.
func retune(c *Client, change func(*http.Transport)) {
	c.http.Transport = network.New(false).Client(func(t *http.Transport) {
		tune(t)
		change(t)
	}).Transport
}

func start(t *testing.T) *coheretest.Server {
	t.Helper()
	s := coheretest.Start()
	t.Cleanup(s.Close)
	return s
}

func TestRerank(t *testing.T) {
	s := start(t)
	c, err := New(Options{Key: " " + coheretest.Key + "\n", URL: s.URL + "/", Model: "rerank-v4.0-pro", MaxTokens: 77})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := c.Rerank(t.Context(), "lantern window", documents)
	if err != nil || !slices.Equal(got, []float64{0, 1, 0}) {
		t.Fatalf("got %v, %v", got, err)
	}
	call := s.Calls()[0]
	if call.Model != "rerank-v4.0-pro" || call.Query != "lantern window" || !slices.Equal(call.Documents, documents) ||
		call.MaxTokens == nil || *call.MaxTokens != 77 || call.TopN != nil || call.Authorization != "Bearer "+coheretest.Key {
		t.Errorf("sent %+v", call)
	}
}

func TestWhatCohereWouldCutIsNotSent(t *testing.T) {
	s := start(t)
	c, err := New(Options{Key: coheretest.Key, URL: s.URL, MaxTokens: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	whole, long := strings.Repeat("ف", 80), strings.Repeat("ف", 81)
	if _, err := c.Rerank(t.Context(), strings.Repeat("س", 5000), []string{whole, long, ""}); err != nil {
		t.Fatal(err)
	}
	call := s.Calls()[0]
	if got := call.Documents; !slices.Equal(got, []string{whole, whole, ""}) || call.Query != strings.Repeat("س", 2048) {
		t.Errorf("sent %q and a query of %d bytes", got, len(call.Query))
	}
}

func TestNoDocumentsNoCall(t *testing.T) {
	s := start(t)
	if got, err := open(t, s.URL).Rerank(t.Context(), "q", nil); err != nil || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if n := s.Connections(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

// TestKinds meets every misbehaviour once. The deadline of those that hang is short, and only theirs can pass.
func TestKinds(t *testing.T) {
	const soon, never = 2 * time.Second, time.Minute
	past := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC).Format(http.TimeFormat)
	tests := []struct {
		behaviour coheretest.Behaviour
		deadline  time.Duration
		kind      Kind
		wait      time.Duration
	}{
		{coheretest.Hang(), soon, Timeout, 0},
		{coheretest.HeadersThenSilence(), soon, Timeout, 0},
		{coheretest.Drip(time.Second), soon, Timeout, 0},
		{coheretest.Reset(), never, Unreachable, 0},
		{coheretest.BreaksOff(), never, Unreachable, 0},
		{coheretest.PortalPage(), never, Portal, 0},
		{coheretest.NetworkSignIn(), never, Portal, 0},
		{coheretest.Answers("a page with a byte-order mark", "\ufeff<html>"), never, Portal, 0},
		{coheretest.BadRequestPage(), never, Portal, 0},
		{coheretest.RedirectToPortal(302), never, Redirected, 0},
		{coheretest.RedirectToPortal(307), never, Redirected, 0},
		{coheretest.EmptyObject(), never, BadAnswer, 0},
		{coheretest.Answers("null", "null"), never, BadAnswer, 0},
		{coheretest.Answers("nothing", ""), never, BadAnswer, 0},
		{coheretest.Answers("cut", `{"results":[{"index":0,"relevan`), never, BadAnswer, 0},
		{coheretest.Answers("trailing", `{"results":[]}{"results":[]}`), never, BadAnswer, 0},
		{coheretest.Answers("another type", `{"results":"none"}`), never, BadAnswer, 0},
		{coheretest.Answers("another type, meta", `{"results":[],"meta":3}`), never, BadAnswer, 0},
		{coheretest.IndexOutOfRange(), never, BadAnswer, 0},
		{coheretest.NegativeIndex(), never, BadAnswer, 0},
		{coheretest.DuplicateIndex(), never, BadAnswer, 0},
		{coheretest.TooFew(), never, BadAnswer, 0},
		{coheretest.AboveOne(), never, BadAnswer, 0},
		{coheretest.NotANumber(), never, BadAnswer, 0},
		{coheretest.Infinite(), never, BadAnswer, 0},
		{coheretest.NullScore(), never, BadAnswer, 0},
		{coheretest.MissingScores(), never, BadAnswer, 0},
		{coheretest.Unauthorized(), never, BadKey, 0},
		{coheretest.Failing(498), never, BadKey, 0},
		{coheretest.Failing(402), never, Forbidden, 0},
		{coheretest.Forbidden(), never, Forbidden, 0},
		{coheretest.ForbiddenPage(), never, Blocked, 0},
		{coheretest.RateLimited(""), never, RateLimited, defaultRetryAfter},
		{coheretest.RateLimited("60"), never, RateLimited, time.Minute},
		{coheretest.RateLimited("1000000000"), never, RateLimited, maxRetryAfter},
		{coheretest.RateLimited("99999999999999999999999"), never, RateLimited, maxRetryAfter},
		{coheretest.RateLimited("-5"), never, RateLimited, minRetryAfter},
		{coheretest.RateLimited("soon"), never, RateLimited, defaultRetryAfter},
		{coheretest.RateLimited(past), never, RateLimited, minRetryAfter},
		{coheretest.BadRequest(), never, BadRequest, 0},
		{coheretest.Unprocessable(), never, BadRequest, 0},
		{coheretest.Failing(500), never, ServerError, 0},
		{coheretest.Failing(503), never, ServerError, 0},
		{coheretest.Failing(404), never, ServerError, 0},
	}
	for _, tt := range tests {
		t.Run(tt.behaviour.Name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.Behave(tt.behaviour)
			ctx, cancel := context.WithTimeout(t.Context(), tt.deadline)
			defer cancel()
			scores, err := open(t, s.URL).Rerank(ctx, "lantern", documents)
			var e *Error
			if !errors.As(err, &e) || scores != nil {
				t.Fatalf("got %v, %v", scores, err)
			}
			if e.Kind != tt.kind || e.RetryAfter != tt.wait {
				t.Errorf("kind %q wait %v (%v), want %q and %v", e.Kind, e.RetryAfter, err, tt.kind, tt.wait)
			}
			if e.Sentence() == "" || e.Permanent() != (tt.kind == BadRequest) || errors.Is(err, context.DeadlineExceeded) != (tt.kind == Timeout) {
				t.Errorf("%q, permanent %v, %v", e.Sentence(), e.Permanent(), err)
			}
			if n := s.Requests(); n != 1 {
				t.Errorf("%d requests for one call", n)
			}
		})
	}
}

func TestAnAnswerWithoutEndIsNotRead(t *testing.T) {
	s := start(t)
	s.Behave(coheretest.Answers("without end", `{"results":[]}`+strings.Repeat(" ", maxAnswer)))
	_, err := open(t, s.URL).Rerank(t.Context(), "lantern", documents)
	var e *Error
	if !errors.As(err, &e) || e.Kind != BadAnswer || !strings.Contains(e.Detail, "longer than") {
		t.Errorf("got %v", err)
	}
}

func TestKindsOfTheTransport(t *testing.T) {
	untrusted := coheretest.StartTLS()
	t.Cleanup(untrusted.Close)
	plain := start(t)
	gone := coheretest.Start()
	gone.Close()

	tests := []struct {
		name string
		url  string
		dial func(context.Context) (net.Conn, error) // nil: the real one
		kind Kind
	}{
		{"self-signed certificate", untrusted.URL, nil, TLS},
		{"no TLS at all", strings.Replace(plain.URL, "http:", "https:", 1), nil, TLS},
		{"nobody listens", gone.URL, nil, Unreachable},
		{"no such name", "https://cohere.invalid", func(context.Context) (net.Conn, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "cohere.invalid", IsNotFound: true}
		}, DNS},
		{"DNS that gives up", "https://cohere.invalid", func(context.Context) (net.Conn, error) {
			return nil, &net.DNSError{Err: "i/o timeout", Name: "cohere.invalid", IsTimeout: true}
		}, Timeout},
		{"DNS that never answers", "https://cohere.invalid", func(ctx context.Context) (net.Conn, error) {
			<-ctx.Done()
			return nil, &net.DNSError{Err: ctx.Err().Error(), Name: "cohere.invalid", IsTimeout: true}
		}, Timeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := open(t, tt.url)
			deadline := time.Minute
			if tt.dial != nil {
				retune(c, func(transport *http.Transport) {
					transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return tt.dial(ctx) }
				})
			}
			if tt.kind == Timeout {
				deadline = 50 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			_, err := c.Rerank(ctx, "lantern", documents)
			var e *Error
			if !errors.As(err, &e) || e.Kind != tt.kind || errors.Is(err, context.DeadlineExceeded) != (tt.kind == Timeout) {
				t.Errorf("got %v, want kind %q", err, tt.kind)
			}
		})
	}
	if calls := untrusted.Calls(); len(calls) != 0 {
		t.Errorf("an untrusted server was sent %+v", calls)
	}
}

func TestCancelIsReturnedAsItIs(t *testing.T) {
	for _, b := range []coheretest.Behaviour{coheretest.Hang(), coheretest.HeadersThenSilence(), coheretest.RateLimited("60")} {
		s := start(t)
		s.Behave(b)
		ctx, cancel := context.WithCancel(t.Context())
		s.OnCall(func(coheretest.Call) { cancel() })
		if _, err := open(t, s.URL).Rerank(ctx, "lantern", documents); err != context.Canceled {
			t.Errorf("%s: got %v", b.Name, err)
		}
	}
}

func TestRecoversOnTheSameClient(t *testing.T) {
	s := start(t)
	c := open(t, s.URL)
	for _, b := range []coheretest.Behaviour{coheretest.Reset(), coheretest.Failing(503), coheretest.EmptyObject()} {
		s.Behave(b)
		if _, err := c.Rerank(t.Context(), "lantern", documents); err == nil {
			t.Fatalf("%s: no error", b.Name)
		}
		s.Behave(coheretest.Healthy())
		if _, err := c.Rerank(t.Context(), "lantern", documents); err != nil {
			t.Fatalf("after %s: %v", b.Name, err)
		}
	}
}

func TestHTTP2(t *testing.T) {
	s := coheretest.StartTLS()
	t.Cleanup(s.Close)
	c := open(t, s.URL)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	retune(c, func(transport *http.Transport) { transport.TLSClientConfig = &tls.Config{RootCAs: roots} })

	for _, b := range []coheretest.Behaviour{coheretest.Hang(), coheretest.HeadersThenSilence(), coheretest.Reset()} {
		s.Behave(coheretest.Healthy())
		if _, err := c.Rerank(t.Context(), "lantern", documents); err != nil {
			t.Fatal(err)
		}
		s.Behave(b)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := c.Rerank(ctx, "lantern", documents)
		cancel()
		var e *Error
		if !errors.As(err, &e) || e.Kind != Timeout && e.Kind != Unreachable {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	for _, call := range s.Calls() {
		if call.Protocol != "HTTP/2.0" {
			t.Errorf("asked over %s", call.Protocol)
		}
	}
}

func TestTheKeyIsNeverShown(t *testing.T) {
	s := start(t)
	options := Options{Key: coheretest.Key, URL: s.URL, Model: DefaultModel}
	c := open(t, s.URL)
	asJSON, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{string(asJSON)}
	for _, v := range []any{c, options, &options, struct{ C *Client }{c}, struct{ O Options }{options}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			shown = append(shown, fmt.Sprintf(verb, v))
		}
	}
	for _, b := range []coheretest.Behaviour{
		coheretest.Quotes(),
		coheretest.Answers("key as a number", `{"results":[{"index":`+coheretest.Key+`}]}`),
		coheretest.Answers("key as a type", `{"results":"`+coheretest.Key+`"}`),
		coheretest.MalformedStatus(coheretest.Key),
	} {
		s.Behave(b)
		_, err := c.Rerank(t.Context(), "lantern", documents)
		if err == nil {
			t.Fatalf("%s: no error", b.Name)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			shown = append(shown, e.Error(), fmt.Sprintf("%+v %#v", e, e))
		}
	}
	for _, text := range shown {
		if strings.Contains(text, coheretest.Key) {
			t.Errorf("shows the key: %s", text)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	t.Setenv("CO_API_KEY", "from-the-environment") // the SDK would take it by itself
	tests := map[string]Options{
		"no key":          {},
		"blank key":       {Key: " \n"},
		"broken key":      {Key: "a\nb"},
		"unknown model":   {Key: "k", Model: "rerank-v9"},
		"negative tokens": {Key: "k", MaxTokens: -1},
		"no scheme":       {Key: "k", URL: "api.cohere.com"},
		"another scheme":  {Key: "k", URL: "ftp://api.cohere.com"},
		"no host":         {Key: "k", URL: "https://"},
		"a password":      {Key: "k", URL: "https://u:p@api.cohere.com"},
		"a query":         {Key: "k", URL: "https://api.cohere.com?x=1"},
		"unencrypted":     {Key: "k", URL: "http://api.cohere.com"},
		"near loopback":   {Key: "k", URL: "http://127.0.0.1.example.com"},
		"a network's own": {Key: "k", URL: "http://192.168.1.2:8080"},
	}
	for name, o := range tests {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		} else if o.Key != "" && o.Key != "k" && strings.Contains(err.Error(), o.Key) {
			t.Errorf("%s: shows the key: %v", name, err)
		}
	}
	for _, url := range []string{"http://localhost:1", "http://127.1.2.3", "http://[::1]:80/path", "https://192.168.1.2"} {
		if _, err := New(Options{Key: "k", URL: url}); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, m := range append(Models(), "") {
		if _, err := New(Options{Key: "k", Model: m}); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}

func TestCheckURLNamesTheAddressButNoPassword(t *testing.T) {
	for url, want := range map[string]string{
		"http://reranker.example": "unencrypted",
		"ftp://reranker.example":  "not https://host",
		"https://me:secret@host":  "https://me:xxxxx@host",
		"https://me:secret@ho st": "cannot be read",
	} {
		err := CheckURL(url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

// TestIDs: another key, address or model is another one; and nothing is shown.
func TestIDs(t *testing.T) {
	id := func(o Options) (key, endpoint string) {
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		return c.KeyID(), c.EndpointID()
	}
	base := Options{Key: coheretest.Key, URL: "https://a.example"}
	key, endpoint := id(base)
	for _, tt := range []struct {
		name              string
		o                 Options
		sameKey, sameEnds bool
	}{
		{"the same", Options{Key: " " + base.Key, URL: base.URL + "/", Model: DefaultModel}, true, true},
		{"another key", Options{Key: base.Key + "x", URL: base.URL}, false, false},
		{"another address", Options{Key: base.Key, URL: "https://b.example"}, true, false},
		{"another model", Options{Key: base.Key, URL: base.URL, Model: "rerank-v4.0-pro"}, true, false},
	} {
		k, e := id(tt.o)
		if (k == key) != tt.sameKey || (e == endpoint) != tt.sameEnds {
			t.Errorf("%s: %s %s, of the first %s %s", tt.name, k, e, key, endpoint)
		}
		if strings.Contains(tt.o.Key, k) || strings.Contains(k+e, base.Key) {
			t.Errorf("%s shows the key: %s %s", tt.name, k, e)
		}
	}
}

func TestClean(t *testing.T) {
	if got := clean("a\x1b[31m\nb\xff my-key", "my-key"); got != "a [31m b  [key]" {
		t.Errorf("got %q", got)
	}
	if got := []rune(clean(strings.Repeat("فا", 500), "")); len(got) != 201 {
		t.Errorf("%d runes", len(got))
	}
}
