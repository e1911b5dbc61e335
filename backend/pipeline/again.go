package pipeline

import (
	"context"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// Rerank gives the passages of a ranking that was not reranked to this searcher's chain, as Rank would have done after
// finding them. An evaluation finds once and asks every ranker. What it was given stays as it was.
func (s *Searcher) Rerank(ctx context.Context, req domain.SearchRequest, query language.Query, found Ranking) (Ranking, error) {
	collection, err := s.Store.Collection(ctx, req.Collection)
	if err != nil {
		return Ranking{}, err
	}
	r := found.copied()
	r.Rerank = domain.RerankTrace{Requested: req.Rerank, Backend: domain.BackendNone, Steps: []domain.Step{}}
	r.number()
	err = s.rerank(ctx, req, query, collection, &r, nil)
	return r, err
}

// Diversify orders a ranking by maximal marginal relevance as the request says, as Rank does at its end. What it was
// given stays as it was.
func (s *Searcher) Diversify(ctx context.Context, req domain.SearchRequest, ranked Ranking) (Ranking, error) {
	collection, err := s.Store.Collection(ctx, req.Collection)
	if err != nil {
		return Ranking{}, err
	}
	r := ranked.copied()
	err = s.diversify(ctx, req, collection.ID, &r)
	return r, err
}

// copied is a ranking whose lists can be changed without changing those of r.
func (r Ranking) copied() Ranking {
	r.Entries, r.Stages, r.Degraded = slices.Clone(r.Entries), slices.Clone(r.Stages), slices.Clone(r.Degraded)
	return r
}
