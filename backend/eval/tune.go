package eval

import (
	"cmp"
	"math"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/retrieve"
	"fanous/backend/store"
)

const (
	// EnoughToTune is how many judged queries tuning asks for.
	EnoughToTune = 30
	// folds of the cross-validation.
	folds = 5
	// asGood is a difference of nDCG@10, or of pass@k, that is worth no passage more to read and no change of a setting.
	asGood = 0.002
	// TuningDepth is how many candidates are found for tuning: the deepest that it tries.
	TuningDepth = 80
)

// weights and depths are what tuning and the matrix try.
func weights() []float64 { return []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1} }
func depths() []int      { return []int{10, 20, 40, TuningDepth} }
func tops() []int        { return []int{5, 10, 20} }

// simulate is the order that a search with other choices would have had, from a pool in which everything was scored. The
// arms of a search with fewer candidates are taken to be the beginnings of these; their ends may be in another order.
func (p Pool) simulate(c domain.SearchChoice) []int {
	at := make(map[int64]int, len(p.Passages))
	var lexical, dense []store.Scored
	for i, passage := range p.Passages {
		at[passage.Chunk] = i
		lexical = within(lexical, passage.Chunk, passage.BM25, c.Candidates)
		dense = within(dense, passage.Chunk, passage.Dense, c.Candidates)
	}
	slices.SortFunc(lexical, store.CompareScored)
	slices.SortFunc(dense, store.CompareScored)
	fused := retrieve.Convex(lexical, dense, c.LexicalWeight)
	if len(dense) == 0 {
		fused = retrieve.Single(lexical)
	}
	order := make([]int, len(fused))
	for i, f := range fused {
		order[i] = at[f.ChunkID]
	}
	scores := p.Ranked[StageRerank].Scores
	if !c.Rerank || scores == nil {
		return order
	}
	slices.SortStableFunc(order[:min(c.Candidates, len(order))], func(a, b int) int {
		switch x, y := scores[a], scores[b]; {
		case x != nil && y != nil:
			return cmp.Compare(*y, *x)
		case x != nil:
			return -1
		case y != nil:
			return 1
		}
		return 0
	})
	return order
}

func within(list []store.Scored, chunk int64, f *Found, depth int) []store.Scored {
	if f == nil || f.Rank > depth {
		return list
	}
	return append(list, store.Scored{ChunkID: chunk, Score: f.Score})
}

// separable says whether the local reranker's scores can be put together anew: one that hands the best few to another one
// scores what it does because of the rest.
func separable(pools []Pool) (reranked bool, why string) {
	for _, p := range pools {
		r, asked := p.Ranked[StageRerank]
		switch {
		case !asked || r.Backend == domain.BackendNone && len(p.Passages) > 0:
			return false, "Reranking was not tried: no local reranker answered every query."
		case r.Tiers:
			return false, "Reranking was not tried: two rerankers work on one list here, and what the second one sees depends on the first."
		}
	}
	return true, ""
}

