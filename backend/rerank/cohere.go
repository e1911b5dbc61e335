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
	return CohereInfo(c.client.Model())
}

// DefaultCohereThreshold is the relevance of Cohere under which nothing clearly matches. It is chosen, not
// measured; see decisions/calibration.md.
const DefaultCohereThreshold = 0.2

// CohereInfo is what a Cohere with that model says of itself, also where no key is set.
func CohereInfo(model string) Info {
	threshold := DefaultCohereThreshold
	return Info{Backend: domain.BackendCohere, Model: model, Threshold: &threshold}
}

// Remote is what a chain knows of it.
func (c *Cohere) Remote() Remote {
	return Remote{Reranker: c, Account: Account{Key: c.client.KeyID(), Endpoint: c.client.EndpointID()}, Host: c.client.Host()}
}

// Rerank makes one call. Raw and Normalized are both Cohere's relevance as it is. The API takes no
// blank text, so a blank passage, and every passage under a blank query, is not sent and has relevance 0.
func (c *Cohere) Rerank(ctx context.Context, req Request) (Result, error) {
	result := newResult(len(req.Passages))
	if len(req.Passages) == 0 {
		return result, nil
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	call := ctx
	if req.Budget > 0 {
		var cancel context.CancelFunc
		call, cancel = context.WithTimeout(ctx, req.Budget)
		defer cancel()
	}
	texts, place := sendable(req.Query, req.Passages)
	scores, err := c.client.Rerank(call, req.Query, texts)
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
	for i, at := range place {
		var relevance float64
		if at >= 0 {
			relevance = scores[at]
		}
		result.Scores[i], result.Scored[i] = Score{Raw: relevance, Normalized: relevance}, true
		if req.OnScore != nil {
			req.OnScore(i, result.Scores[i])
		}
	}
	return result, nil
}

// sendable gives each text to send once, and for every passage the place of its text in them; -1: it is
// not sent.
func sendable(query string, passages []string) (texts []string, place []int) {
	place = make([]int, len(passages))
	seen := make(map[string]int, len(passages))
	for i, p := range passages {
		if strings.TrimSpace(p) == "" || strings.TrimSpace(query) == "" {
			place[i] = -1
			continue
		}
		at, ok := seen[p]
		if !ok {
			at = len(texts)
			seen[p] = at
			texts = append(texts, p)
		}
		place[i] = at
	}
	return texts, place
}
