package language

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
)

// Stemmers of languages for which the analysis library has none: they strip the endings of nouns, so that the plural and
// the cases meet.

// endings is a stemmer: it strips the first of its suffixes that a word has and three letters remain before.
type endings []string // the longest first

// Filter implements analysis.TokenFilter.
func (e endings) Filter(in analysis.TokenStream) analysis.TokenStream {
	for _, t := range in {
		t.Term = []byte(e.stem(string(t.Term)))
	}
	return in
}

const leastStem = 3 // letters

func (e endings) stem(s string) string {
	for _, p := range e {
		if rest, ok := strings.CutSuffix(s, p); ok && utf8.RuneCountInString(rest) >= leastStem {
			return rest
		}
	}
	return s
}

// kurmanjiStemmer knows the definite, the indefinite and the ezafe of both numbers.
func kurmanjiStemmer() analysis.TokenFilter {
	return endings(strings.Fields("ekên ekî ekê eke yên yan ên an ek in yê ya î ê a e"))
}

// urduStemmer knows the plurals and the oblique of both genders.
func urduStemmer() analysis.TokenFilter {
	return endings(strings.Fields("یوں یاں ئیں ؤں وں یں ات ے ا ی ہ"))
}

// hebrew is a stemmer that knows the plurals, and the particles that are written on a word.
type hebrew struct{ plurals endings }

func hebrewStemmer() analysis.TokenFilter {
	return hebrew{strings.Fields("יות ים ות ית ה ת")}
}

// Filter implements analysis.TokenFilter.
func (h hebrew) Filter(in analysis.TokenStream) analysis.TokenStream {
	for _, t := range in {
		s := finalForms.Replace(h.plurals.stem(string(t.Term)))
		for utf8.RuneCountInString(s) > leastStem && strings.ContainsRune("הובלכמש", firstRune(s)) {
			_, n := utf8.DecodeRuneInString(s)
			s = s[n:]
		}
		t.Term = []byte(s)
	}
	return in
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// finalForms are five letters that have another shape at the end of a word.
var finalForms = strings.NewReplacer("ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ")
