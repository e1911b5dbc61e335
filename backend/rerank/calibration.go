package rerank

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"fanous/backend/domain"
)

// What a Calibration must rest on before it is applied; see decisions/calibration.md.
const (
	MinPairs      = 200
	MinSearches   = 20  // the pairs of one search are not independent of one another
	MinKendallTau = 0.3 // at 0.3 two passages stand in the same order 65 times of 100
)

// knotPairs is on how many pairs a knot of the map rests at least. Least squares alone would give the single
// highest and lowest pair a step of their own.
const knotPairs = 10

// Scale names what the raw scores of a ranker depend on beside the two texts: those of one scale can be
// compared, and another model, precision or limit is another scale.
func (i Info) Scale() string {
	parts := []string{string(i.Backend)}
	for _, s := range []string{i.Model, i.Precision} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if i.Digest != "" {
		parts = append(parts, fmt.Sprintf("%.4x", sha256.Sum256([]byte(i.Digest))))
	}
	return strings.Join(parts, " ")
}

// Calibration puts the raw scores of one reranker on the scale of another one: a map that never decreases,
// fitted to pairs of scores that both gave the same passage. It does not change.
type Calibration struct {
	pairs, searches int
	agreement       Agreement
	knots           []knot // ascending in both
}

// knot is a point of the map; between knots it is straight, outside them flat.
type knot struct{ raw, score, weight float64 }

// Calibrate fits the map to pairs whose Remote is in [0,1]. The order of the pairs does not matter.
func Calibrate(pairs []domain.ScorePair) Calibration {
	bySearch := map[int64][]domain.ScorePair{}
	points := make([]knot, len(pairs))
	for i, p := range pairs {
		bySearch[p.Search] = append(bySearch[p.Search], p)
		points[i] = knot{p.Local, p.Remote, 1}
	}
	return Calibration{
		pairs: len(pairs), searches: len(bySearch),
		agreement: agree(bySearch),
		knots:     centred(isotonic(points)),
	}
}

// Score is what the other reranker gives, on average, where this one gives raw. It is in [0,1] and never
// decreases in raw. It means nothing where Refusal gives a reason.
func (c Calibration) Score(raw float64) float64 {
	k := c.knots
	if len(k) == 0 {
		return 0
	}
	at := sort.Search(len(k), func(i int) bool { return k[i].raw >= raw })
	switch at {
	case 0:
		return k[0].score
	case len(k):
		return k[len(k)-1].score
	}
	low, high := k[at-1], k[at]
	share := (raw - low.raw) / (high.raw - low.raw)
	// Each operation never decreases in raw, even rounded; the bound keeps the end from a step back.
	return min(low.score+share*(high.score-low.score), high.score)
}

// Refusal is why the map is not to be applied, one sentence; empty: it is.
func (c Calibration) Refusal() string {
	tau := c.agreement.KendallTau
	switch {
	case c.pairs < MinPairs || c.searches < MinSearches:
		return fmt.Sprintf("Not calibrated yet: pairs %d (at least %d are needed), searches %d (at least %d).",
			c.pairs, MinPairs, c.searches, MinSearches)
	case tau == nil:
		return "Not calibrated: no search tells whether the two rerankers agree."
	case *tau < MinKendallTau:
		return fmt.Sprintf("Not calibrated: the two rerankers agree too little (Kendall's tau %.2f over %d searches, %.2f is needed).",
			*tau, c.searches, MinKendallTau)
	}
	return ""
}

// Describe says what the calibration is, for the trace and the status. Whether it was applied is for the
// caller to say.
func (c Calibration) Describe() domain.Calibration {
	d := domain.Calibration{
		Pairs: c.pairs, Searches: c.searches,
		KendallTau: c.agreement.KendallTau, Top5Overlap: c.agreement.Top5Overlap,
		Reason: c.Refusal(),
	}
	if d.Reason == "" {
		d.Reason = fmt.Sprintf("Calibrated on %d pairs.", c.pairs)
	}
	return d
}

