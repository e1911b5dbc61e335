package retrieve

import (
	"cmp"
	"slices"

	"fanous/backend/store"
)

const (
	// DefaultLexicalWeight is the share of the lexical arm in a convex fusion; the vector arm has the rest.
	DefaultLexicalWeight = 0.3
	// rrfK is the constant of reciprocal rank fusion, from its authors.
	rrfK = 60
)

// Fused is a chunk with its place in the joined list.
type Fused struct {
	ChunkID int64
	// Score is the share of the best possible score, in [0,1]. It says how the arms agree, not how relevant
	// the chunk is.
	Score float64
}

// wholeTrust is the score of the best passage from which on the words have their full weight: half of what was asked for.
const wholeTrust = 0.5

// Convex joins two lists by their scores: each list is stretched to [0,1] over its own lowest and highest
// score, a chunk that a list lacks has 0 there, and the weighted sum decides. Equal scores are in order of
// chunk id. Each list is in order, best first, and has no chunk twice. Where the best of the words has little of what was
// asked for, their order tells little, and they weigh less in favour of the vectors.
func Convex(lexical, dense []store.Scored, lexicalWeight float64) []Fused {
	if len(lexical) > 0 && len(dense) > 0 {
		lexicalWeight *= max(0, min(1, lexical[0].Score/wholeTrust))
	}
	return sum(
		weighted{lexicalWeight, lexical, minMax(lexical)},
		weighted{1 - lexicalWeight, dense, minMax(dense)},
	)
}

// RRF joins two lists by reciprocal rank fusion, which looks at nothing but ranks. Equal scores are in order
// of chunk id.
func RRF(lexical, dense []store.Scored) []Fused {
	return sum(
		weighted{0.5, lexical, reciprocal},
		weighted{0.5, dense, reciprocal},
	)
}

// Single makes a fused list of one arm alone.
func Single(list []store.Scored) []Fused {
	return sum(weighted{1, list, minMax(list)})
}

// weighted is one list, how much it counts, and what an entry at a 0-based position is worth in [0,1].
type weighted struct {
	weight float64
	list   []store.Scored
	value  func(at int, score float64) float64
}

func sum(arms ...weighted) []Fused {
	total := map[int64]float64{}
	for _, arm := range arms {
		for i, s := range arm.list {
			total[s.ChunkID] += arm.weight * arm.value(i, s.Score)
		}
	}
	fused := make([]Fused, 0, len(total))
	for id, score := range total {
		fused = append(fused, Fused{id, min(score, 1)})
	}
	slices.SortFunc(fused, func(a, b Fused) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ChunkID, b.ChunkID))
	})
	return fused
}

// minMax stretches the scores of an ordered list to [0,1]. Where all are equal, all are the best.
func minMax(list []store.Scored) func(int, float64) float64 {
	if len(list) == 0 {
		return nil
	}
	high, low := list[0].Score, list[len(list)-1].Score
	if high == low {
		return func(int, float64) float64 { return 1 }
	}
	return func(_ int, score float64) float64 { return (score - low) / (high - low) }
}

// reciprocal is the share of the first rank's worth that a rank has.
func reciprocal(at int, _ float64) float64 { return (rrfK + 1) / float64(rrfK+1+at) }
