// Package storetest makes text and vectors for the tests and benchmarks of an index: stretches of the sample
// collection, which is in English, Persian and Arabic, and made-up vectors.
package storetest

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Source makes text and vectors. The same seed makes the same ones.
type Source struct {
	rng   *rand.Rand
	words [][]string // of each file of the sample
}

// New makes a source from the text files of the sample collection.
func New(tb testing.TB, seed uint64) *Source {
	tb.Helper()
	s := &Source{rng: rand.New(rand.NewPCG(seed, 1))}
	for _, pattern := range []string{"docs/*.md", "docs/*.txt", "source/*.md"} {
		files, err := filepath.Glob(filepath.Join(sample(tb), pattern))
		if err != nil {
			tb.Fatal(err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			s.words = append(s.words, strings.Fields(strings.ToValidUTF8(string(b), "")))
		}
	}
	if len(s.words) == 0 {
		tb.Fatal("the sample collection has no text")
	}
	return s
}

// sample finds the sample collection from any folder of the module.
func sample(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); !errors.Is(err, os.ErrNotExist) {
			return filepath.Join(dir, "build", "sample")
		}
	}
	tb.Fatal("outside the module")
	return ""
}

// Text gives n words that stand one after the other somewhere in the sample; at the end of a file they go on
// in another.
func (s *Source) Text(n int) string {
	var text []string
	for len(text) < n {
		words := s.words[s.rng.IntN(len(s.words))]
		at := s.rng.IntN(len(words))
		text = append(text, words[at:min(at+n-len(text), len(words))]...)
	}
	return strings.Join(text, " ")
}

// Vector makes a vector of length dim in a random direction.
func (s *Source) Vector(dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(s.rng.NormFloat64())
	}
	return v
}
