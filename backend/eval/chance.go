package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"fanous/backend/domain"
)

const (
	// resamples is how often the queries are drawn anew for an interval.
	resamples = 2_000
	// permutations is how often the test of a difference shuffles it.
	permutations = 10_000
	// seed makes a report the same each time.
	seed = 20

	level = 0.95 // of intervals, and 1 - the p under which a difference is significant
)

// Interval is where a mean would lie in 95 of 100 other samples of such queries.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// bootstrap gives the percentile interval of the mean (Efron, 1979). It draws the same queries for any series of one
// length, so that an interval of differences is one of pairs.
func bootstrap(values []float64) Interval {
	n := len(values)
	if n == 0 {
		return Interval{}
	}
	random := rand.New(rand.NewPCG(seed, 1))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range n {
			sum += values[random.IntN(n)]
		}
		means[i] = sum / float64(n)
	}
	slices.Sort(means)
	return Interval{Low: domain.Quantile(means, (1-level)/2), High: domain.Quantile(means, (1+level)/2)}
}

// Delta is a mean difference over the queries, above 0 where the stage is better.
type Delta struct {
	Delta float64 `json:"delta"`
	Interval
	// P is how often chance alone would make a difference as large: the two-sided p of a paired permutation test.
	P float64 `json:"p"`
	// Significant says that neither the interval nor the test explains the difference by chance. An interval alone would
	// say so of any three queries that happen to agree.
	Significant bool `json:"significant"`
}

// compare gives the mean of a - b, query by query.
func compare(a, b []float64) Delta {
	differences := make([]float64, len(a))
	sum := 0.0
	for i := range a {
		differences[i] = a[i] - b[i]
		sum += differences[i]
	}
	d := Delta{Delta: sum / float64(max(1, len(a))), P: permuted(differences, sum)}
	if slices.ContainsFunc(differences, func(d float64) bool { return d != 0 }) {
		d.Interval = bootstrap(differences)
	}
	d.Significant = d.P < 1-level && (d.Low > 0 || d.High < 0)
	return d
}

// permuted is the p of a sum of differences. Under the null hypothesis the two stages could be exchanged in any query, so
// that each difference might as well have the other sign (Fisher's randomisation; Smucker, Allan and Carterette, 2007).
func permuted(differences []float64, sum float64) float64 {
	differences = slices.DeleteFunc(slices.Clone(differences), func(d float64) bool { return d == 0 })
	random := rand.New(rand.NewPCG(seed, 0))
	asLarge := 1 // the one that was seen
	var bits uint64
	for range permutations {
		shuffled := 0.0
		for at, d := range differences {
			if at%64 == 0 {
				bits = random.Uint64()
			}
			if bits>>(at%64)&1 == 0 {
				d = -d
			}
			shuffled += d
		}
		if math.Abs(shuffled) >= math.Abs(sum)-1e-12 {
			asLarge++
		}
	}
	return float64(asLarge) / (permutations + 1)
}
