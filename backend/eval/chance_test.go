package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCompareKnowsChanceFromMore(t *testing.T) {
	ones := func(n int, v float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = v
		}
		return out
	}
	alternating := make([]float64, 200)
	for i := range alternating {
		alternating[i] = float64(i % 2)
	}
	for name, tt := range map[string]struct {
		a, b      []float64
		delta     float64
		low, high float64 // bounds of p
	}{
		"the same":            {ones(50, 0.5), ones(50, 0.5), 0, 1, 1},
		"always better":       {ones(50, 0.6), ones(50, 0.5), 0.1, 0, 0.001},
		"always worse":        {ones(50, 0.5), ones(50, 0.6), -0.1, 0, 0.001},
		"one query":           {ones(1, 1), ones(1, 0), 1, 1, 1},
		"as often as not":     {alternating, ones(200, 0.5), 0, 1, 1},
		"three of three":      {ones(3, 1), ones(3, 0), 1, 0.23, 0.27},                               // 2 of 8 signs are as large
		"five of 100 of them": {append(ones(5, 1), ones(95, 0)...), ones(100, 0), 0.05, 0.05, 0.075}, // 2 of 32
	} {
		got := compare(tt.a, tt.b)
		if math.Abs(got.Delta-tt.delta) > 1e-12 || got.P < tt.low || got.P > tt.high {
			t.Errorf("%s: %+v, want the difference %v with p in [%v, %v]", name, got, tt.delta, tt.low, tt.high)
		}
		if got.Significant != (tt.high < 0.05) {
			t.Errorf("%s: significant is %v: %+v", name, got.Significant, got)
		}
		if !(got.Low <= got.Delta+1e-12 && got.Delta <= got.High+1e-12) {
			t.Errorf("%s: the difference is outside of its interval: %+v", name, got)
		}
		if again := compare(tt.a, tt.b); again != got {
			t.Errorf("%s: again it is %+v", name, again)
		}
	}
}

// The interval holds the true mean about as often as it says: 95 of 100 times, here 300 samples of 60 from a skewed
// population. The bounds leave room for the sample.
func TestIntervalsCoverTheMean(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	const samples, size, chance = 300, 60, 0.3
	covered := 0
	for range samples {
		values := make([]float64, size)
		for i := range values {
			if random.Float64() < chance {
				values[i] = 1
			}
		}
		if in := bootstrap(values); in.Low <= chance && chance <= in.High {
			covered++
		}
	}
	if share := float64(covered) / samples; share < 0.90 || share > 0.99 {
		t.Errorf("%.3f of the intervals hold the mean", share)
	}
}
