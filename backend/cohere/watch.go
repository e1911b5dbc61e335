package cohere

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Before is asked before each time that the bytes of a request may leave: at first, and again where a connection was
// lost and the same bytes would go out over another one. Its error keeps them here and is what Rerank returns. ended is
// told once how that sending went: "ok" or a Kind or "canceled", and the status of the answer, 0 for none.
type Before func(ctx context.Context, s Sending) (ended func(code string, status int), err error)

// Sending is what is about to leave.
type Sending struct {
	Host string
	Body []byte // as it goes out, before TLS

	// What the other side reads in the body.
	Model     string
	Query     string
	Documents []string
}

// withheld is the error of a request that Before has kept here.
type withheld struct{ err error }

func (w *withheld) Error() string { return w.err.Error() }

// watched asks before each sending of one request. Its zero value asks nobody.
type watched struct {
	before  Before
	ctx     context.Context
	sending Sending
	ended   func(code string, status int) // of the latest; nil: there is none
}

// resent is the outcome of a sending whose connection was lost before there was any answer.
const resent = "connection_lost"

// watch asks for the first sending and makes the request ask for further ones.
func watch(before Before, req *http.Request) (*watched, error) {
	if before == nil {
		return &watched{}, nil
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, fmt.Errorf("cohere: read the request: %w", err)
	}
	_ = req.Body.Close()
	w := &watched{before: before, ctx: req.Context(), sending: Sending{Host: req.URL.Host, Body: body}}
	var said struct {
		Model     string   `json:"model"`
		Query     string   `json:"query"`
		Documents []string `json:"documents"`
	}
	if err := json.Unmarshal(body, &said); err != nil {
		return nil, fmt.Errorf("cohere: the request is no JSON: %w", err)
	}
	w.sending.Model, w.sending.Query, w.sending.Documents = said.Model, said.Query, said.Documents
	if err := w.ask(); err != nil {
		return nil, err
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { // net/http is about to send it again
		w.tell(resent, 0)
		if err := w.ask(); err != nil {
			return nil, err
		}
		return io.NopCloser(bytes.NewReader(body)), nil
	}
	return w, nil
}

func (w *watched) ask() error {
	ended, err := w.before(w.ctx, w.sending)
	if err != nil {
		return &withheld{err}
	}
	w.ended = ended
	return nil
}

func (w *watched) tell(code string, status int) {
	if w.ended != nil {
		w.ended(code, status)
		w.ended = nil
	}
}

func (w *watched) end(resp *http.Response, err error) {
	var e *Error
	switch {
	case w.ended == nil:
	case err == nil:
		w.tell("ok", resp.StatusCode)
	case errors.Is(w.ctx.Err(), context.Canceled):
		w.tell("canceled", 0)
	case errors.As(err, &e):
		w.tell(string(e.Kind), e.Status)
	default:
		w.tell("failed", 0)
	}
}
