package rerank

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"
)

// DefaultFew is how many of the best passages a cascade gives to its second ranker.
const DefaultFew = 12

// CascadeOptions configure a Cascade. The zero value is the default.
type CascadeOptions struct {
	Few       int  // different texts for the second ranker; 0: DefaultFew
	EarlyExit bool // leave the second ranker out where ShouldEarlyExit says so
}

// Cascade lets a cheap ranker order the whole pool and a precise one the best few of it.
//
// One list never has the scores of both. Where the second ranker scored anything, the result has its scores
// and nothing else, and what it did not reach is listed in the first one's order without a score
// (Tiers.Rest). Where it scored nothing (early exit, a spent budget, a failure), the result is the first
// one's. Tiers.Served says which it is.
//
// OnScore hears the second ranker only: a passage that moved for the first and again for the second would
// jump twice before the reader's eyes. Scores that turn out to be the whole result are told at the end.
type Cascade struct {
	first, second Reranker
	options       CascadeOptions
}

// NewCascade makes a cascade; closing the rankers stays with the caller.
func NewCascade(first, second Reranker, o CascadeOptions) *Cascade {
	if o.Few <= 0 {
		o.Few = DefaultFew
	}
	return &Cascade{first: first, second: second, options: o}
}

// Info is the second ranker's, which serves unless something is in the way.
func (c *Cascade) Info() Info { return c.second.Info() }

// tiers are the rankers whose scores a result of r may have.
func tiers(r Reranker) []Info {
	switch r := r.(type) {
	case *Cascade:
		return append(tiers(r.first), tiers(r.second)...)
	case *Spare:
		return append(tiers(r.Reranker), tiers(r.spare)...)
	}
	return []Info{r.Info()}
}

// Rerank scores the best few passages with the second ranker. A pool of no more than a few skips the first:
// whatever it said, all would go on to the second.
func (c *Cascade) Rerank(ctx context.Context, req Request) (Result, error) {
	start := time.Now()
	pool := distinct(req.Passages)
	if len(pool) <= c.options.Few {
		result, err := c.second.Rerank(ctx, req)
		if err != nil {
			return Result{}, err
		}
		result.Tiers = &Tiers{Second: count(result.Scored), Served: c.second.Info()}
		return result, nil
	}

	quiet := req
	quiet.OnScore = nil
	first, err := c.first.Rerank(ctx, quiet)
	if err != nil {
		if ctx.Err() != nil || len(req.Passages) == 0 {
			return Result{}, err
		}
		first = newResult(len(req.Passages)) // the fused order chooses the few
	}
	tiers := Tiers{First: count(first.Scored), Served: c.first.Info()}
	told := false
	alone := func() (Result, error) { // the first ranker's result is the whole
		if err != nil {
			return Result{}, err
		}
		first.Tiers = &tiers
		if told { // of scores that are not these
			return first, nil
		}
		return first, tell(ctx, req.OnScore, first)
	}

	left := req.Budget - time.Since(start)
	switch {
	case req.Budget > 0 && left <= 0:
		return alone()
	case err == nil && c.options.EarlyExit && ShouldEarlyExit(scoresOf(pool, first)):
		tiers.EarlyExit = true
		return alone()
	}

	order := byScore(first)
	few := req.part(take(order, req.Passages, c.options.Few))
	if req.Budget > 0 {
		few.Budget = left
	}
	few.OnScore = func(k int, s Score) {
		told = true
		if req.OnScore != nil {
			req.OnScore(few.indices[k], s)
		}
	}
	second, secondErr := c.second.Rerank(ctx, few.Request)
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case secondErr != nil && err != nil:
		return Result{}, errors.Join(secondErr, err)
	case secondErr != nil:
		tiers.Failed, tiers.Missed = secondErr, c.second.Info()
		return alone()
	case count(second.Scored) == 0:
		return alone()
	}
	result := few.whole(second, len(req.Passages))
	tiers.Second, tiers.Served = count(result.Scored), c.second.Info()
	for _, i := range order {
		if !result.Scored[i] {
			tiers.Rest = append(tiers.Rest, i)
		}
	}
	result.Tiers = &tiers
	return result, nil
}

// ShouldEarlyExit says whether the scores of a first ranker, raw and in any order, are so clear that a second
// one would not change what is shown: the best stands alone, three standard deviations of the others above the next of
// them. The scale of the scores does not matter; fewer than five scores are never clear, nor are others that are all
// the same. The distance was chosen, not measured: no judged set has been run through a real pair of models.
func ShouldEarlyExit(scores []float64) bool {
	const (
		enough   = 5
		distance = 3
	)
	if len(scores) < enough {
		return false
	}
	sorted := slices.SortedFunc(slices.Values(scores), func(a, b float64) int { return cmp.Compare(b, a) })
	best, others := sorted[0], sorted[1:]
	mean := 0.0
	for _, s := range others {
		mean += s / float64(len(others))
	}
	variance := 0.0
	for _, s := range others {
		variance += (s - mean) * (s - mean) / float64(len(others))
	}
	return variance > 0 && best-others[0] >= distance*math.Sqrt(variance)
}

// scoresOf are the raw scores of different texts: the same text twice would stand in its own way.
func scoresOf(pool []candidate, r Result) []float64 {
	var raw []float64
	for _, c := range pool {
		if i := c.indices[0]; r.Scored[i] {
			raw = append(raw, r.Scores[i].Raw)
		}
	}
	return raw
}

// byScore are the indices of a result, scored ones first by their raw score, the others as they came.
func byScore(r Result) []int {
	order := make([]int, len(r.Scored))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case r.Scored[a] && r.Scored[b]:
			return cmp.Compare(r.Scores[b].Raw, r.Scores[a].Raw)
		case r.Scored[a]:
			return -1
		case r.Scored[b]:
			return 1
		}
		return 0
	})
	return order
}

// take gives the indices, in the order given, of the first n different texts and of all passages that read
// the same as one of them.
func take(order []int, passages []string, n int) []int {
	chosen := make(map[string]bool, n)
	var out []int
	for _, i := range order {
		if len(chosen) < n {
			chosen[passages[i]] = true
		}
		if chosen[passages[i]] {
			out = append(out, i)
		}
	}
	return out
}

// part is a request for some passages of another, whose scores it passes on under their own indices.
type part struct {
	Request
	indices []int // in the other request, of each passage of this one
}

func (r Request) part(indices []int) *part {
	p := &part{Request: r, indices: indices}
	p.Passages, p.Chunks = make([]string, len(indices)), nil
	for k, i := range indices {
		p.Passages[k] = r.Passages[i]
		if r.Chunks != nil {
			p.Chunks = append(p.Chunks, r.Chunks[i])
		}
	}
	if r.OnScore != nil {
		p.OnScore = func(k int, s Score) { r.OnScore(indices[k], s) }
	}
	return p
}

// whole puts a result of the part into one of n passages.
func (p *part) whole(r Result, n int) Result {
	out := newResult(n)
	for k, i := range p.indices {
		out.Scores[i], out.Scored[i] = r.Scores[k], r.Scored[k]
	}
	return out
}

// tell passes a whole result on, until ctx ends.
func tell(ctx context.Context, onScore func(int, Score), r Result) error {
	for i, scored := range r.Scored {
		if err := ctx.Err(); err != nil {
			return err
		}
		if scored && onScore != nil {
			onScore(i, r.Scores[i])
		}
	}
	return ctx.Err()
}

func count(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}
