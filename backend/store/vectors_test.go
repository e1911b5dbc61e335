package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fanous/backend/domain"
)

// A vector without a direction would come before an exact match; none gets in, and none is searched with.
func TestVectorsWithoutADirectionAreRefused(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "one"))
	bare := document(c, "/bare", "two")
	bare.Chunks[0].Vector = nil
	put(t, w, bare)
	missing, err := s.MissingVectors(t.Context(), c.ID, 0, 10)
	if err != nil || len(missing) != 1 {
		t.Fatal(missing, err)
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for name, v := range map[string][]float32{
		"zero":        make([]float32, testDim),
		"nearly zero": {1e-9, 0, 0, 0, 0, 0, 0, 1e-12},
		"NaN":         {1, nan, 0, 0, 0, 0, 0, 0},
		"infinite":    {1, inf, 0, 0, 0, 0, 0, 0},
		"too short":   {1, 0},
		"empty":       {},
	} {
		t.Run(name, func(t *testing.T) {
			d := document(c, "/bad", "bad")
			d.Chunks[0].Vector = v
			if err := w.Put(t.Context(), d); err == nil {
				t.Error("Put took it")
			}
			if err := w.PutVectors(t.Context(), c.ID, map[int64][]float32{missing[0].ID: v}); err == nil {
				t.Error("PutVectors took it")
			}
			if got, err := s.Nearest(t.Context(), c.ID, v, 5); err == nil {
				t.Errorf("Nearest took it and found %v", got)
			}
		})
	}
	check(t, s)
}

// Nearest must agree with a plain loop, over vectors of any length.
func TestNearestIsCosine(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(scale float64) []float32 {
		v := make([]float32, testDim)
		for i := range v {
			v[i] = float32(rng.NormFloat64() * scale)
		}
		return v
	}
	doc := document(c, "/a")
	vectors := map[string][]float32{}
	for i := range 300 {
		text := fmt.Sprint("text ", i)
		vectors[text] = random(math.Exp(rng.NormFloat64() * 3))
		doc.Chunks = append(doc.Chunks, ChunkRow{Chunk: domain.Chunk{Ordinal: i, Text: text}, Vector: vectors[text]})
	}
	put(t, w, doc)
	for range 20 {
		query := random(5)
		found, err := s.Nearest(t.Context(), c.ID, query, 7)
		if err != nil || len(found) != 7 {
			t.Fatal(len(found), err)
		}
		texts := passageTexts(t, s, found)
		for i, f := range found {
			if want := cosine(query, vectors[texts[i]]); math.Abs(f.Score-want) > 1e-5 {
				t.Fatalf("%s: cosine %v, want %v", texts[i], f.Score, want)
			}
		}
		better := 0
		for _, v := range vectors {
			if cosine(query, v) > found[6].Score+1e-5 {
				better++
			}
		}
		if better > 6 {
			t.Fatalf("%d vectors are nearer than the seventh found", better)
		}
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

func TestNearestAtTheEdges(t *testing.T) {
	s := open(t, "")
	c, empty := collection(t, s, "news"), collection(t, s, "empty")
	w := writer(t, s)
	put(t, w, document(c, "/a", "one", "two"))
	for k, want := range map[int]int{-1: 0, 0: 0, 1: 1, 100: 2, maxK: 2, maxK + 1: 2, 1 << 40: 2} {
		got, err := s.Nearest(t.Context(), c.ID, direction(1), k)
		if err != nil || len(got) != want {
			t.Errorf("k = %d: %v, %v", k, got, err)
		}
	}
	got, err := s.Nearest(t.Context(), empty.ID, direction(1), 5)
	if err != nil || len(got) != 0 {
		t.Errorf("no vectors: %v, %v", got, err)
	}
}

func TestMissingVectorsAreFilledLater(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	doc := document(c, "/a", "one", "two", "three")
	for i := range doc.Chunks {
		doc.Chunks[i].Vector = nil
	}
	put(t, w, doc, document(c, "/b", "four"))
	first, err := s.MissingVectors(t.Context(), c.ID, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "first page", []string{first[0].Text, first[1].Text}, []string{"one", "two"})
	rest, _ := s.MissingVectors(t.Context(), c.ID, first[1].ID, 2)
	has(t, "second page", len(rest), 1)
	vectors := map[int64][]float32{12345: direction(1)} // gone by now
	for _, m := range append(first, rest...) {
		vectors[m.ID] = direction(float64(m.Ordinal))
	}
	for range 2 { // the second time they have one
		if err := w.PutVectors(t.Context(), c.ID, vectors); err != nil {
			t.Fatal(err)
		}
	}
	n, err := s.CountMissingVectors(t.Context(), c.ID)
	if err != nil || n != 0 {
		t.Error(n, err)
	}
	near, _ := s.Nearest(t.Context(), c.ID, direction(1), 1)
	has(t, "nearest", passageTexts(t, s, near), []string{"two"})
	stored, err := s.Vectors(t.Context(), c.ID, []int64{first[1].ID, 777})
	if err != nil || len(stored) != 1 || math.Abs(cosine(stored[first[1].ID], direction(1))-1) > 1e-6 {
		t.Error(stored, err)
	}
	check(t, s)
}

func TestStampMismatchIsReported(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "one", "two"))
	want := Stamp{Analyser: "other", Chunker: "other", Embedder: "other", Dim: 4}
	m, err := s.CheckStamp(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "mismatch", m, Mismatch{Have: testStamp, Want: want, Lexical: true, Chunking: true, Vectors: true})
	if m, _ := s.CheckStamp(t.Context(), Stamp{Analyser: testStamp.Analyser}); m.Any() {
		t.Errorf("no embedder at hand is no mismatch: %+v", m)
	}
	if err := w.SetStamp(t.Context(), want); err == nil {
		t.Fatal("SetStamp guessed over a mismatch")
	}
	if err := w.RebuildTerms(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	if err := w.DropVectors(t.Context(), "other", 4); err != nil {
		t.Fatal(err)
	}
	if err := w.SetStamp(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	missing, _ := s.MissingVectors(t.Context(), c.ID, 0, 10)
	has(t, "missing", len(missing), 2)
	check(t, s)
	if err := w.PutVectors(t.Context(), c.ID, map[int64][]float32{missing[0].ID: {1, 2, 3, 4}}); err != nil {
		t.Fatal(err)
	}
	check(t, s)
}