// isotonic is the least-squares fit, among the functions of raw that never decrease, to the scores of the
// points: pool adjacent violators. Points of the same raw score are one first. It gives the blocks of equal
// value from left to right, each with the mean raw score of its points; the points are reordered.
func isotonic(points []knot) []knot {
	slices.SortFunc(points, func(a, b knot) int { return cmp.Or(cmp.Compare(a.raw, b.raw), cmp.Compare(a.score, b.score)) })
	var blocks []knot
	for i := 0; i < len(points); {
		next := points[i]
		for i++; i < len(points) && points[i].raw == next.raw; i++ {
			next = pool(next, points[i])
		}
		for len(blocks) > 0 && blocks[len(blocks)-1].score >= next.score {
			next = pool(blocks[len(blocks)-1], next)
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, next)
	}
	return blocks
}

// centred joins blocks until each rests on knotPairs, and stands for each by its centre. Straight lines
// between centres tell apart what the steps would tie (centred isotonic regression).
func centred(blocks []knot) []knot {
	var knots []knot
	for _, b := range blocks {
		if n := len(knots); n > 0 && knots[n-1].weight < knotPairs {
			knots[n-1] = pool(knots[n-1], b)
			continue
		}
		knots = append(knots, b)
	}
	if n := len(knots); n > 1 && knots[n-1].weight < knotPairs {
		knots[n-2] = pool(knots[n-2], knots[n-1])
		knots = knots[:n-1]
	}
	return knots
}

func pool(a, b knot) knot {
	if a.raw == b.raw && a.score == b.score { // so that what is the same stays so to the last bit
		return knot{a.raw, a.score, a.weight + b.weight}
	}
	weight := a.weight + b.weight
	return knot{
		raw:    a.raw + (b.raw-a.raw)*(b.weight/weight),
		score:  a.score + (b.score-a.score)*(b.weight/weight),
		weight: weight,
	}
}

// Agreement is how alike two rerankers order the same passages.
type Agreement struct {
	KendallTau  *float64 // tau-b, mean over searches; nil where no search tells
	Top5Overlap *float64 // share of the best five that both have, mean over searches; nil where no search tells
}

const (
	topN = 5
	// overlapFrom is how many passages a search must have for its overlap to count: of six, any two choices
	// of five have four in common.
	overlapFrom = 2 * topN
)

func agree(bySearch map[int64][]domain.ScorePair) Agreement {
	var taus, overlaps []float64
	for _, pairs := range bySearch {
		if tau := kendallTauB(pairs); !math.IsNaN(tau) {
			taus = append(taus, tau)
		}
		if len(pairs) >= overlapFrom {
			overlaps = append(overlaps, topOverlap(pairs))
		}
	}
	return Agreement{KendallTau: mean(taus), Top5Overlap: mean(overlaps)}
}

func mean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values) // a map gave them in no order, and sums of floats depend on it
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	sum /= float64(len(values))
	return &sum
}

// kendallTauB is Kendall's rank correlation with ties counted on neither side (tau-b); NaN where one side is
// all ties. A pool is small, so every two passages are compared.
func kendallTauB(pairs []domain.ScorePair) float64 {
	var balance, remote, local int
	for i, a := range pairs {
		for _, b := range pairs[:i] {
			r, l := cmp.Compare(a.Remote, b.Remote), cmp.Compare(a.Local, b.Local)
			balance += r * l
			remote += r * r
			local += l * l
		}
	}
	return float64(balance) / (math.Sqrt(float64(remote)) * math.Sqrt(float64(local)))
}

// topOverlap is the share of the best five of one side that are among the best five of the other. Ties are
// broken by the pair's identity, alike on both sides and by nothing that either reranker said.
func topOverlap(pairs []domain.ScorePair) float64 {
	best := func(score func(domain.ScorePair) float64) map[int64]bool {
		sorted := slices.SortedFunc(slices.Values(pairs), func(a, b domain.ScorePair) int {
			return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(a.ID, b.ID))
		})
		ids := map[int64]bool{}
		for _, p := range sorted[:min(topN, len(sorted))] {
			ids[p.ID] = true
		}
		return ids
	}
	remote := best(func(p domain.ScorePair) float64 { return p.Remote })
	both := 0
	for id := range best(func(p domain.ScorePair) float64 { return p.Local }) {
		if remote[id] {
			both++
		}
	}
	return float64(both) / topN
}
