package retrieve

import (
	"context"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
)

// filter finds what the filters of a query leave, phrases and excluded words aside: the lexical arm has those in its match.
func (r *Retriever) filter(ctx context.Context, req Request) (store.Selection, []domain.Stage, error) {
	start := time.Now()
	f := store.Filter{Conditions: req.Query.Filters()}
	var without string
	if f.With, without = req.Query.Headings(); without != "" {
		f.Without = []string{without}
	}
	left, err := r.store.Select(ctx, req.CollectionID, f)
	if err != nil || left.All() {
		return left, nil, err
	}
	in, out, err := left.Count(ctx)
	return left, []domain.Stage{domain.StageSince(domain.StageFilter, start, in, out)}, err
}

// narrow leaves of a selection what a query's phrases and excluded words leave.
func narrow(ctx context.Context, left store.Selection, q language.Query) (store.Selection, error) {
	with, without := q.Phrases()
	if without == "" {
		return left.Narrow(ctx, with, nil)
	}
	return left.Narrow(ctx, with, []string{without})
}

// list answers a query of filters alone: the newest documents that they leave, each with its first passage.
func (r *Retriever) list(ctx context.Context, req Request) (Result, error) {
	left, stages, err := r.filter(ctx, req)
	if err == nil {
		left, err = narrow(ctx, left, req.Query)
	}
	if err != nil {
		return Result{}, err
	}
	ids, err := left.Newest(ctx, req.K)
	if err != nil {
		return Result{}, err
	}
	passages, err := r.store.Passages(ctx, ids)
	res := Result{Method: domain.Listed, Stages: stages}
	for _, p := range passages {
		res.Candidates = append(res.Candidates, Candidate{Passage: p})
	}
	return res, err
}
