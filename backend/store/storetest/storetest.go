// Package storetest makes text and vectors for the tests and benchmarks of an index. Everything it makes is
// made up; only the shape is like that of real text.
package storetest

import (
	"math/rand/v2"
	"strings"
)

// Vocabulary is how many different words a Source knows.
const Vocabulary = 50_000

// Source makes text whose words come up as often as those of a language do: the second half as often as the
// first, and so on (Zipf). The same seed makes the same text.
type Source struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
}

// New makes a source. One word in three is in Arabic letters.
func New(seed uint64) *Source {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &Source{rng: rng, zipf: rand.NewZipf(rng, 1.1, 4, Vocabulary-1)}
	latin, arabic := []rune("etaoinshrdlucmfgypwbvk"), []rune("ابپتجچحخدرزسشعفقکگلمنوهی")
	words := rand.New(rand.NewPCG(7, 7)) // the vocabulary is the same for every seed
	for i := range Vocabulary {
		letters := latin
		if i%3 == 2 {
			letters = arabic
		}
		// Common words are short, as in a language.
		word := make([]rune, 2+min(i/100, 4)+words.IntN(4))
		for j := range word {
			word[j] = letters[words.IntN(len(letters))]
		}
		s.words = append(s.words, string(word))
	}
	return s
}

// Text makes a text of n words, a full stop after about every fifteenth.
func (s *Source) Text(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.words[s.zipf.Uint64()])
		if s.rng.IntN(15) == 0 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// Vector makes a vector of length dim in a random direction.
func (s *Source) Vector(dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(s.rng.NormFloat64())
	}
	return v
}
