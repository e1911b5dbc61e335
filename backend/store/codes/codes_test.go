package codes

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// clustered makes n made-up unit vectors around a shared mean, in groups.
func clustered(rng *rand.Rand, n, dim int) [][]float32 {
	middle := normal(rng, dim)
	var all [][]float32
	var group []float32
	for i := range n {
		if i%50 == 0 {
			group = step(rng, middle, 0.5)
		}
		all = append(all, step(rng, group, 0.5))
	}
	return all
}

func normal(rng *rand.Rand, dim int) []float32 {
	return step(rng, make([]float32, dim), 1)
}

// step is a unit vector about so far from another.
func step(rng *rand.Rand, from []float32, far float64) []float32 {
	v := make([]float32, len(from))
	for i := range v {
		v[i] = from[i] + float32(far*rng.NormFloat64()/math.Sqrt(float64(len(from))))
	}
	norm := float32(math.Sqrt(float64(dot(v, v))))
	for i := range v {
		v[i] /= norm
	}
	return v
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// blocks codes vectors whose ids are their places.
func blocks(vectors [][]float32) []*Block {
	var list []*Block
	for i, v := range vectors {
		id := int64(i)
		if len(list) == 0 || list[len(list)-1].number != BlockOf(id) {
			var before *Block
			if len(list) > 0 {
				before = list[len(list)-1]
			}
			list = append(list, New(BlockOf(id), before, vectors[i:min(i+32, len(vectors))]))
		}
		list[len(list)-1].Add(id, v)
	}
	return list
}

// Of any length of vector, what is best by its code holds what is best.
func TestCodesFindTheNearest(t *testing.T) {
	for _, dim := range []int{200, 256, 384} {
		rng := rand.New(rand.NewPCG(uint64(dim), 1))
		vectors := clustered(rng, 3*BlockSize/2, dim)
		list := blocks(vectors)
		found, wanted := 0, 0
		for range 20 {
			query := step(rng, vectors[rng.IntN(len(vectors))], 0.5)
			s := NewSearch(query, 320)
			for _, b := range list {
				if err := s.Block(b.number, b.Bytes(), SetView{}.Block(b.number)); err != nil {
					t.Fatal(err)
				}
			}
			best := s.Best()
			if len(best) != 320 || !slices.IsSortedFunc(best, func(a, b Candidate) int { return int(math.Copysign(1, float64(b.Cosine-a.Cosine))) }) {
				t.Fatalf("%d candidates, or not in order", len(best))
			}
			for _, id := range exact(vectors, query, 40) {
				wanted++
				if slices.ContainsFunc(best, func(c Candidate) bool { return c.ID == id }) {
					found++
				}
			}
		}
		if recall := float64(found) / float64(wanted); recall < 0.97 {
			t.Errorf("%d numbers: recall %.3f", dim, recall)
		}
	}
}

func exact(vectors [][]float32, query []float32, k int) []int64 {
	ids := make([]int64, len(vectors))
	for i := range ids {
		ids[i] = int64(i)
	}
	slices.SortFunc(ids, func(a, b int64) int {
		return int(math.Copysign(1, float64(dot(vectors[b], query)-dot(vectors[a], query))))
	})
	return ids[:k]
}

// The estimate errs to both sides, and not by much.
func TestEstimateIsFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	vectors := clustered(rng, 1000, 384)
	query := step(rng, vectors[0], 0.5)
	s := NewSearch(query, 1000)
	for _, b := range blocks(vectors) {
		if err := s.Block(b.number, b.Bytes(), SetView{}.Block(b.number)); err != nil {
			t.Fatal(err)
		}
	}
	var sum, square float64
	for _, c := range s.Best() {
		d := float64(c.Cosine - dot(vectors[c.ID], query))
		sum, square = sum+d, square+d*d
	}
	if bias, spread := sum/1000, math.Sqrt(square/1000); math.Abs(bias) > 0.005 || spread > 0.03 {
		t.Errorf("bias %.4f, spread %.4f", bias, spread)
	}
}

