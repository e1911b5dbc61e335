package retrieve

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"fanous/backend/store"
)

var fusions = map[string]func(lexical, dense []store.Scored) []Fused{
	"convex": func(lexical, dense []store.Scored) []Fused { return Convex(lexical, dense, DefaultLexicalWeight) },
	"rrf":    RRF,
}

// randomLists makes two ordered lists over shared ids, with ties, sometimes empty.
func randomLists(rng *rand.Rand) (lexical, dense []store.Scored) {
	list := func(scale, shift float64) []store.Scored {
		ids := rng.Perm(30)[:rng.IntN(20)]
		var l []store.Scored
		for _, id := range ids {
			l = append(l, store.Scored{ChunkID: int64(id), Score: float64(rng.IntN(12))*scale + shift})
		}
		slices.SortFunc(l, func(a, b store.Scored) int {
			if a.Score != b.Score {
				return int(2 * (b.Score - a.Score) / scale)
			}
			return int(a.ChunkID - b.ChunkID)
		})
		return l
	}
	return list(2, 1), list(0.0625, -0.5) // the words are trusted in all of them
}

// forRandomLists tries a property of both fusions on many pairs of lists.
func forRandomLists(t *testing.T, property func(fuse func(l, d []store.Scored) []Fused, lexical, dense []store.Scored) error) {
	t.Helper()
	for name, fuse := range fusions {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(500) {
				lexical, dense := randomLists(rand.New(rand.NewPCG(seed, 0)))
				if err := property(fuse, lexical, dense); err != nil {
					t.Fatalf("seed %d: %v\nlexical %v\ndense %v", seed, err, lexical, dense)
				}
			}
		})
	}
}

func TestFusionIsAnOrderedUnion(t *testing.T) {
	forRandomLists(t, func(fuse func(l, d []store.Scored) []Fused, lexical, dense []store.Scored) error {
		union := map[int64]bool{}
		for _, s := range append(slices.Clone(lexical), dense...) {
			union[s.ChunkID] = true
		}
		fused := fuse(lexical, dense)
		if len(fused) != len(union) {
			return fmt.Errorf("%d fused of %d", len(fused), len(union))
		}
		for i, f := range fused {
			if !union[f.ChunkID] {
				return fmt.Errorf("%d is from nowhere or there twice", f.ChunkID)
			}
			delete(union, f.ChunkID)
			if f.Score < 0 || f.Score > 1 {
				return fmt.Errorf("score %v", f.Score)
			}
			if i > 0 && (fused[i-1].Score < f.Score || fused[i-1].Score == f.Score && fused[i-1].ChunkID > f.ChunkID) {
				return fmt.Errorf("%v before %v", fused[i-1], f)
			}
		}
		if !reflect.DeepEqual(fused, fuse(lexical, dense)) {
			return fmt.Errorf("another order the second time")
		}
		return nil
	})
}

// A chunk that neither arm puts below another is not below it in the fused list.
func TestFusionRespectsAgreement(t *testing.T) {
	forRandomLists(t, func(fuse func(l, d []store.Scored) []Fused, lexical, dense []store.Scored) error {
		at := map[int64]int{}
		for i, f := range fuse(lexical, dense) {
			at[f.ChunkID] = i
		}
		for a := range at {
			for b := range at {
				if before(lexical, a, b) && before(dense, a, b) && at[a] > at[b] {
					return fmt.Errorf("%d is before %d in both lists and after it in the fused one", a, b)
				}
			}
		}
		return nil
	})
}

// before says that a stands before b in a list, where what the list lacks is at its end.
func before(list []store.Scored, a, b int64) bool {
	find := func(id int64) int {
		return slices.IndexFunc(list, func(s store.Scored) bool { return s.ChunkID == id })
	}
	i, j := find(a), find(b)
	return i >= 0 && (j < 0 || i < j && list[i].Score > list[j].Score)
}

// Where one arm found nothing the other's order stays. The last ones of a stretched list may tie at 0.
func TestFusionWithOneArmKeepsItsOrder(t *testing.T) {
	forRandomLists(t, func(fuse func(l, d []store.Scored) []Fused, lexical, dense []store.Scored) error {
		for _, got := range []struct {
			fused []Fused
			list  []store.Scored
		}{{fuse(lexical, nil), lexical}, {fuse(nil, dense), dense}, {Single(dense), dense}} {
			for i, f := range got.fused {
				if f.ChunkID != got.list[i].ChunkID {
					return fmt.Errorf("place %d: %d, want %d", i, f.ChunkID, got.list[i].ChunkID)
				}
			}
		}
		return nil
	})
}

// The unit and the zero of an arm's scores mean nothing to a convex fusion, and scores nothing at all to RRF.
func TestFusionForgetsTheScale(t *testing.T) {
	forRandomLists(t, func(fuse func(l, d []store.Scored) []Fused, lexical, dense []store.Scored) error {
		scaled := slices.Clone(lexical)
		for i := range scaled {
			scaled[i].Score = scaled[i].Score*4 + 64
		}
		if a, b := fuse(lexical, dense), fuse(scaled, dense); !reflect.DeepEqual(a, b) {
			return fmt.Errorf("%v, scaled %v", a, b)
		}
		return nil
	})
}

func TestBestInBothArmsIsTheBestPossible(t *testing.T) {
	lexical := []store.Scored{{ChunkID: 7, Score: 12}, {ChunkID: 1, Score: 3}}
	dense := []store.Scored{{ChunkID: 7, Score: 0.9}, {ChunkID: 2, Score: 0.5}}
	for name, fuse := range fusions {
		if got := fuse(lexical, dense)[0]; got != (Fused{7, 1}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestFusedScores(t *testing.T) {
	lexical := []store.Scored{{ChunkID: 1, Score: 10}, {ChunkID: 2, Score: 6}, {ChunkID: 3, Score: 2}}
	dense := []store.Scored{{ChunkID: 2, Score: 0.9}, {ChunkID: 4, Score: 0.8}, {ChunkID: 5, Score: 0.7}}
	for name, c := range map[string]struct {
		got  []Fused
		want string
	}{
		"convex":    {Convex(lexical, dense, DefaultLexicalWeight), "2:0.850 4:0.350 1:0.300 3:0.000 5:0.000"},
		"lexical":   {Convex(lexical, dense, 1), "1:1.000 2:0.500 3:0.000 4:0.000 5:0.000"},
		"rrf":       {RRF(lexical, dense), "2:0.992 1:0.500 4:0.492 3:0.484 5:0.484"},
		"single":    {Single(lexical), "1:1.000 2:0.500 3:0.000"},
		"one entry": {Convex(lexical[:1], nil, DefaultLexicalWeight), "1:0.300"},
		"nothing":   {Convex(nil, nil, DefaultLexicalWeight), ""},
	} {
		got := ""
		for _, f := range c.got {
			got += fmt.Sprintf(" %d:%.3f", f.ChunkID, f.Score)
		}
		if got != "" {
			got = got[1:]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
