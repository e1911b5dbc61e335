package codes

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Sets of ids, with all that can be made of them, against maps.
func TestSetsAreSets(t *testing.T) {
	const ids = 4 * BlockSize
	rng := rand.New(rand.NewPCG(7, 7))
	type pair struct {
		set Set
		has map[int64]bool
	}
	random := func() pair {
		p := pair{has: map[int64]bool{}}
		for range rng.IntN(3) * rng.IntN(3000) {
			id := rng.Int64N(ids / (1 + rng.Int64N(4)))
			p.set.Add(id)
			p.has[id] = true
		}
		for range rng.IntN(4) {
			first := rng.Int64N(ids)
			last := min(ids, first+rng.Int64N(2*BlockSize)) - 1
			p.set.AddAll(first, last)
			for id := first; id <= last; id++ {
				p.has[id] = true
			}
		}
		return p
	}
	join := func(a, b pair, set Set, keep func(a, b bool) bool) pair {
		p := pair{set, map[int64]bool{}}
		for id := range int64(ids) {
			if keep(a.has[id], b.has[id]) {
				p.has[id] = true
			}
		}
		return p
	}
	for range 60 {
		a, b := random(), random()
		for range 4 {
			switch rng.IntN(3) {
			case 0:
				a = join(a, b, a.set.And(b.set), func(a, b bool) bool { return a && b })
			case 1:
				a = join(a, b, a.set.Or(b.set), func(a, b bool) bool { return a || b })
			case 2:
				a = join(a, a, a.set.Not(), func(a, _ bool) bool { return !a })
			}
			a, b = b, a
		}
		again, err := ParseSet(a.set.Bytes())
		if err != nil || !slices.Equal(again.Bytes(), a.set.Bytes()) {
			t.Fatal("another set", err)
		}
		view, err := ViewSet(a.set.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for id := range int64(ids) {
			if view.Has(id) != a.has[id] {
				t.Fatalf("has %d: %v", id, view.Has(id))
			}
			if a.has[id] && view.Block(BlockOf(id)).Empty() {
				t.Fatalf("nothing is in the block of %d", id)
			}
		}
		if a.set.Some() {
			list := a.set.IDs()
			if len(list) != len(a.has) || a.set.Named() != len(a.has) || !slices.IsSorted(list) {
				t.Fatalf("%d ids, named %d, of %d", len(list), a.set.Named(), len(a.has))
			}
		} else if a.set.Named() != ids-len(a.has) {
			t.Fatalf("all but %d, named %d", ids-len(a.has), a.set.Named())
		}
	}
}

func TestNoSetIsEverything(t *testing.T) {
	if all, err := ViewSet(nil); err != nil || !all.Has(12345) {
		t.Error("not in it", err)
	}
	for _, bad := range [][]byte{{}, {1}, make([]byte, setHeader+1), make([]byte, setHeader+BlockSize/8)} {
		if _, err := ViewSet(bad); err == nil {
			t.Errorf("%d bytes are a set", len(bad))
		}
	}
}
