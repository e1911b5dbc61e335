package pipeline_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// slowReranker takes 60 ms a passage and likes the later ones better. Its scores are made up.
type slowReranker struct{ fixedReranker }

func (r slowReranker) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	n := len(req.Passages)
	res := rerank.Result{Scores: make([]rerank.Score, n), Scored: make([]bool, n)}
	for i := range n {
		select {
		case <-time.After(60 * time.Millisecond):
		case <-ctx.Done():
			return res, ctx.Err()
		}
		raw := 0.6 + float64(i)/10
		res.Scores[i], res.Scored[i] = rerank.Score{Raw: raw, Normalized: raw}, true
		req.OnScore(i, res.Scores[i])
	}
	return res, nil
}

func TestOrdersOnTheWayAreShown(t *testing.T) {
	f := fruit(t)
	s := f.searcher(slowReranker{})
	var partial []domain.SearchResponse
	var last domain.SearchResponse
	synctest.Test(t, func(t *testing.T) { // the clock of the bubble: no time passes while anything else is done
		var err error
		last, err = s.Search(t.Context(), domain.SearchRequest{Query: "fruit"}, func(r domain.SearchResponse) { partial = append(partial, r) })
		if err != nil {
			t.Fatal(err)
		}
	})
	want := []struct {
		titles  string
		scored  int
		backend domain.Backend
	}{
		{"a b c", 0, domain.BackendNone},
		{"b a c", 2, domain.BackendCrossEncoder}, // after 120 ms
	}
	f.want("partial orders", len(partial), len(want))
	for i, w := range want {
		r := partial[i]
		f.want("partial", r.Partial, true)
		f.want("titles", titles(r.Hits), w.titles)
		f.want("backend", r.Rerank.Backend, w.backend)
		f.want("scored", r.Rerank.CandidatesOut, w.scored)
		f.want("verdict", r.Verdict.Clear, true)
		for k, h := range r.Hits { // those that are not reached are marked
			kind := domain.ScoreRank
			if k < w.scored {
				kind = domain.ScoreRelevance
			}
			f.want("score kind", h.ScoreKind, kind)
			f.want("moved", h.RerankDelta != nil, k < w.scored)
		}
	}
	f.want("the last is not partial", last.Partial, false)
	f.want("final titles", titles(last.Hits), "c b a")
}

// cascaded is a result of a cascade whose precise ranker has reached one passage.
type cascaded struct{ fixedReranker }

func (r cascaded) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	res := rerank.Result{Scores: make([]rerank.Score, 3), Scored: []bool{false, true, false}}
	res.Scores[1] = rerank.Score{Raw: -2, Normalized: 0.1}
	res.Tiers = &rerank.Tiers{First: 3, Second: 1, Served: rerank.Info{Backend: domain.BackendLateInteraction, Model: "served"}, Rest: []int{2, 0}}
	return res, nil
}

func TestACascadeIsTraced(t *testing.T) {
	f := fruit(t)
	r := f.search(f.searcher(cascaded{}), domain.SearchRequest{Query: "fruit"})
	f.want("titles", titles(r.Hits), "b c a")
	f.want("model", r.Rerank.Model, "served")
	f.want("backend", r.Rerank.Backend, domain.BackendLateInteraction)
	f.want("stages", [2]int{r.Rerank.Stage1N, r.Rerank.Stage2N}, [2]int{3, 1})
	f.want("out", r.Rerank.CandidatesOut, 1)
	f.want("second is marked", r.Hits[1].ScoreKind, domain.ScoreRank)
	f.want("second was not reranked", r.Hits[1].RerankDelta == nil, true)
}
