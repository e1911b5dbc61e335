package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
)

// fusedOf is a ranking of n made-up passages in their fused order; the first pool of them are reranked.
func fusedOf(n int) Ranking {
	var r Ranking
	for i := range n {
		rank, share := i+1, 1-float64(i)/float64(n)
		c := retrieve.Candidate{Ranks: domain.Ranks{Fused: &rank}, Scores: domain.Scores{Fused: &share}}
		c.Chunk.ID, c.Document.ID = int64(i), int64(i)
		r.Entries = append(r.Entries, Entry{Candidate: c})
	}
	r.number()
	return r
}

// TestNoResultJumpsTwice: whatever the scores and whenever they come, two passages change places only when one of
// them gets its score; an order is shown at most every tenth of a second; what is shown is whole and numbered, and
// what was shown before does not change under the reader's hands.
func TestNoResultJumpsTwice(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			const all, pool = 14, 12
			fused := fusedOf(all)
			before := fused.Entries
			var last time.Time
			var shown []Ranking
			o := showOrders(fused, pool, rerank.Info{Backend: domain.BackendCrossEncoder, Model: "made-up"}, func(r Ranking) {
				if !last.IsZero() && time.Since(last) < orderEvery {
					t.Errorf("an order %v after the one before", time.Since(last))
				}
				last = time.Now()
				shown = append(shown, r)
			})
			for k, i := range random.Perm(pool) {
				<-time.After(time.Duration(random.IntN(90)) * time.Millisecond)
				n := len(shown)
				o.add(i, rerank.Score{Raw: float64(random.IntN(5)), Normalized: 0.5})
				if len(shown) == n {
					continue
				}
				r := shown[n]
				if r.Rerank.CandidatesOut != k+1 || r.Rerank.CandidatesIn != pool || r.Rerank.Backend != domain.BackendCrossEncoder {
					t.Errorf("after %d scores: %+v", k+1, r.Rerank)
				}
				steady(t, before, r.Entries)
				before = r.Entries
			}
			if len(shown) < 2 {
				t.Errorf("%d orders were shown", len(shown))
			}
			for i, e := range fused.Entries {
				if e.Chunk.ID != int64(i) || e.Scored {
					t.Errorf("the fused order has changed at %d: %+v", i, e)
				}
			}
			for _, r := range shown {
				for place, e := range r.Entries {
					if *e.Ranks.Final != place+1 || e.Scored != (e.Scores.Rerank != nil) || place >= pool && e.Chunk.ID != int64(place) {
						t.Errorf("place %d: %+v", place, e)
					}
				}
			}
		})
	}
}

// steady fails where two entries have changed places and neither has got a score in between.
func steady(t *testing.T, before, after []Entry) {
	t.Helper()
	was, had := map[int64]int{}, map[int64]bool{}
	for place, e := range before {
		was[e.Chunk.ID], had[e.Chunk.ID] = place, e.Scored
	}
	if len(before) != len(after) {
		t.Fatalf("%d entries, then %d", len(before), len(after))
	}
	for i, a := range after {
		for _, b := range after[i+1:] {
			news := a.Scored != had[a.Chunk.ID] || b.Scored != had[b.Chunk.ID]
			if !news && was[a.Chunk.ID] > was[b.Chunk.ID] {
				t.Errorf("%d and %d changed places without a score", a.Chunk.ID, b.Chunk.ID)
			}
		}
	}
}

// TestWhatACascadeDidNotReachKeepsTheCheaperOrder, without a score of the cheaper ranker.
func TestWhatACascadeDidNotReachKeepsTheCheaperOrder(t *testing.T) {
	r := fusedOf(5)
	r.Entries[3].scored(rerank.Score{Raw: -7})
	behind(r.Entries, &rerank.Tiers{Rest: []int{4, 0, 2, 1}})
	slices.SortStableFunc(r.Entries, byRelevance)
	var order []int64
	for _, e := range r.Entries {
		order = append(order, e.Chunk.ID)
		if (e.Scores.Rerank != nil) != (e.Chunk.ID == 3) {
			t.Errorf("%d: %v", e.Chunk.ID, e.Scores.Rerank)
		}
	}
	if got := fmt.Sprint(order); got != "[3 4 0 2 1]" {
		t.Errorf("order %v", got)
	}
}
