package madeup

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"fanous/backend/language"
	"fanous/backend/store"
)

// A collection that is filled again stays as it is, and holds what it is to hold.
func TestFill(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := Collection{Chunks: 100, Seed: 3}
	for range 2 {
		in, err := c.Fill(t.Context(), s, "made up", nil)
		if err != nil {
			t.Fatal(err)
		}
		sums, err := s.Summaries(t.Context())
		if err != nil || len(sums) != 1 || sums[0].Chunks != 100 || sums[0].Documents != 3 {
			t.Fatal(sums, err)
		}
		src := NewSource(3)
		text, v := src.Query(1, 6)
		near, err := s.Nearest(t.Context(), in.ID, v, 10)
		if err != nil || len(near) != 10 {
			t.Fatal(near, err)
		}
		found, err := s.Lexical(t.Context(), in.ID, language.ParseQuery(text).Match(nil), 100, 1)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s finds %v, %v", text, found, err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSourceRepeatsItself(t *testing.T) {
	a, b := NewSource(1), NewSource(1)
	for i := range 20 {
		d, e := a.Document(i), b.Document(i)
		if d.Text(50) != e.Text(50) || !slices.Equal(d.Vector(), e.Vector()) {
			t.Fatalf("document %d is another", i)
		}
	}
}

// The commonest words stand in the share of passages that function words have, and vectors lie as far apart as
// embeddings do.
func TestStatistics(t *testing.T) {
	src := NewSource(1)
	with, mean, total := 0, make([]float64, Dim), 0
	for i := range 300 {
		d := src.Document(i)
		for range 3 {
			total++
			for _, term := range language.Terms(d.Text(Words)) {
				if term.Text == "the" {
					with++
					break
				}
			}
			for j, x := range d.Vector() {
				mean[j] += float64(x)
			}
		}
	}
	if share := float64(with) / float64(total); share < 0.25 || share > 0.4 {
		t.Errorf("the is in %.2f of the passages", share)
	}
	length := 0.0
	for _, x := range mean {
		length += x / float64(total) * x / float64(total)
	}
	if length = math.Sqrt(length); length < 0.8 || length > 0.92 {
		t.Errorf("the mean is %.3f long", length)
	}
}
