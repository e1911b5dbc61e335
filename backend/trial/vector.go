package trial

import "math"

// mean is the mean of the vectors that lie one after the other in data.
func mean(data []float32, dim int) []float32 {
	out := make([]float32, dim)
	for i, x := range data {
		out[i%dim] += x * float32(dim) / float32(len(data))
	}
	return out
}

// cosine is not a number where one of the vectors is zero.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}
