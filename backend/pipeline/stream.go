package pipeline

import (
	"slices"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// orderEvery is how often, at most, an order is shown while reranking runs.
const orderEvery = 100 * time.Millisecond

// orders shows the order of a pool while its scores come in.
//
// No result jumps twice. What has a score stands first, by that score; what has none yet keeps the fused order
// below. So two passages change places only when one of them gets its score, and each gets it once: a passage
// moves to its place among the scored ones when it is read, and from then on only makes room, one place at a
// time. The final order is the last of these, except in a cascade, where what the precise ranker did not reach
// takes its one step at the end.
type orders struct {
	fused Ranking // before reranking; never changed
	pool  []Entry // the first of its entries, in the fused order, with the scores so far
	by    rerank.Info
	start time.Time
	shown time.Time
	show  func(Ranking)
}

func showOrders(fused Ranking, pool int, by rerank.Info, show func(Ranking)) *orders {
	now := time.Now()
	return &orders{fused: fused, pool: slices.Clone(fused.Entries[:pool]), by: by, start: now, shown: now, show: show}
}

// add takes a score and shows the order, unless one was shown a moment ago. The calls must not overlap.
func (o *orders) add(i int, s rerank.Score) {
	o.pool[i].scored(s)
	if time.Since(o.shown) < orderEvery {
		return
	}
	o.shown = time.Now()
	r := o.fused
	r.Rerank.Backend, r.Rerank.Model, r.Rerank.Device, r.Rerank.Precision = o.by.Backend, o.by.Model, o.by.Device, o.by.Precision
	r.Rerank.Scale = o.by.Scale()
	r.Rerank.CandidatesIn, r.Rerank.CandidatesOut = len(o.pool), 0
	r.Entries = slices.Clone(o.fused.Entries)
	pool := r.Entries[:len(o.pool)]
	copy(pool, o.pool)
	for _, e := range pool {
		if e.Scored {
			r.Rerank.CandidatesOut++
		}
	}
	slices.SortStableFunc(pool, byRelevance)
	r.number()
	r.Stages = append(slices.Clone(r.Stages), domain.StageSince(domain.StageRerank, o.start, len(pool), r.Rerank.CandidatesOut))
	o.show(r)
}

// scored gives an entry a reranker's score.
func (e *Entry) scored(s rerank.Score) {
	raw := s.Raw
	e.Score, e.Scored, e.Scores.Rerank = s, true, &raw
}

// behind notes the order in which a cheaper ranker left those of the pool that have no score.
func behind(pool []Entry, tiers *rerank.Tiers) {
	if tiers == nil {
		return
	}
	for place, i := range tiers.Rest {
		pool[i].behind = place
	}
}
