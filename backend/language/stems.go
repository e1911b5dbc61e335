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
	"github.com/blevesearch/bleve/v2/analysis/lang/pl"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ro"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/lang/tr"
)

// Two kinds of stem. The main term of a word is stemmed by its script: English for Latin letters, Russian for Cyrillic,
// Hindi for Devanagari. A text in another language of the Latin script gets its own stems on top, marked with a tilde
// so that they meet only one another: they help German and Spanish and cannot disturb English.

// languages is a set of the languages of the Latin script that are told apart.
type languages uint32

const (
	english languages = 1 << iota
	german
	french
	spanish
	italian
	portuguese
	dutch
	swedish
	norwegian
	danish
	finnish
	hungarian
	romanian
	turkish
	croatian
	catalan
	czech
	polish
	vietnamese
	everyLanguage languages = 1<<iota - 1
)

// latin is what is known of one of them.
type latin struct {
	stops   []byte
	letters string               // that it shares with few others
	filter  analysis.TokenFilter // its stemmer; nil: words are kept as they are, diacritics included
}

// tables are made once: the stemmers, and the function words and letters of each language.
type tables struct {
	english, russian analysis.TokenFilter
	hindi            []analysis.TokenFilter
	latins           map[languages]latin
	stops            map[string]languages
	letters          map[rune]languages
}

// onDemand is a stemmer that is loaded when the first word needs it.
type onDemand func() analysis.TokenFilter

// Filter implements analysis.TokenFilter.
func (f onDemand) Filter(in analysis.TokenStream) analysis.TokenStream { return f().Filter(in) }

var loadTables = sync.OnceValue(func() *tables {
	t := &tables{
		english: en.NewEnglishStemmerFilter(),
		russian: ru.NewRussianStemmerFilter(),
		hindi:   []analysis.TokenFilter{hi.NewHindiNormalizeFilter(), hi.NewHindiStemmerFilter()},
		latins: map[languages]latin{
			english:    {en.EnglishStopWords, "", nil},
			german:     {de.GermanStopWords, "", de.NewGermanStemmerFilter()},
			french:     {fr.FrenchStopWords, "àâçèêëîïôœùû", fr.NewFrenchStemmerFilter()},
			spanish:    {es.SpanishStopWords, "ñ", es.NewSpanishStemmerFilter()},
			italian:    {it.ItalianStopWords, "àèìòù", it.NewItalianStemmerFilter()},
			portuguese: {pt.PortugueseStopWords, "àâãçêõô", pt.NewPortugueseLightStemmerFilter()},
			dutch:      {nl.DutchStopWords, "", nl.NewDutchStemmerFilter()},
			swedish:    {sv.SwedishStopWords, "å", sv.NewSwedishStemmerFilter()},
			norwegian:  {no.NorwegianStopWords, "åø", no.NewNorwegianStemmerFilter()},
			danish:     {da.DanishStopWords, "åø", da.NewDanishStemmerFilter()},
			finnish:    {fi.FinnishStopWords, "", fi.NewFinnishStemmerFilter()},
			hungarian:  {hu.HungarianStopWords, "őű", hu.NewHungarianStemmerFilter()},
			romanian:   {ro.RomanianStopWords, "ăâîșțşţ", ro.NewRomanianStemmerFilter()},
			turkish:    {tr.TurkishStopWords, "âçığşîû", tr.NewTurkishStemmerFilter()},
			croatian:   {append([]byte(croatianStops), hr.CroatianStopWords...), "čćđšž", hr.NewCroatianStemmerFilter()},
			catalan:    {ca.CatalanStopWords, "àçèò", nil},
			czech:      {cs.CzechStopWords, "čďěňřšťůž", nil},
			polish: {pl.PolishStopWords, "ąęłńśźżć", onDemand(sync.OnceValue(func() analysis.TokenFilter {
				f, err := pl.NewPolishStemmerFilter()
				if err != nil { // its table is built in: cannot fail
					panic(err)
				}
				return f
			}))},
			vietnamese: {[]byte(vietnameseStops), "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉĩịọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹ", nil},
		},
		stops:   make(map[string]languages),
		letters: make(map[rune]languages),
	}
	for l, known := range t.latins {
		words := analysis.NewTokenMap()
		_ = words.LoadBytes(known.stops) // reads from memory: cannot fail
		for w := range words {
			t.stops[lower(w)] |= l
		}
		for _, r := range known.letters {
			t.letters[r] |= l
		}
	}
	return t
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

// setHints notes the languages that a lowered word points to: by being a function word there, or by its letters.
func (w *word) setHints(low string) {
	t := loadTables()
	w.hints |= t.stops[low]
	if isASCII(low) {
		return
	}
	for _, r := range low {
		w.hints |= t.letters[r]
	}
}

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
	if w.stemmedIn == in {
		return w.stemmed
	}
	t := loadTables()
	var out []part
	for _, b := range w.bodies {
		for rest := in; rest != 0; rest &= rest - 1 {
			s := b.text
			if f := t.latins[rest&-rest].filter; f != nil {
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
	w.stemmedIn, w.stemmed = in, out
	return out
}

// guess finds the language of the scanned text by its hints, several where they say the same of each. It is none for
// English, for other scripts, and where nothing tells.
func (a *analyser) guess() languages {
	counts := a.countHints()
	best := slices.Max(counts[:])
	if best == 0 || counts[0] >= best {
		return 0
	}
	return atLeast(counts, best)
}

func atLeast(counts [32]int, least int) (out languages) {
	for i, n := range counts {
		if n >= least {
			out |= 1 << i
		}
	}
	return out
}

// guesses is guess for a query, which is short: every language that it may be in.
func (a *analyser) guesses() languages {
	counts := a.countHints()
	best := slices.Max(counts[:])
	if best == 0 {
		return everyLanguage &^ (english | polish) // Polish is not to be loaded for nothing
	}
	if counts[0] >= best && counts[0] > 1 {
		return 0
	}
	return atLeast(counts, max(best-1, 1)) &^ english
}

func (a *analyser) countHints() (counts [32]int) {
	for i := range a.tokens {
		if w := a.tokens[i].word; w != nil {
			for s := w.hints; s != 0; s &= s - 1 {
				counts[bits.TrailingZeros32(uint32(s))]++
			}
		}
	}
	return counts
}
