// Package cohere asks Cohere's rerank API how relevant texts are to a query, and nothing else.
//
// A call is one attempt. The SDK's own retrying sleeps through a cancelled context (even when it
// is told to try only once, it sleeps before it gives up), so it never sees an answer that it would
// retry: our HTTP client turns those into an *Error first. Everything that can go wrong is an
// *Error of one Kind, except the end of a cancelled context, which is returned as it is.
package cohere

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	api "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/core"
	"github.com/cohere-ai/cohere-go/v2/option"
	sdk "github.com/cohere-ai/cohere-go/v2/v2"

	"fanous/network"
)

const (
	DefaultURL   = "https://api.cohere.com"
	DefaultModel = "rerank-v3.5"

	// DefaultMaxTokens leaves a chunk whole (about 200 tokens of another tokenizer) and bounds the
	// cost of an unusual one.
	DefaultMaxTokens = 1024
)

// What Cohere would cut off does not have to leave the machine. These bounds are generous: Cohere's
// own, in tokens, are reached first by text of every usual kind.
const (
	runesPerToken = 8
	maxQueryRunes = 2048 // the API's limit is 2048 tokens
)

// Models are the models that may be chosen, the default one first.
func Models() []string {
	return []string{DefaultModel, "rerank-v4.0-fast", "rerank-v4.0-pro"}
}

// Options configure a Client. Printed, they do not show the key.
type Options struct {
	Key       string `json:"-"`
	URL       string // of the API, without "/v2/rerank"; empty: DefaultURL
	Model     string // one of Models; empty: DefaultModel
	MaxTokens int    // of a document, the rest is cut by Cohere; 0: DefaultMaxTokens

	Network *network.Network `json:"-"` // nil: one without an offline switch
	Before  Before           `json:"-"` // nil: nobody is asked
}

// Format keeps the key out of every log that prints options.
func (o Options) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "cohere %s at %s", o.Model, o.URL)
}

// Client asks one model at one address. It is safe for concurrent use. The key is held behind pointers
// only, which fmt does not follow, so that a log that prints a client does not show it.
type Client struct {
	sdk       *sdk.Client
	http      *http.Client
	model     string
	maxTokens int

	host              string
	keyID, endpointID string
}

// New makes a client; it makes no call. Its errors do not contain the key.
func New(o Options) (*Client, error) {
	o.Key = strings.TrimSpace(o.Key)
	if o.URL == "" {
		o.URL = DefaultURL
	}
	if o.Model == "" {
		o.Model = DefaultModel
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = DefaultMaxTokens
	}
	badURL := CheckURL(o.URL)
	switch {
	case o.Key == "": // and the SDK would look for one in the environment by itself
		return nil, errors.New("cohere: there is no API key")
	case strings.ContainsFunc(o.Key, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) || r == ' ' }):
		return nil, errors.New("cohere: the API key contains characters that no key has")
	case badURL != nil:
		return nil, fmt.Errorf("cohere: %w", badURL)
	case !slices.Contains(Models(), o.Model):
		return nil, fmt.Errorf("cohere: there is no model %q; choose one of %s", o.Model, strings.Join(Models(), ", "))
	case o.MaxTokens < 0:
		return nil, fmt.Errorf("cohere: %d tokens a document", o.MaxTokens)
	}
	o.URL = strings.TrimRight(o.URL, "/")
	if o.Network == nil {
		o.Network = network.New(false)
	}
	base, err := url.Parse(o.URL)
	if err != nil {
		return nil, errors.New("cohere: the address cannot be read")
	}
	client := newHTTPClient(o.Network)
	return &Client{
		sdk: sdk.NewClient(core.NewRequestOptions(
			option.WithToken(o.Key),
			option.WithBaseURL(o.URL),
			option.WithMaxAttempts(1),
			option.WithHTTPClient(&attempt{http: client, key: o.Key, before: o.Before}),
		)),
		http: client, model: o.Model, maxTokens: o.MaxTokens,
		host: base.Host, keyID: digest(o.Key), endpointID: digest(o.Key, o.URL, o.Model),
	}, nil
}

// CheckURL says what is wrong with a base URL, naming it without a password that is in it.
func CheckURL(address string) error {
	base, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("the address cannot be read")
	case base.Scheme != "https" && base.Scheme != "http", base.Host == "", base.User != nil, base.RawQuery != "", base.Fragment != "":
		return fmt.Errorf("the address is %q, not https://host with a path at most", base.Redacted())
	case base.Scheme == "http" && !loopback(base.Hostname()):
		return fmt.Errorf("the address is %q, to which the key and the passages would travel unencrypted", base.Redacted())
	}
	return nil
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:6])
}

// loopback says whether a host is this machine, where no wire carries the key.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func newHTTPClient(n *network.Network) *http.Client {
	client := n.Client(tune)
	// Passages go to the address that was configured and to no other.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

func tune(t *http.Transport) {
	t.TLSHandshakeTimeout = 5 * time.Second // a handshake can outlive the call that began it
	t.IdleConnTimeout = 30 * time.Second
	t.MaxIdleConnsPerHost = 2
	// A connection that died in silence (sleep, another network) is found out by a ping.
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: 10 * time.Second, PingTimeout: 3 * time.Second}
}

// Model is the model that the client asks.
func (c *Client) Model() string { return c.model }

// Host is the host that the client asks, with its port where that is given.
func (c *Client) Host() string { return c.host }

// KeyID tells API keys apart without showing one: 48 bits of a digest.
func (c *Client) KeyID() string { return c.keyID }

// EndpointID tells combinations of key, address and model apart, and shows nothing of them.
func (c *Client) EndpointID() string { return c.endpointID }

// Close drops the idle connections. The client stays usable.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Rerank returns the relevance in [0,1] of every document, under its index. The context holds for all
// of it, from looking up the name to the last byte of the answer. No documents: no call.
func (c *Client) Rerank(ctx context.Context, query string, documents []string) ([]float64, error) {
	if len(documents) == 0 {
		return nil, nil
	}
	sent := make([]string, len(documents))
	for i, d := range documents {
		sent[i] = cut(d, runesPerToken*c.maxTokens)
	}
	answer, err := c.sdk.Rerank(ctx, &api.V2RerankRequest{
		Model:           c.model,
		Query:           cut(query, maxQueryRunes),
		Documents:       sent,
		MaxTokensPerDoc: &c.maxTokens,
	})
	if err != nil {
		err = c.explain(ctx, err)
	} else if scores, bad := relevances(answer, len(documents)); bad != nil {
		err = bad
	} else {
		return scores, nil
	}
	var e *Error
	if errors.As(err, &e) && (e.Kind == Timeout || e.Kind == Unreachable) {
		c.http.CloseIdleConnections() // the next call must not wait on the same dead connection
	}
	return nil, err
}

// cut keeps the first runes of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for at := range text {
		if most == 0 {
			return text[:at]
		}
		most--
	}
	return text
}

// explain gives an error of the SDK its kind. Those of our HTTP client have one already.
func (c *Client) explain(ctx context.Context, err error) error {
	var e *Error
	var w *withheld
	switch {
	case errors.As(err, &w):
		return w.err
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case ctx.Err() != nil:
		return &Error{Kind: Timeout, Err: ctx.Err()}
	case errors.As(err, &e):
		return e
	default: // what is left is an answer that the SDK could not decode; its text may quote the answer
		return &Error{Kind: BadAnswer, Detail: "it is not what the API promises"}
	}
}