func TestBlockKeepsWhatItIsGiven(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	vectors := clustered(rng, 100, 70)
	b := blocks(vectors)[0]
	again, err := Parse(0, b.Bytes(), 70)
	if err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
		t.Fatal("another block", err)
	}
	again.Remove(3, 50, 99, 777, BlockSize+4)
	if again.Len() != 97 || slices.Contains(again.IDs(), 50) {
		t.Errorf("%d are left", again.Len())
	}
	for i, v := range vectors {
		gone := i == 3 || i == 50 || i == 99
		if again.Holds(int64(i), v) == gone {
			t.Errorf("%d: gone is %v", i, gone)
		}
	}
	if again.Holds(4, vectors[5]) {
		t.Error("it holds the code of another vector")
	}
	rest, err := Parse(0, again.Bytes(), 70)
	if err != nil || rest.Len() != 97 {
		t.Error(rest.Len(), err)
	}
}

// A vector that is its block's centre, and a query that is, are no special case.
func TestTheCentreItself(t *testing.T) {
	v := normal(rand.New(rand.NewPCG(5, 5)), 64)
	b := New(0, nil, [][]float32{v})
	b.Add(7, v)
	s := NewSearch(v, 5)
	if err := s.Block(0, b.Bytes(), SetView{}.Block(0)); err != nil {
		t.Fatal(err)
	}
	if best := s.Best(); len(best) != 1 || best[0].ID != 7 || math.Abs(float64(best[0].Cosine-1)) > 2e-5 {
		t.Error(best)
	}
}

func TestRoundedCosineIsExactEnough(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, dim := range []int{1, 7, 384} {
		for range 100 {
			v, q := normal(rng, dim), normal(rng, dim)
			var query []byte
			query = appendFloats(query, q)
			got, err := Cosine(query, Round(v))
			if err != nil || math.Abs(got-float64(dot(v, q))) > 2e-5 {
				t.Fatalf("%d numbers: %v, want %v: %v", dim, got, dot(v, q), err)
			}
		}
	}
	if _, err := Cosine(make([]byte, 12), make([]byte, 9)); err == nil {
		t.Error("lengths that do not fit")
	}
	if got, err := Cosine(make([]byte, 8), Round([]float32{0, 0})); err != nil || got != 0 {
		t.Error(got, err)
	}
}

// No bytes make a search or a reader fail otherwise than by an error.
func FuzzBlock(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 7))
	good := blocks(clustered(rng, 5, 70))[0].Bytes()
	f.Add(good, 70)
	f.Add(good[:len(good)-1], 70)
	f.Add([]byte{form, 0, 255, 255, 0, 0, 0, 0}, 0)
	f.Fuzz(func(t *testing.T, data []byte, dim int) {
		if dim < 1 || dim > 4096 {
			return
		}
		query := make([]float32, dim)
		query[0] = 1
		s := NewSearch(query, 3)
		err := s.Block(1, data, SetView{}.Block(1))
		b, parseErr := Parse(1, data, dim)
		if (err == nil) != (parseErr == nil) {
			t.Fatalf("searching: %v, reading: %v", err, parseErr)
		}
		if err == nil && !bytes.Equal(b.Bytes(), data) {
			t.Error("read and written is another block")
		}
		s.Best()
	})
}

func BenchmarkScan(b *testing.B) {
	const blocksOf = 20
	rng := rand.New(rand.NewPCG(1, 1))
	var kept [][]byte
	for _, block := range blocks(clustered(rng, blocksOf*BlockSize, 384)) {
		kept = append(kept, block.Bytes())
	}
	query := normal(rng, 384)
	for b.Loop() {
		s := NewSearch(query, 320)
		for i, data := range kept {
			if err := s.Block(int64(i), data, SetView{}.Block(int64(i))); err != nil {
				b.Fatal(err)
			}
		}
		s.Best()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*blocksOf*BlockSize), "ns/vector")
}
