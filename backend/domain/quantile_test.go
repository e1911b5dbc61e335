package domain

import "testing"

func TestQuantile(t *testing.T) {
	v := []float64{1, 2, 3, 4}
	for q, want := range map[float64]float64{0.5: 2, 0.95: 4, 0.25: 1, 1: 4} {
		if got := Quantile(v, q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if Quantile(nil, 0.5) != 0 {
		t.Error("the quantile of nothing is not 0")
	}
	many := make([]float64, 2000)
	for i := range many {
		many[i] = float64(i + 1)
	}
	level := 0.95
	if got := Quantile(many, (1-level)/2); got != 50 { // which is a hair above 1/40
		t.Errorf("the 40th part of 2,000 ends at %v", got)
	}
}
