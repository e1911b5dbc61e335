package rerank

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMMRByHand(t *testing.T) {
	// 0 and 1 say the same; 2 says something else and is less relevant.
	relevance := []float64{0.9, 0.8, 0.5}
	same := func(i, j int) float64 {
		if i != 2 && j != 2 {
			return 1
		}
		return 0
	}
	for lambda, want := range map[float64][]int{
		1:   {0, 1, 2},
		0.5: {0, 2, 1}, // 0.5*0.8-0.5*1 = -0.1 is below 0.5*0.5-0 = 0.25
		0.9: {0, 1, 2}, // 0.9*0.8-0.1*1 = 0.62 is above 0.9*0.5 = 0.45
		0:   {0, 2, 1},
	} {
		if got := MMR(relevance, same, lambda); !slices.Equal(got, want) {
			t.Errorf("lambda %v: %v, want %v", lambda, got, want)
		}
	}
}

func TestMMRIsAPermutationThatBeginsWithTheMostRelevant(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := r.IntN(30)
		relevance, position := make([]float64, n), make([]float64, n)
		for i := range n {
			relevance[i], position[i] = r.Float64(), r.Float64()
		}
		similarity := func(i, j int) float64 { return 1 - max(position[i]-position[j], position[j]-position[i]) }
		order := MMR(relevance, similarity, r.Float64())
		sorted := slices.Sorted(slices.Values(order))
		for i, at := range sorted {
			if i != at {
				t.Fatalf("%v is no permutation", order)
			}
		}
		if n > 0 && relevance[order[0]] != slices.Max(relevance) {
			t.Fatalf("the first has relevance %v, the best has %v", relevance[order[0]], slices.Max(relevance))
		}
	}
}
