package rerank

import (
	"context"
	"errors"
	"time"
)

// Spare is a ranker with another one for the case that it fails, as a model does whose file turns out to be
// damaged. The result then says so in its Tiers.
type Spare struct {
	Reranker
	spare Reranker
}

// WithSpare makes spare serve where r fails.
func WithSpare(r, spare Reranker) *Spare { return &Spare{Reranker: r, spare: spare} }

// Rerank gives the spare what is left of the budget.
func (s *Spare) Rerank(ctx context.Context, req Request) (Result, error) {
	start, told := time.Now(), false
	first := req
	first.OnScore = func(i int, score Score) {
		told = true
		if req.OnScore != nil {
			req.OnScore(i, score)
		}
	}
	result, err := s.Reranker.Rerank(ctx, first)
	if err == nil || ctx.Err() != nil {
		return result, err
	}
	if told {
		req.OnScore = nil // it has heard scores that do not count
	}
	req, ok := req.after(time.Since(start))
	if !ok {
		return Result{}, err
	}
	result, spareErr := s.spare.Rerank(ctx, req)
	if spareErr != nil {
		return Result{}, errors.Join(err, spareErr)
	}
	served := s.spare.Info()
	if result.Tiers == nil {
		result.Tiers = &Tiers{}
	} else {
		served = result.Tiers.Served
	}
	result.Tiers.Served, result.Tiers.Failed, result.Tiers.Missed = served, err, s.Info()
	return result, nil
}
