package madeup

import (
	"math"
	"math/rand/v2"
	"strings"
)

const (
	// vocabulary is how many words a language has.
	vocabulary = 60_000
	// topicWords are the words that a document comes back to; topicShare is their share of its text.
	topicWords = 40
	topicShare = 0.2
	// zipfShift and zipfPower are those of Zipf and Mandelbrot: a word of rank r comes 1/(r+shift)^power times.
	zipfShift = 2.7
	zipfPower = 1.05
)

// lexicon is the words of a language, the commonest word first.
type lexicon struct {
	words []string
	first int // rank from which on a word may be a topic
}

// scripts are the letters that syllables are made of. The commonest words of each language are real ones, for
// they go through the same analyser as everything.
var scripts = []struct{ consonants, vowels, common string }{
	{"b c d f g h k l m n p r s t v z", "a e i o u ai ea ou", "the of and to in a is that for it was on as with by at from be this are"},
	{"ب پ ت ج چ خ د ر ز ژ س ش ف ک گ ل م ن", "ا و ی ا ی", "و در به از که این را با است برای آن یک خود تا کرد بر هم نیز شد ما"},
	{"ب ت ث ج ح خ د ر ز س ش ص ط ع ف ق ك ل م ن ه", "ا و ي ا", "في من على أن إلى التي عن الذي هذا هذه ما مع كان بعد قد لا أو بين كل كما"},
}

func makeLanguages(rng *rand.Rand) []lexicon {
	var all []lexicon
	for _, s := range scripts {
		consonants, vowels := strings.Fields(s.consonants), strings.Fields(s.vowels)
		words := strings.Fields(s.common)
		l := lexicon{first: 200}
		seen := map[string]bool{}
		for _, w := range words {
			seen[w] = true
		}
		for len(words) < vocabulary {
			var b strings.Builder
			for range 2 + rng.IntN(3) {
				b.WriteString(consonants[rng.IntN(len(consonants))])
				b.WriteString(vowels[rng.IntN(len(vowels))])
			}
			b.WriteString(consonants[rng.IntN(len(consonants))])
			if w := b.String(); !seen[w] {
				seen[w] = true
				words = append(words, w)
			}
		}
		l.words = words
		all = append(all, l)
	}
	return all
}

// zipf draws ranks by Walker's alias method: two random numbers a draw.
type zipf struct {
	keep  []float64
	alias []int32
}

func newZipf(n int) *zipf {
	p := make([]float64, n)
	sum := 0.0
	for r := range p {
		p[r] = math.Pow(float64(r)+1+zipfShift, -zipfPower)
		sum += p[r]
	}
	z := &zipf{make([]float64, n), make([]int32, n)}
	var small, large []int32
	for i := range p {
		p[i] *= float64(n) / sum
		if p[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		z.keep[s], z.alias[s] = p[s], l
		if p[l] -= 1 - p[s]; p[l] < 1 {
			large, small = large[:len(large)-1], append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		z.keep[i] = 1
	}
	return z
}

func (z *zipf) draw(rng *rand.Rand) int {
	i := rng.IntN(len(z.keep))
	if rng.Float64() < z.keep[i] {
		return i
	}
	return int(z.alias[i])
}
