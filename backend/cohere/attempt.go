package cohere

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"time"

	api "github.com/cohere-ai/cohere-go/v2"
)

const (
	maxAnswer  = 4 << 20  // bytes; the largest request there can be is answered with well under one MiB
	maxRefusal = 64 << 10 // bytes read of an answer whose status is not 200
)

// attempt is the SDK's HTTP client. It lets through only whole answers of status 200 that have the
// shape of a reranking; everything else is an *Error.
type attempt struct {
	http   *http.Client
	key    string
	before Before
}

func (a *attempt) Do(req *http.Request) (resp *http.Response, err error) {
	w, err := watch(a.before, req)
	if err != nil {
		return nil, err
	}
	defer func() { w.end(resp, err) }()
	boundResends(req)
	return a.do(req)
}

// maxResends bounds how often net/http sends a request anew by itself where a connection is lost before there is an
// answer. Both idle connections may be stale; a server that gives up each connection (HTTP/2's GOAWAY) would else get the
// passages again and again until the deadline.
const maxResends = 2

func boundResends(req *http.Request) {
	again, left := req.GetBody, maxResends
	if again == nil {
		return
	}
	req.GetBody = func() (io.ReadCloser, error) {
		if left == 0 {
			return nil, errors.New("every connection is lost")
		}
		left--
		return again()
	}
}

func (a *attempt) do(req *http.Request) (*http.Response, error) {
	resp, err := a.http.Do(req)
	var kept *withheld
	if errors.As(err, &kept) {
		return nil, kept
	}
	if err != nil {
		return nil, a.broken(err)
	}
	defer resp.Body.Close()

	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
		if err != nil && resp.StatusCode == http.StatusForbidden { // only there the body decides
			return nil, a.broken(err)
		}
		e := refusalOf(resp, body, time.Now())
		var said struct{ Message string }
		if json.Unmarshal(body, &said) == nil {
			e.Detail = clean(said.Message, a.key)
		}
		return nil, e
	}

	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, a.broken(err)
	case isPage(resp, body):
		return nil, &Error{Kind: Portal, Status: resp.StatusCode}
	case len(body) > maxAnswer:
		return nil, &Error{Kind: BadAnswer, Status: resp.StatusCode, Detail: fmt.Sprintf("it is longer than %d bytes", maxAnswer)}
	}
	if err := complete(body); err != nil {
		return nil, &Error{Kind: BadAnswer, Status: resp.StatusCode, Detail: clean(err.Error(), a.key)}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// broken drops the error's chain: a transport quotes what the other side sent, which may be the key.
func (a *attempt) broken(err error) *Error {
	e := &Error{Kind: kindOf(err), Detail: clean(err.Error(), a.key)}
	if e.Kind == Timeout {
		e.Err = context.DeadlineExceeded
	}
	return e
}

// isPage says whether an answer is a web page.
func isPage(resp *http.Response, body []byte) bool {
	if t, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err == nil && (t == "text/html" || t == "application/xhtml+xml") {
		return true
	}
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff"))), []byte("<"))
}

// complete looks for what the SDK cannot show: to it, a field that is missing is a zero, and a score
// that nobody gave would be shown as one.
func complete(body []byte) error {
	var answer struct {
		Results []struct {
			Index *int     `json:"index"`
			Score *float64 `json:"relevance_score"`
		} `json:"results"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return errors.New("it is not the JSON of a reranking")
	}
	for i, r := range answer.Results {
		if r.Index == nil || r.Score == nil {
			return fmt.Errorf("result %d lacks its index or score", i)
		}
	}
	return nil
}

// relevances believes an answer about n documents, or says why not.
func relevances(answer *api.V2RerankResponse, n int) ([]float64, *Error) {
	bad := func(format string, args ...any) ([]float64, *Error) {
		return nil, &Error{Kind: BadAnswer, Status: http.StatusOK, Detail: fmt.Sprintf(format, args...)}
	}
	results := answer.GetResults()
	if len(results) != n {
		return bad("it has %d results for %d documents", len(results), n)
	}
	scores, seen := make([]float64, n), make([]bool, n)
	for _, r := range results {
		i, s := r.GetIndex(), r.GetRelevanceScore()
		switch {
		case i < 0 || i >= n:
			return bad("there is no document %d among %d", i, n)
		case seen[i]:
			return bad("document %d is in it twice", i)
		case math.IsNaN(s) || s < 0 || s > 1:
			return bad("the score %v is not in [0,1]", s)
		}
		scores[i], seen[i] = s, true
	}
	return scores, nil
}
