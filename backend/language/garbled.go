package language

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// bigramCounts says how often each pair of letters stands in words, by script; TestBigrams writes it from the sample
// collection and the function words of every language that is known.
//
//go:embed bigrams.txt
var bigramCounts string

const (
	// leastPairs is how many pairs of letters a text must have to be judged: about forty words.
	leastPairs = 200
	// leastLikely is the mean logarithm of how likely pairs are in writing. Paragraphs in any language of the script have
	// more, those whose letters were exchanged -7.3 in the middle, and nine in ten less.
	leastLikely = -6.6
	// leastFunction is the share of function words, of three letters or more, that says that a text is in one of the known
	// languages after all, however odd its letters.
	leastFunction = 0.08
)

// Garbled says that a text is no writing in its script, Latin or Arabic: its letters follow one another as they do in no
// language, as where a font gives letters wrong names. Short texts, numbers and codes are never garbled.
func Garbled(text string) bool {
	var sums [scripts]struct {
		pairs, words, function int
		likely                 float64
	}
	known, stops := loadBigrams(), loadTables().stops
	for s, word := range plainWords(text) {
		sum, model := &sums[s], known[s]
		sum.words++
		if len([]rune(word)) >= 3 && stops[hintKey(word, s)] != 0 {
			sum.function++
		}
		for pair := range bigrams(spelling(word, s)) {
			sum.pairs++
			likely, ok := model.likely[pair]
			if !ok {
				likely = model.unknown
			}
			sum.likely += likely
		}
	}
	most := sums[inLatin]
	if sums[inArabicScript].pairs > most.pairs {
		most = sums[inArabicScript]
	}
	return most.pairs >= leastPairs && most.likely < leastLikely*float64(most.pairs) &&
		float64(most.function) < leastFunction*float64(most.words)
}

// plainWords yields the words of the scripts that are judged, without those that are no words of a language: with digits,
// with capitals inside.
func plainWords(text string) func(yield func(script, string) bool) {
	return func(yield func(script, string) bool) {
		for field := range strings.FieldsSeq(text) {
			if strings.ContainsFunc(field, unicode.IsDigit) {
				continue
			}
			for _, word := range strings.FieldsFunc(field, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsMark(r) && !isIgnorable(r)
			}) {
				s := scriptOf(word)
				if s != inLatin && s != inArabicScript || mixedCase(word) {
					continue
				}
				if !yield(s, word) {
					return
				}
			}
		}
	}
}

// mixedCase reports capitals behind small letters.
func mixedCase(word string) bool {
	small := false
	for _, r := range word {
		if unicode.IsUpper(r) && small {
			return true
		}
		small = small || unicode.IsLower(r)
	}
	return false
}

// spelling is a word in the letters that pairs are counted in.
func spelling(word string, s script) string {
	if s == inArabicScript {
		return foldArabic(word)
	}
	return plain(lower(word))
}

// bigrams yields the pairs of letters of a word of two letters or more, its ends included.
func bigrams(word string) func(yield func([2]rune) bool) {
	return func(yield func([2]rune) bool) {
		const end rune = '_'
		if _, first := utf8.DecodeRuneInString(word); first == len(word) {
			return
		}
		before := end
		for _, r := range word {
			if !yield([2]rune{before, r}) {
				return
			}
			before = r
		}
		yield([2]rune{before, end})
	}
}

// bigramModel is what bigramCounts says of a script: logarithms of how likely pairs are, those that are not in it too.
type bigramModel struct {
	likely  map[[2]rune]float64
	unknown float64
}

var loadBigrams = sync.OnceValue(func() (models [scripts]bigramModel) {
	for s, counts := range readBigrams() {
		all := 0
		for _, n := range counts {
			all += n
		}
		likely := func(n int) float64 { return math.Log((float64(n) + 0.5) / float64(all)) }
		m := bigramModel{likely: map[[2]rune]float64{}, unknown: likely(0)}
		for pair, n := range counts {
			m.likely[pair] = likely(n)
		}
		models[s] = m
	}
	return models
})

func readBigrams() map[script]map[[2]rune]int {
	out := map[script]map[[2]rune]int{inLatin: {}, inArabicScript: {}}
	s := noScript
	for line := range strings.Lines(bigramCounts) {
		pair, n, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch pair {
		case "latin":
			s = inLatin
		case "arabic":
			s = inArabicScript
		default:
			count, _ := strconv.Atoi(n) // the file is built in, and a test writes it
			if letters := []rune(pair); len(letters) == 2 {
				out[s][[2]rune(letters)] = count
			}
		}
	}
	return out
}