// grid is the choices that are tried around the current one.
func grid(now domain.SearchChoice, reranked bool) []domain.SearchChoice {
	rerank, deep := []bool{now.Rerank}, []int{now.Candidates}
	if reranked {
		rerank = []bool{true, false}
		deep = append(deep, depths()...)
	}
	out := []domain.SearchChoice{now}
	for _, on := range rerank {
		for _, n := range deep {
			for _, w := range weights() {
				c := domain.SearchChoice{LexicalWeight: w, Candidates: n, Top: now.Top, Rerank: on}
				if n <= TuningDepth && n >= now.Top && !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// Tune looks for what would have been better than now, on pools of a Wide evaluation at TuningDepth. There is one pool a
// query.
func Tune(now domain.SearchChoice, queries []Query, pools []Pool) domain.Suggestion {
	s := domain.Suggestion{Queries: len(queries), Now: now, Best: now}
	reranked, why := separable(pools)
	s.FixedRerank = why
	if !reranked {
		now.Rerank = false // its scores are not known; the fusion can be judged without
	}
	choices := grid(now, reranked)
	table := make([][]float64, len(choices)) // nDCG@10 by choice and query
	for i, c := range choices {
		for q := range queries {
			table[i] = append(table[i], ndcgAt(pools[q].documents(pools[q].simulate(c)), queries[q].Relevant, metricDepth))
		}
	}
	var held, own []float64 // of each query: with what the other folds chose, and with what is set now
	for fold := range folds {
		chosen := best(choices, table, func(q int) bool { return q%folds != fold })
		for q := fold; q < len(queries); q += folds {
			held, own = append(held, table[chosen][q]), append(own, table[0][q])
		}
	}
	gain := compare(held, own)
	s.Gain = domain.Evidence{Queries: len(queries), Gain: gain.Delta, Low: gain.Low, High: gain.High}
	s.Significant = gain.Significant && gain.Delta > 0
	all := best(choices, table, func(int) bool { return true })
	s.NowNDCG, s.BestNDCG, s.Best = mean(table[0]), mean(table[all]), choices[all]
	s.Best.Top = enoughShown(s.Best, queries, pools)
	if !reranked {
		s.Best.Rerank, s.Best.Candidates = s.Now.Rerank, s.Now.Candidates
	}
	s.Thresholds, s.NoThreshold = threshold(queries, pools)
	return s
}

// best is the choice with the highest mean over some queries. Among those that are as good the current one, the first, wins,
// then the one that reads least, then the one with the weight nearest to it.
func best(choices []domain.SearchChoice, table [][]float64, counts func(query int) bool) int {
	means := make([]float64, len(choices))
	highest := math.Inf(-1)
	for i := range choices {
		n := 0
		for q, v := range table[i] {
			if counts(q) {
				means[i] += v
				n++
			}
		}
		means[i] /= float64(max(1, n))
		highest = max(highest, means[i])
	}
	chosen := -1
	for i, c := range choices {
		if means[i] < highest-asGood {
			continue
		}
		if i == 0 {
			return 0
		}
		if chosen < 0 || cheaper(c, choices[chosen], choices[0]) {
			chosen = i
		}
	}
	return chosen
}

func cheaper(a, b, now domain.SearchChoice) bool {
	away := func(c domain.SearchChoice) float64 { return math.Abs(c.LexicalWeight - now.LexicalWeight) }
	work := func(c domain.SearchChoice) int {
		if c.Rerank {
			return c.Candidates
		}
		return 0
	}
	return cmp.Or(cmp.Compare(work(a), work(b)), cmp.Compare(a.Candidates, b.Candidates), cmp.Compare(away(a), away(b))) < 0
}

// enoughShown is the fewest results that show a right one as often as the most that are tried.
func enoughShown(c domain.SearchChoice, queries []Query, pools []Pool) int {
	passed := func(k int) float64 {
		n := 0.0
		for q := range queries {
			if recallAt(pools[q].documents(pools[q].simulate(c)), queries[q].Relevant, k) > 0 {
				n++
			}
		}
		return n / float64(len(queries))
	}
	all := tops()
	most := passed(all[len(all)-1])
	for _, k := range all {
		if passed(k) >= most-asGood && k <= c.Candidates {
			return k
		}
	}
	return min(all[len(all)-1], c.Candidates)
}

// enoughOfEach is how many queries must have a right and how many a wrong first result to set a threshold between them.
const enoughOfEach = 5

// threshold is the score of the first result that tells best whether it is right: it has the highest mean of the shares of
// right ones above and of wrong ones below.
func threshold(queries []Query, pools []Pool) (map[domain.Backend]float64, string) {
	var right, wrong []float64
	backend := domain.BackendNone
	for q, p := range pools {
		r := p.Ranked[StageRerank]
		if r.Best == nil || len(r.Order) == 0 {
			continue
		}
		backend = r.Backend
		if queries[q].Relevant[p.Passages[r.Order[0]].Document] > 0 {
			right = append(right, *r.Best)
		} else {
			wrong = append(wrong, *r.Best)
		}
	}
	if len(right) < enoughOfEach || len(wrong) < enoughOfEach {
		return nil, "A threshold needs at least five queries with a right first result and five with a wrong one."
	}
	at, most := 0.0, 0.0
	candidates := append(slices.Clone(right), wrong...)
	slices.Sort(candidates)
	for _, t := range candidates {
		if balanced := (share(right, func(v float64) bool { return v >= t }) + share(wrong, func(v float64) bool { return v < t })) / 2; balanced > most {
			at, most = t, balanced
		}
	}
	if most < 0.6 {
		return nil, "The scores of right and wrong first results do not differ enough to set a threshold between them."
	}
	return map[domain.Backend]float64{backend: math.Floor(at*1000) / 1000}, ""
}

func share(values []float64, is func(float64) bool) float64 {
	n := 0
	for _, v := range values {
		if is(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

// Harm is what the local reranker costs where it is significantly worse than its own input on enough queries; false: it is
// not.
func Harm(r Report) (domain.Evidence, bool) {
	for _, s := range r.Stages {
		if s.Name != StageRerank || r.Queries < EnoughToTune {
			continue
		}
		for _, c := range s.Against {
			if c.Input && c.NDCG.Significant && c.NDCG.Delta < 0 {
				return domain.Evidence{Queries: r.Queries, Gain: c.NDCG.Delta, Low: c.NDCG.Low, High: c.NDCG.High}, true
			}
		}
	}
	return domain.Evidence{}, false
}
