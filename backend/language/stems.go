package language

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/hi"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
)

// Two kinds of stem. The main term of a word is stemmed by its script: English for Latin letters, Russian for Cyrillic,
// Hindi for Devanagari, Persian and Arabic for theirs. A text in another language of such a script gets its own stems on
// top, marked with a tilde so that they meet only one another: they help German and Kurdish and cannot disturb English.

// scriptStemmers stem by script alone.
type scriptStemmers struct {
	english, russian analysis.TokenFilter
	hindi            []analysis.TokenFilter
}

var loadScriptStemmers = sync.OnceValue(func() scriptStemmers {
	return scriptStemmers{
		en.NewEnglishStemmerFilter(), ru.NewRussianStemmerFilter(),
		[]analysis.TokenFilter{hi.NewHindiNormalizeFilter(), hi.NewHindiStemmerFilter()},
	}
})

func stemWith(f analysis.TokenFilter, s string) string {
	return string(f.Filter(analysis.TokenStream{{Term: []byte(s)}})[0].Term)
}

// stemByScript stems a plain word by the script that it is written in.
func stemByScript(s string) string {
	if len(s) < 3 {
		return s
	}
	r, _ := utf8.DecodeRuneInString(s)
	stemmed := s
	switch {
	case r >= 'a' && r <= 'z':
		if strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
			stemmed = stemWith(loadScriptStemmers().english, s)
		}
	case r >= 0x0370 && r < 0x0400:
		stemmed = stemGreek(s)
	case r >= 0x0400 && r < 0x0530:
		stemmed = stemWith(loadScriptStemmers().russian, s)
	case r >= 0x0900 && r < 0x0980:
		for _, f := range loadScriptStemmers().hindi {
			stemmed = stemWith(f, stemmed)
		}
	}
	if stemmed == "" {
		return s
	}
	return stemmed
}

// body notes a lowered spelling for stems of its language, if its script has any.
func (w *word) body(low string, start, end int) {
	if loadTables().stemmed&loadTables().written[w.script] != 0 {
		w.bodies = append(w.bodies, part{low, start, end, alias})
	}
}

// folded is a stem in the letters of its script's main terms.
func (w *word) folded(s string) string {
	if w.script == inArabicScript {
		return foldArabic(s)
	}
	return plain(s)
}

// stems gives a word's stems in each of the languages.
func (w *word) stems(in languages) []part {
	if len(w.bodies) == 0 {
		return nil
	}
	if w.stemmedIn == in {
		return w.stemmed
	}
	t := loadTables()
	var out []part
	for _, b := range w.bodies {
		for rest := in & t.written[w.script]; rest != 0; rest &= rest - 1 {
			s := b.text
			if f := t.tongues[bits.TrailingZeros64(uint64(rest))].stemmer; f != (asWritten{}) {
				if s = w.folded(stemWith(f, s)); s == "" {
					s = w.folded(b.text)
				}
			}
			p := part{"~" + cut(s), b.start, b.end, alias}
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	w.stemmedIn, w.stemmed = in, out
	return out
}

// guess finds the language of the scanned text in each script by its hints, several where they say the same of each. It is
// none for languages whose stems are the main terms, and where nothing tells.
func (a *analyser) guess() (out languages) {
	t := loadTables()
	counts := a.countHints()
	for _, written := range t.written {
		if stemmed := t.stemmed & written; stemmed != 0 {
			best := most(counts, stemmed)
			switch {
			case best == 0 && stemmed == t.hebrew && a.has(inHebrew):
				out |= stemmed // Yiddish would have said so
			case best > most(counts, t.inMain&written):
				out |= atLeast(counts, best) & stemmed
			}
		}
	}
	return out
}

func (a *analyser) has(s script) bool {
	return slices.ContainsFunc(a.tokens, func(t token) bool { return t.word != nil && t.word.script == s })
}

// guesses is guess for a query, which is short: every language that it may be in.
func (a *analyser) guesses() (out languages) {
	t := loadTables()
	counts := a.countHints()
	for _, written := range t.written {
		stemmed := t.stemmed & written
		best := most(counts, stemmed|t.inMain&written)
		main := most(counts, t.inMain&written)
		switch {
		case best == 0:
			out |= stemmed &^ t.polish // Polish is not to be loaded for nothing
		case main < best || main == 1:
			out |= atLeast(counts, max(best-1, 1)) & stemmed
		}
	}
	return out
}

// most is the highest count of those languages.
func most(counts hintCounts, of languages) (n int) {
	for ; of != 0; of &= of - 1 {
		n = max(n, counts[bits.TrailingZeros64(uint64(of))])
	}
	return n
}

// atLeast gives the languages that have stems and so many hints.
func atLeast(counts hintCounts, least int) (out languages) {
	for i, n := range counts {
		if n >= least {
			out |= 1 << i
		}
	}
	return out & loadTables().stemmed
}
