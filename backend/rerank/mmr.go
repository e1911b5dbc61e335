package rerank

import "math"

// MMR orders passages by maximal marginal relevance (Carbonell and Goldstein, 1998): each next one has the
// highest lambda * relevance - (1 - lambda) * its similarity to the nearest one already taken. relevance is
// in [0,1] under the passage's index, similarity gives the cosine of two passages, lambda is in [0,1]. The
// first is the most relevant; ties go to the lower index. With lambda 1 that is the order by relevance.
func MMR(relevance []float64, similarity func(i, j int) float64, lambda float64) []int {
	n := len(relevance)
	order := make([]int, 0, n)
	taken := make([]bool, n)
	nearest := make([]float64, n) // similarity to the nearest one taken
	for i := range nearest {
		nearest[i] = math.Inf(-1)
	}
	for len(order) < n {
		next, best := -1, math.Inf(-1)
		for i := range n {
			if taken[i] {
				continue
			}
			value := relevance[i]
			if len(order) > 0 {
				value = lambda*relevance[i] - (1-lambda)*nearest[i]
			}
			if next < 0 || value > best {
				next, best = i, value
			}
		}
		taken[next] = true
		order = append(order, next)
		for i := range n {
			if !taken[i] {
				nearest[i] = max(nearest[i], similarity(i, next))
			}
		}
	}
	return order
}
