package eval

import (
	"math"
	"testing"
)

func TestMetricsByHand(t *testing.T) {
	ranked := []string{"a", "b", "c", "d"}
	tests := []struct {
		name              string
		relevant          Judgement
		k                 int
		recall, mrr, ndcg float64
	}{
		{"first", Judgement{"a": 1}, 10, 1, 1, 1},
		{"third", Judgement{"c": 1}, 10, 1, 1.0 / 3, 0.5},
		{"below the cut", Judgement{"c": 1}, 2, 0, 0, 0},
		{"one of two", Judgement{"b": 1, "z": 1}, 10, 0.5, 0.5, (1 / math.Log2(3)) / (1 + 1/math.Log2(3))},
		{"grades", Judgement{"a": 1, "b": 3}, 10, 1, 1, (1 + 3/math.Log2(3)) / (3 + 1/math.Log2(3))},
		{"nothing relevant", Judgement{}, 10, 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, m := range []struct {
				name      string
				got, want float64
			}{
				{"recall", recallAt(ranked, tt.relevant, tt.k), tt.recall},
				{"mrr", reciprocalRankAt(ranked, tt.relevant, tt.k), tt.mrr},
				{"ndcg", ndcgAt(ranked, tt.relevant, tt.k), tt.ndcg},
			} {
				if math.Abs(m.got-m.want) > 1e-12 {
					t.Errorf("%s is %v, want %v", m.name, m.got, m.want)
				}
			}
		})
	}
}

func TestIdealGainStopsAtTheCut(t *testing.T) {
	relevant := Judgement{"a": 1, "b": 1, "c": 1}
	if got := ndcgAt([]string{"a", "b"}, relevant, 2); got != 1 {
		t.Errorf("two of three relevant documents fill a cut of 2: nDCG is %v, want 1", got)
	}
}
