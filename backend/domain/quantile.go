package domain

import "math"

// Quantile is the nearest-rank quantile of sorted values, q in (0,1]; 0 where there are none.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	const rounding = 1e-9 // of q times a number
	i := int(math.Ceil(q*float64(len(sorted))-rounding)) - 1
	return sorted[max(0, min(i, len(sorted)-1))]
}
