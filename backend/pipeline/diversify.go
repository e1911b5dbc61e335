package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// diversify reorders what is most relevant by maximal marginal relevance where the request wants that. It
// compares passages by their stored vectors and has those embedded that lack one. Where neither is to be had
// the order stays and the answer says so; the only error is the end of ctx.
//
// Scores of two kinds are not weighed against each other: where a reranker scored, what it did not reach
// keeps its place below.
func (s *Searcher) diversify(ctx context.Context, req domain.SearchRequest, collectionID int64, r *Ranking) error {
	pool := r.Entries[:min(len(r.Entries), req.Candidates)]
	for n := 1; n < len(pool); n++ {
		if pool[n].Scored != pool[0].Scored {
			pool = pool[:n]
		}
	}
	if req.MMR == nil || len(pool) < 2 {
		return nil
	}
	start := time.Now()
	vectors, err := s.vectors(ctx, collectionID, pool)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Degraded = append(r.Degraded, fmt.Sprintf("mmr: %v. The order is by relevance alone.", err))
		return nil
	}
	relevance := make([]float64, len(pool))
	for i, e := range pool {
		relevance[i], _ = e.score()
	}
	similarity := func(i, j int) float64 { return dot(vectors[i], vectors[j]) }
	reordered := make([]Entry, 0, len(pool))
	for _, i := range rerank.MMR(relevance, similarity, *req.MMR) {
		reordered = append(reordered, pool[i])
	}
	copy(pool, reordered)
	for i := range pool {
		rank := i + 1
		pool[i].Ranks.Final = &rank
	}
	lambda := *req.MMR
	r.Rerank.MMRApplied, r.Rerank.MMRLambda = true, &lambda
	r.Stages = append(r.Stages, domain.StageSince(domain.StageMMR, start, len(pool), len(pool)))
	return nil
}

// vectors gives the unit vector of each entry.
func (s *Searcher) vectors(ctx context.Context, collectionID int64, pool []Entry) ([][]float32, error) {
	ids := make([]int64, len(pool))
	for i, e := range pool {
		ids[i] = e.Chunk.ID
	}
	stored, err := s.Store.Vectors(ctx, collectionID, ids)
	if err != nil {
		return nil, err
	}
	list := make([][]float32, len(pool))
	var lacking []int
	var texts []string
	for i, id := range ids {
		if list[i] = stored[id]; list[i] == nil {
			lacking = append(lacking, i)
			texts = append(texts, passageText(pool[i].Passage))
		}
	}
	if len(lacking) == 0 {
		return list, nil
	}
	if s.EmbedPassages == nil {
		return nil, fmt.Errorf("%d of %d passages have no vector, and there is no embedder to make one", len(lacking), len(pool))
	}
	made, err := s.EmbedPassages(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("%d of %d passages have no vector and could not be embedded: %w", len(lacking), len(pool), err)
	}
	for n, i := range lacking {
		list[i] = made[n]
	}
	for _, v := range list {
		if len(v) != len(list[0]) {
			return nil, errors.New("the stored vectors are of another embedder")
		}
	}
	return list, nil
}

// dot is the cosine of two unit vectors of one length.
func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
