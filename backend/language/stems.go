package language

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/ca"
	"github.com/blevesearch/bleve/v2/analysis/lang/cs"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hi"
	"github.com/blevesearch/bleve/v2/analysis/lang/hr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ro"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/lang/tr"
)

// Two kinds of stem. The main term of a word is stemmed by its script: English for Latin letters, Russian for Cyrillic,
// Hindi for Devanagari. A text in another language of the Latin script gets its own stems on top, marked with a tilde
// so that they meet only one another: they help German and Spanish and cannot disturb English.

// languages is a set of the languages of the Latin script that have stems of their own; bit 0 is English.
type languages uint32

const english languages = 1

// latin describes one of them.
type latin struct {
	stops  []byte
	filter analysis.TokenFilter // nil: words are kept as they are, diacritics included
}

// tables are made once: the stemmers and the function words of each language.
type tables struct {
	english, russian analysis.TokenFilter
	hindi            []analysis.TokenFilter
	latins           []latin // by bit
	stops            map[string]languages
	all              languages
}

var loadTables = sync.OnceValue(func() *tables {
	latins := []latin{
		{en.EnglishStopWords, en.NewEnglishStemmerFilter()},
		{de.GermanStopWords, de.NewGermanStemmerFilter()},
		{fr.FrenchStopWords, fr.NewFrenchStemmerFilter()},
		{es.SpanishStopWords, es.NewSpanishStemmerFilter()},
		{it.ItalianStopWords, it.NewItalianStemmerFilter()},
		{pt.PortugueseStopWords, pt.NewPortugueseLightStemmerFilter()},
		{nl.DutchStopWords, nl.NewDutchStemmerFilter()},
		{sv.SwedishStopWords, sv.NewSwedishStemmerFilter()},
		{no.NorwegianStopWords, no.NewNorwegianStemmerFilter()},
		{da.DanishStopWords, da.NewDanishStemmerFilter()},
		{fi.FinnishStopWords, fi.NewFinnishStemmerFilter()},
		{hu.HungarianStopWords, hu.NewHungarianStemmerFilter()},
		{ro.RomanianStopWords, ro.NewRomanianStemmerFilter()},
		{tr.TurkishStopWords, tr.NewTurkishStemmerFilter()},
		{hr.CroatianStopWords, hr.NewCroatianStemmerFilter()},
		{ca.CatalanStopWords, nil},
		{cs.CzechStopWords, nil},
		{[]byte(vietnameseStops), nil},
	}
	t := &tables{
		english: latins[0].filter,
		russian: ru.NewRussianStemmerFilter(),
		hindi:   []analysis.TokenFilter{hi.NewHindiNormalizeFilter(), hi.NewHindiStemmerFilter()},
		latins:  latins,
		stops:   make(map[string]languages),
		all:     1<<len(latins) - 1,
	}
	for i, l := range latins {
		words := analysis.NewTokenMap()
		_ = words.LoadBytes(l.stops) // reads from memory: cannot fail
		for w := range words {
			t.stops[lower(w)] |= 1 << i
		}
	}
	return t
})

const vietnameseStops = `
là
của
và
có
được
trong
các
những
một
cho
không
với
người
này
đã
từ
khi
đến
về
như
ở
tại
vào
ra
bởi
nào
gì
ai
bao
nhiêu
đó
trên
theo
để
`

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
			stemmed = stemWith(loadTables().english, s)
		}
	case r >= 0x0370 && r < 0x0400:
		stemmed = stemGreek(s)
	case r >= 0x0400 && r < 0x0530:
		stemmed = stemWith(loadTables().russian, s)
	case r >= 0x0900 && r < 0x0980:
		for _, f := range loadTables().hindi {
			stemmed = stemWith(f, stemmed)
		}
	}
	if stemmed == "" {
		return s
	}
	return stemmed
}

// setStops notes in which languages a lowered word is a function word.
func (w *word) setStops(low string) { w.stops |= loadTables().stops[low] }

// body notes a lowered spelling for stems of its language, if it is Latin.
func (w *word) body(low string, start, end int) {
	if r, _ := utf8.DecodeRuneInString(low); unicode.Is(unicode.Latin, r) {
		w.bodies = append(w.bodies, part{low, start, end, alias})
	}
}

// stems gives a word's stems in each of the languages.
func (w *word) stems(in languages) []part {
	if len(w.bodies) == 0 {
		return nil
	}
	if ps, ok := w.stemmed[in]; ok {
		return ps
	}
	t := loadTables()
	var out []part
	for _, b := range w.bodies {
		for rest := in; rest != 0; rest &= rest - 1 {
			s := b.text
			if f := t.latins[bits.TrailingZeros32(uint32(rest))].filter; f != nil {
				if s = plain(stemWith(f, s)); s == "" {
					s = plain(b.text)
				}
			}
			p := part{"~" + cut(s), b.start, b.end, alias}
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	if w.stemmed == nil {
		w.stemmed = make(map[languages][]part)
	}
	w.stemmed[in] = out
	return out
}

// guess finds the language of the scanned text by its function words. It is 0 for English, for other scripts, and
// where nothing tells.
func (a *analyser) guess() languages {
	counts := a.countStops()
	best := slices.Max(counts[:])
	if best == 0 || counts[0] >= best {
		return 0
	}
	return 1 << slices.Index(counts[:], best)
}

// guesses is guess for a query, which is short: every language that it may be in.
func (a *analyser) guesses() languages {
	counts := a.countStops()
	best := slices.Max(counts[:])
	if best == 0 {
		return loadTables().all &^ english
	}
	if counts[0] >= best && counts[0] > 1 {
		return 0
	}
	var out languages
	for i, n := range counts {
		if n > 0 && n >= best-1 {
			out |= 1 << i
		}
	}
	return out &^ english
}

func (a *analyser) countStops() (counts [32]int) {
	for i := range a.tokens {
		if w := a.tokens[i].word; w != nil {
			for s := w.stops; s != 0; s &= s - 1 {
				counts[bits.TrailingZeros32(uint32(s))]++
			}
		}
	}
	return counts
}
