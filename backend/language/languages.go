package language

import (
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/ar"
	"github.com/blevesearch/bleve/v2/analysis/lang/bg"
	"github.com/blevesearch/bleve/v2/analysis/lang/ca"
	"github.com/blevesearch/bleve/v2/analysis/lang/ckb"
	"github.com/blevesearch/bleve/v2/analysis/lang/cs"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/eu"
	"github.com/blevesearch/bleve/v2/analysis/lang/fa"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/ga"
	"github.com/blevesearch/bleve/v2/analysis/lang/gl"
	"github.com/blevesearch/bleve/v2/analysis/lang/hi"
	"github.com/blevesearch/bleve/v2/analysis/lang/hr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/id"
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

// languages is a set of tongues, by their places in the table.
type languages uint64

// tongue is what is known of a language that shares its script with others: what tells it from them, and its stemmer.
type tongue struct {
	tag     string // BCP 47
	script  script
	stops   []byte               // function words
	letters string               // that it shares with few others
	stemmer analysis.TokenFilter // makes the stems that a text in the language gets on top of its terms; nil: none
}

// asWritten is the stemmer of languages whose words are kept as they are, diacritics included.
type asWritten struct{}

// Filter implements analysis.TokenFilter.
func (asWritten) Filter(in analysis.TokenStream) analysis.TokenStream { return in }

// onDemand is a stemmer that is loaded when the first word needs it.
type onDemand func() analysis.TokenFilter

// Filter implements analysis.TokenFilter.
func (f onDemand) Filter(in analysis.TokenStream) analysis.TokenStream { return f().Filter(in) }

// tongues is the table. English is the first. Where a text says the same of two, it is the first of them.
func tongues() []tongue {
	return []tongue{
		{"en", inLatin, en.EnglishStopWords, "", nil},
		{"de", inLatin, de.GermanStopWords, "ß", de.NewGermanStemmerFilter()},
		{"fr", inLatin, fr.FrenchStopWords, "àâçèêëîïôœùû", fr.NewFrenchStemmerFilter()},
		{"es", inLatin, es.SpanishStopWords, "ñ", es.NewSpanishStemmerFilter()},
		{"it", inLatin, it.ItalianStopWords, "àèìòù", it.NewItalianStemmerFilter()},
		{"pt", inLatin, pt.PortugueseStopWords, "àâãçêõô", pt.NewPortugueseLightStemmerFilter()},
		{"nl", inLatin, nl.DutchStopWords, "", nl.NewDutchStemmerFilter()},
		{"sv", inLatin, sv.SwedishStopWords, "å", sv.NewSwedishStemmerFilter()},
		{"nb", inLatin, no.NorwegianStopWords, "åø", no.NewNorwegianStemmerFilter()},
		{"da", inLatin, append([]byte(danishStops), da.DanishStopWords...), "åø", da.NewDanishStemmerFilter()},
		{"fi", inLatin, append([]byte(finnishStops), fi.FinnishStopWords...), "", fi.NewFinnishStemmerFilter()},
		{"hu", inLatin, hu.HungarianStopWords, "őű", hu.NewHungarianStemmerFilter()},
		{"ro", inLatin, ro.RomanianStopWords, "ăâîșțşţ", ro.NewRomanianStemmerFilter()},
		{"tr", inLatin, tr.TurkishStopWords, "âçığşîû", tr.NewTurkishStemmerFilter()},
		{"hr", inLatin, append([]byte(croatianStops), hr.CroatianStopWords...), "čćđšž", hr.NewCroatianStemmerFilter()},
		{"ca", inLatin, ca.CatalanStopWords, "àçèò", asWritten{}},
		{"cs", inLatin, cs.CzechStopWords, "čďěňřšťůž", asWritten{}},
		{"pl", inLatin, pl.PolishStopWords, "ąęłńśźżć", onDemand(sync.OnceValue(polishStemmer))},
		{"vi", inLatin, []byte(vietnameseStops), "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉĩịọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹ", asWritten{}},
		{"id", inLatin, id.IndonesianStopWords, "", nil},
		{"sk", inLatin, []byte(slovakStops), "ľĺŕôčďňšťž", nil},
		{"sl", inLatin, []byte(slovenianStops), "čšž", nil},
		{"et", inLatin, []byte(estonianStops), "õ", nil},
		{"lv", inLatin, []byte(latvianStops), "āčēģīķļņšūž", nil},
		{"lt", inLatin, []byte(lithuanianStops), "ąčęėįšųūž", nil},
		{"sq", inLatin, []byte(albanianStops), "ë", nil},
		{"az", inLatin, []byte(azerbaijaniStops), "əğışç", nil},
		{"kmr", inLatin, []byte(kurmanjiStops), "êîûş", kurmanjiStemmer()},
		{"uz", inLatin, []byte(uzbekStops), "", nil},
		{"eu", inLatin, append([]byte(basqueStops), eu.BasqueStopWords...), "", nil},
		{"gl", inLatin, gl.GalicianStopWords, "ñ", nil},
		{"ga", inLatin, ga.IrishStopWords, "", nil},
		{"is", inLatin, []byte(icelandicStops), "ðþæö", nil},
		{"af", inLatin, []byte(afrikaansStops), "", nil},
		{"tl", inLatin, []byte(tagalogStops), "", nil},
		{"sw", inLatin, []byte(swahiliStops), "", nil},
		{"so", inLatin, []byte(somaliStops), "", nil},

		{"fa", inArabicScript, append([]byte(persianStops), fa.PersianStopWords...), "پچژگ", nil},
		{"ar", inArabicScript, append([]byte(arabicStops), ar.ArabicStopWords...), "ةأإىؤ", nil},
		{"ur", inArabicScript, []byte(urduStops), "ٹڈڑںےہھپچگ", urduStemmer()},
		{"ckb", inArabicScript, append([]byte(soraniStops), ckb.SoraniStopWords...), "ێۆڕڵڤەپچژگ", ckb.NewSoraniStemmerFilter()},
		{"ps", inArabicScript, []byte(pashtoStops), "ښځڅړږګڼېۍډټ", nil},
		{"sd", inArabicScript, []byte(sindhiStops), "ٿڀٺڻڄٽڪڳڏڌڍ", nil},
		{"ug", inArabicScript, []byte(uyghurStops), "ۇۈۋڭېەھى", nil},

		{"ru", inCyrillic, ru.RussianStopWords, "", nil},
		{"uk", inCyrillic, []byte(ukrainianStops), "іїєґ", nil},
		{"bg", inCyrillic, bg.BulgarianStopWords, "ъ", nil},
		{"be", inCyrillic, []byte(belarusianStops), "ўі", nil},
		{"mk", inCyrillic, []byte(macedonianStops), "ѓќѕјљњџ", nil},
		{"sr", inCyrillic, []byte(serbianStops), "ђћјљњџ", nil},
		{"kk", inCyrillic, []byte(kazakhStops), "әғқңөұүһі", nil},
		{"ky", inCyrillic, []byte(kyrgyzStops), "ңөү", nil},
		{"tg", inCyrillic, []byte(tajikStops), "ғӣқӯҳҷ", nil},
		{"mn", inCyrillic, []byte(mongolianStops), "өү", nil},

		{"hi", inDevanagari, append([]byte(hindiStops), hi.HindiStopWords...), "", nil},
		{"mr", inDevanagari, []byte(marathiStops), "ळ", nil},
		{"ne", inDevanagari, []byte(nepaliStops), "", nil},

		{"he", inHebrew, []byte(hebrewStops), "", hebrewStemmer()},
		{"yi", inHebrew, []byte(yiddishStops), "\u05f0\u05f1\u05f2", nil},
	}
}

func polishStemmer() analysis.TokenFilter {
	f, err := pl.NewPolishStemmerFilter()
	if err != nil { // its table is built in: cannot fail
		panic(err)
	}
	return f
}

// tables are made once from the table of languages.
type tables struct {
	tongues []tongue
	stemmed languages // those that add stems
	inMain  languages // those whose stems are the main terms
	polish  languages // its stemmer is large
	hebrew  languages
	arabic  languages
	written [scripts]languages
	stops   map[string]languages
	letters map[rune]languages
}

var loadTables = sync.OnceValue(func() *tables {
	t := &tables{tongues: tongues(), stops: make(map[string]languages), letters: make(map[rune]languages)}
	for i, known := range t.tongues {
		l := languages(1) << i
		t.written[known.script] |= l
		if known.stemmer != nil {
			t.stemmed |= l
		}
		switch known.tag {
		case "pl":
			t.polish = l
		case "he":
			t.hebrew = l
		case "ar":
			t.arabic = l
			t.inMain |= l
		case "en", "fa":
			t.inMain |= l
		}
		words := analysis.NewTokenMap()
		_ = words.LoadBytes(known.stops) // reads from memory: cannot fail
		for w := range words {
			t.stops[hintKey(w, known.script)] |= l
		}
		for _, r := range known.letters {
			t.letters[r] |= l
		}
	}
	return t
})
