package bench

import (
	"fmt"
	"math"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

const (
	// patience is what a reader waits for the end of reranking; the first orders come long before it.
	patience = 4 * time.Second
	// longPatience is for machines on which even the cheapest cross-encoder needs more.
	longPatience = 8 * time.Second
	// fewest are the candidates below which reranking changes too little.
	fewest = 20
)

// Speeds are pairs a second on a pool of realistic lengths; 0: not measured.
type Speeds struct{ Fast, Precise float64 }

// Recommend chooses the best tier whose time for a pool stays within the reader's patience.
func Recommend(s Speeds) domain.Recommendation {
	within := func(speed float64, time time.Duration) int {
		return min(domain.DefaultCandidates, int(speed*max(0, time.Seconds()))/10*10)
	}
	best := time.Duration(math.MaxInt64) // for the second stage of a cascade
	if s.Precise > 0 {
		best = time.Duration(float64(rerank.DefaultFew) / s.Precise * float64(time.Second))
	}
	r := domain.Recommendation{Candidates: domain.DefaultCandidates, Budget: patience}
	switch {
	case s.Fast <= 0 && s.Precise <= 0:
		return domain.Recommendation{Reason: "No cross-encoder was measured, so nothing is recommended."}
	case within(s.Precise, patience) >= domain.DefaultCandidates:
		r.Tier = domain.TierPrecise
		r.Reason = fmt.Sprintf("The precise reranker reads %.0f pairs a second: the whole pool in %s.", s.Precise, patience)
	case s.Fast <= 0 && best <= patience*3/4:
		r.Tier = domain.TierCascade
		r.Reason = fmt.Sprintf("The precise reranker reads the best %d in %.1f s after a cheaper one; no fast one was measured.",
			rerank.DefaultFew, best.Seconds())
	case s.Fast > 0 && best < patience && within(s.Fast, patience-best) >= fewest:
		r.Tier, r.Candidates = domain.TierCascade, within(s.Fast, patience-best)
		r.Reason = fmt.Sprintf("The fast reranker reads %.0f pairs a second and the precise one %.1f: together they order %d within %s.",
			s.Fast, s.Precise, r.Candidates, patience)
	case within(s.Fast, patience) >= fewest:
		r.Tier, r.Candidates = domain.TierFast, within(s.Fast, patience)
		r.Reason = fmt.Sprintf("The fast reranker reads %.0f pairs a second: %d within %s; ", s.Fast, r.Candidates, patience)
		if s.Precise > 0 {
			r.Reason += "there is no time for the precise one after it."
		} else {
			r.Reason += "the precise one was not measured."
		}
	case within(s.Fast, longPatience) >= fewest:
		r.Tier, r.Candidates, r.Budget = domain.TierFast, fewest, longPatience
		r.Reason = fmt.Sprintf("The fast reranker reads %.1f pairs a second: %d take up to %s.", s.Fast, fewest, longPatience)
	default:
		r.Tier = domain.TierLate
		r.Reason = "No cross-encoder reads a useful number of passages in the time that a reader waits."
	}
	return r
}
