package cohere

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"fanous/backend/cohere/coheretest"
)

// again is a transport that loses the first connection after the whole request was written, and sends it once more, as
// net/http does over HTTP/2. It keeps the bodies.
type again struct{ bodies *[]string }

func (a again) RoundTrip(r *http.Request) (*http.Response, error) {
	first, _ := io.ReadAll(r.Body)
	*a.bodies = append(*a.bodies, string(first))
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	second, _ := io.ReadAll(body)
	*a.bodies = append(*a.bodies, string(second))
	answer := `{"results":[{"index":0,"relevance_score":0.5}]}`
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(answer)), Request: r,
	}, nil
}

func TestBeforeIsAskedForEverySending(t *testing.T) {
	refusal := errors.New("not twice")
	for name, tt := range map[string]struct {
		leave int // how many sendings are allowed
		ends  []string
		err   error
	}{
		"both":        {2, []string{"connection_lost", "ok"}, nil},
		"only one":    {1, []string{"connection_lost"}, refusal},
		"none at all": {0, nil, refusal},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []Sending
			var ends, bodies []string
			c, err := New(Options{Key: coheretest.Key, URL: "http://127.0.0.1:1", Before: func(_ context.Context, s Sending) (func(string, int), error) {
				if len(asked) == tt.leave {
					return nil, refusal
				}
				asked = append(asked, s)
				return func(code string, _ int) { ends = append(ends, code) }, nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			c.http.Transport = again{&bodies}
			if _, err := c.Rerank(t.Context(), "lantern", []string{"a <lamp>"}); !errors.Is(err, tt.err) {
				t.Errorf("%v, want %v", err, tt.err)
			}
			if len(asked) != tt.leave || len(bodies) != tt.leave || !slices.Equal(ends, tt.ends) {
				t.Errorf("asked %d times, %d bodies, ends %q", len(asked), len(bodies), ends)
			}
			for i, s := range asked {
				if !bytes.Equal(s.Body, []byte(bodies[i])) || s.Host != "127.0.0.1:1" || s.Model != DefaultModel || s.Query != "lantern" || !slices.Equal(s.Documents, []string{"a <lamp>"}) {
					t.Errorf("%+v is not what was sent: %s", s, bodies[i])
				}
			}
		})
	}
}

// losing is a transport under which every connection is lost after the whole request was written.
type losing struct{ sent *int }

func (l losing) RoundTrip(r *http.Request) (*http.Response, error) {
	for body, err := r.Body, error(nil); ; body, err = r.GetBody() {
		if err != nil {
			return nil, err
		}
		if *l.sent++; *l.sent > 100 {
			return nil, errors.New("it goes on for ever")
		}
		_, _ = io.ReadAll(body)
	}
}

// TestAServerThatLosesEveryConnection: HTTP/2 lets a server say of each that it has read nothing, and net/http believes it.
func TestAServerThatLosesEveryConnection(t *testing.T) {
	for name, before := range map[string]Before{
		"nobody is asked": nil,
		"asked each time": func(context.Context, Sending) (func(string, int), error) { return nil, nil },
	} {
		sent := 0
		c, err := New(Options{Key: coheretest.Key, URL: "http://127.0.0.1:1", Before: before})
		if err != nil {
			t.Fatal(err)
		}
		c.http.Transport = losing{&sent}
		var e *Error
		if _, err := c.Rerank(t.Context(), "lantern", documents); !errors.As(err, &e) || e.Kind != Unreachable || sent != 1+maxResends {
			t.Errorf("%s: sent %d times, %v", name, sent, err)
		}
	}
}

func TestHowASendingEnded(t *testing.T) {
	for _, tt := range []struct {
		behaviour coheretest.Behaviour
		code      string
		status    int
	}{
		{coheretest.Healthy(), "ok", 200},
		{coheretest.Reset(), "unreachable", 0},
		{coheretest.Unauthorized(), "bad_key", 401},
		{coheretest.EmptyObject(), "ok", 200}, // it was answered; what the answer is worth is another matter
	} {
		s := start(t)
		s.Behave(tt.behaviour)
		var codes []string
		var status int
		c, err := New(Options{Key: coheretest.Key, URL: s.URL, Before: func(context.Context, Sending) (func(string, int), error) {
			return func(code string, st int) { codes, status = append(codes, code), st }, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Rerank(t.Context(), "lantern", documents)
		c.Close()
		if !slices.Equal(codes, []string{tt.code}) || status != tt.status {
			t.Errorf("%s: %q, status %d", tt.behaviour.Name, codes, status)
		}
	}
}
