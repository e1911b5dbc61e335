package language

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
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
			sum.likely += math.Log((float64(model.counts[pair]) + 0.5) / float64(model.all))
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
func bigrams(word string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		letters := []rune("_" + word + "_")
		for i := 1; i < len(letters) && len(letters) > 3; i++ {
			if !yield(string(letters[i-1 : i+1])) {
				return
			}
		}
	}
}

// bigramModel is what bigramCounts says of a script.
type bigramModel struct {
	counts map[string]int
	all    int
}

var loadBigrams = sync.OnceValue(func() (models [scripts]bigramModel) {
	s := noScript
	for line := range strings.Lines(bigramCounts) {
		pair, n, _ := strings.Cut(strings.TrimSpace(line), " ")
		count, _ := strconv.Atoi(n) // the file is built in, and a test writes it
		switch pair {
		case "latin":
			s = inLatin
		case "arabic":
			s = inArabicScript
		default:
			models[s].counts[pair] = count
			models[s].all += count
			continue
		}
		models[s].counts = map[string]int{}
	}
	return models
})
