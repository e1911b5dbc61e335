package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
)

// erratic does, at each call, what its seed says: scores some or all passages, with many ties, or fails in
// one of the ways that there are. Its scores are made up.
type erratic struct {
	backend domain.Backend
	random  *rand.Rand
}

func (e erratic) Info() rerank.Info { return rerank.Info{Backend: e.backend, Model: "made-up"} }

func (e erratic) Rerank(_ context.Context, req rerank.Request) (rerank.Result, error) {
	n := len(req.Passages)
	r := rerank.Result{Scores: make([]rerank.Score, n), Scored: make([]bool, n)}
	kind := e.random.IntN(12)
	all := kind%2 == 0
	for i := range n {
		raw := []float64{-2, 0, math.Copysign(0, -1), 0.5, 0.5 + 1e-16, 3}[e.random.IntN(6)]
		r.Scores[i], r.Scored[i] = rerank.Score{Raw: raw, Normalized: (raw + 2) / 5}, all || e.random.IntN(2) == 0
	}
	switch kind {
	case 0:
		return rerank.Result{}, errors.New("made-up fault")
	case 1:
		return r, rerank.Permanent(errors.New("made-up fault"))
	case 2:
		panic("made-up fault")
	case 3:
		r.Scores[e.random.IntN(n)].Raw, r.Scored = math.NaN(), slices.Repeat([]bool{true}, n)
	case 4:
		r.Scores = r.Scores[1:]
	case 5:
		clear(r.Scored)
	}
	return r, nil
}

// TestAnyInputAndAnyFailureGivesAPermutation: whatever is asked and whatever the rankers do, what was retrieved
// is there, once each; the order follows from the scores; ranks and deltas fit the order; and the same again
// gives the same.
func TestAnyInputAndAnyFailureGivesAPermutation(t *testing.T) {
	const rounds = 400
	words := []string{"fruit", "bread", "cheese", "wine", "میوه", "نان"}
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{}
	for i := range 24 {
		var text []string
		for range 1 + random.IntN(4) { // short, so that some are the same
			text = append(text, words[random.IntN(len(words))])
		}
		files[fmt.Sprintf("%02d.txt", i)] = strings.Join(text, " ")
	}
	f := newFixture(t, files)
	f.run(t.Context(), nil)
	if err := f.store.SetPolicy(t.Context(), "default", domain.PolicyAllowed); err != nil {
		t.Fatal(err)
	}

	served := map[domain.Backend]int{}
	for round := range rounds {
		req := domain.SearchRequest{
			Query:      words[random.IntN(len(words))] + " " + words[random.IntN(len(words))],
			Rerank:     []domain.RerankMode{domain.RerankAuto, domain.RerankCohere, domain.RerankLocal}[random.IntN(3)],
			Candidates: 1 + random.IntN(30), PerDocument: 1,
		}
		req.Top = req.Candidates
		seed := random.Uint64()
		ask := func(req domain.SearchRequest) (pipeline.Ranking, domain.SearchResponse) {
			searcher := func() *pipeline.Searcher {
				return &pipeline.Searcher{
					Store: f.store, Retriever: retrieve.New(f.store), NoEmbedder: f.ingest.NoEmbedder,
					Chain: rerank.NewChain(
						rerank.Given(erratic{domain.BackendCohere, rand.New(rand.NewPCG(seed, 1))}),
						erratic{domain.BackendCrossEncoder, rand.New(rand.NewPCG(seed, 2))}, "", rerank.ChainOptions{}),
				}
			}
			ranking, err := searcher().Rank(t.Context(), req.WithDefaults(), language.ParseQuery(req.Query), nil)
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			return ranking, f.search(searcher(), req)
		}
		off := req
		off.Rerank = domain.RerankOff
		fused, _ := ask(off)
		ranking, resp := ask(req)
		again, respAgain := ask(req)

		if problem := orderProblem(fused, ranking, req.Candidates); problem != "" {
			t.Fatalf("round %d, seed %d, %+v: %s", round, seed, req, problem)
		}
		if a, b := order(ranking.Entries), order(again.Entries); !slices.Equal(a, b) {
			t.Fatalf("round %d: the same again gave %v, not %v", round, b, a)
		}
		if a, b := asJSON(t, resp.Hits), asJSON(t, respAgain.Hits); a != b {
			t.Fatalf("round %d: the same again gave\n%s\nnot\n%s", round, b, a)
		}
		if problem := placeProblem(ranking.Entries, resp.Hits); problem != "" {
			t.Fatalf("round %d, %+v: %s", round, req, problem)
		}
		for i, h := range resp.Hits {
			e := ranking.Entries[*h.Ranks.Final-1]
			if h.ChunkID != e.Chunk.ID || h.Rank != i+1 || (h.RerankDelta != nil) != e.Scored || (h.RawScore != nil) != e.Scored ||
				e.Scored && *h.RerankDelta != *h.Ranks.Fused-*h.Ranks.Final || (h.ScoreKind == domain.ScoreRelevance) != e.Scored || !(h.Score >= 0 && h.Score <= 1) {
				t.Fatalf("round %d: hit %d is %+v, of the entry %+v", round, i, h, e)
			}
		}
		served[ranking.Rerank.Backend]++
	}
	t.Logf("served by %v", served)
	if len(served) != 3 {
		t.Error("not every way was taken")
	}
}

// orderProblem says what is wrong with an order, given the one before reranking; empty: nothing is.
func orderProblem(fused, final pipeline.Ranking, pool int) string {
	before, after := order(fused.Entries), order(final.Entries)
	slices.Sort(before)
	slices.Sort(after)
	if !slices.Equal(before, after) || len(slices.Compact(after)) != len(final.Entries) {
		return fmt.Sprintf("%v is no permutation of %v", after, before)
	}
	for i, e := range final.Entries {
		fusedRank := *e.Ranks.Fused
		if *e.Ranks.Final != i+1 || fused.Entries[fusedRank-1].Chunk.ID != e.Chunk.ID {
			return fmt.Sprintf("entry %d has ranks %d and %d", i, fusedRank, *e.Ranks.Final)
		}
		if e.Scored != (e.Scores.Rerank != nil) || e.Scored && fusedRank > pool || e.Scored && final.Rerank.Backend == domain.BackendNone {
			return fmt.Sprintf("entry %d, of fused rank %d, is scored by %s", i, fusedRank, final.Rerank.Backend)
		}
		if i == 0 {
			continue
		}
		above := final.Entries[i-1]
		rose := fusedRank < *above.Ranks.Fused
		switch {
		case e.Scored && !above.Scored:
			return fmt.Sprintf("entry %d is scored, the one above it is not", i)
		case e.Scored && e.Score.Raw > above.Score.Raw:
			return fmt.Sprintf("entry %d has the better score", i)
		case e.Scored && e.Score.Raw == above.Score.Raw && rose, !e.Scored && !above.Scored && rose:
			return fmt.Sprintf("entry %d has changed places with its equal", i)
		}
	}
	return ""
}

func order(entries []pipeline.Entry) (ids []int64) {
	for _, e := range entries {
		ids = append(ids, e.Chunk.ID)
	}
	return ids
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
