package rerank

import (
	"context"
	"errors"
	"strings"

	"fanous/backend/cohere"
	"fanous/backend/domain"
)

// Cohere asks Cohere's API. It is the only Reranker that sends passages out of this machine; whether
// it may is for Chain to decide, before it is called.
//
// It scores all passages or none. Its errors are those of package cohere.
type Cohere struct {
	client *cohere.Client
}

// NewCohere ranks with a client.
func NewCohere(client *cohere.Client) *Cohere { return &Cohere{client} }

// Info names the model; device and precision are Cohere's affair.
func (c *Cohere) Info() Info {
	return Info{Backend: domain.BackendCohere, Model: c.client.Model()}
}

// Rerank makes one call. Raw and Normalized are both Cohere's relevance as it is.
func (c *Cohere) Rerank(ctx context.Context, req Request) (Result, error) {
	result := newResult(len(req.Passages))
	if len(req.Passages) == 0 {
		return result, nil
	}
	query := strings.TrimSpace(req.Query)
	if query == "" { // the API refuses it; nothing answers no question
		return Result{}, Permanent(errors.New("cohere: the query is empty"))
	}
	call := ctx
	if req.Budget > 0 {
		var cancel context.CancelFunc
		call, cancel = context.WithTimeout(ctx, req.Budget)
		defer cancel()
	}
	scores, err := c.client.Rerank(call, query, req.Passages)
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, ctx.Err()
	case err != nil && call.Err() != nil: // the budget is spent: nothing is scored
		return result, nil
	case err != nil:
		var e *cohere.Error
		if errors.As(err, &e) && e.Permanent() {
			err = Permanent(err)
		}
		return Result{}, err
	}
	for i, s := range scores {
		result.Scores[i], result.Scored[i] = Score{Raw: s, Normalized: s}, true
		if req.OnScore != nil {
			req.OnScore(i, result.Scores[i])
		}
	}
	return result, nil
}
