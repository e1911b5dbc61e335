package extract

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// guessSample is how many bytes an encoding is guessed from, of lines that have any beyond ASCII.
const guessSample = 8 << 10

// alphabets are the letters of languages beyond those of ASCII, the commonest first. Of Chinese, Korean and Japanese it is
// the commonest characters, about half of any text.
var alphabets = map[string]string{
	"French":     "éèàêçîôùâûëïœ",
	"German":     "üäöß",
	"Spanish":    "óíáéñúü",
	"Portuguese": "ãçáéíóõêâúà",
	"Italian":    "èàòùìé",
	"Nordic":     "åäöøæéü",
	"Western":    "éäöüàèáíóßçåøñêæãôâîûùúõëïòìœ", // several of them
	"Dutch":      "ëéïèöü",
	"Icelandic":  "íáðéöúæþóý",
	"Turkish":    "ıüşçöğiâî",
	"Polish":     "ąłęóśżćńź",
	"Czech":      "íáéěýžčřšůúňóďťľôäĺŕ",
	"Hungarian":  "áéőóöíüúű",
	"Romanian":   "ăîâşţșț",
	"Croatian":   "čšžćđ",
	"Baltic":     "āēīšžčėųąūįęķļņģöäüõ",
	"Russian":    "оеаинтсрвлкмдпуяызьбгчйхжшюцщэфъё",
	"Ukrainian":  "оанивітрескдулмпязьгбчйхцєжїшюфщґ",
	"Serbian":    "аиоенрстујвкдмплзбгчњшћжцљђхџф",
	"Greek":      "ατοινεσρκηυμλπςίόάδγέωήθύχώφβξζψϊϋ",
	"Hebrew":     "יוהלאתרמבשנםדחקפכטעגזצסןץךף",
	"Persian":    "ایيرنودهمتسبلشکكگزخجفقعحپصطچضآذغظثئژءأ\u200c",
	"Arabic":     "اليمنوترةبعدفهسكقحجشصىخطأءذضثزغئظإآؤ",
	"Thai":       "านรอกเงมยลวดท่ส้ตะปคิบ์ัหขใแจพไชถ็ูีำุโผธซศณภญึษฟฉฝื",
	"Japanese": "のにをはたがでてとしれさあるいなもりかすられこっまくんうきおえけだよみせどつめじばわちごろげそやずびぎへほべぐねぶゆふぞざむぜ" +
		"ンスルトイアラリクドシレジタフロカテマコグサメニパキムウプデオバチィミモハソユエビャセケベョヒノダナツブポワヤゲヘギボ",
	"Chinese": "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去" +
		"法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外" +
		"将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及" +
		"關於這個們來國會時說對為過發後書報項頁寫區舊共有幾我們希望讀者夠找到所需要容",
	"Korean": "이다는에의을가하고지를은로한기도사어나리시인자서해그대아라정보일과있부장수들주원관상니전구여면제적으게것스공동성조선국만무산위안을유년연성문화" +
		"생경중당방신실물회역용학소발력모말교치내행데마진었했습거저된때오세비우",
}

// page is an encoding that text may be in, of the languages that are written in it. The better one page has to be than
// another to be believed before it, the greater its doubt.
type page struct {
	encoding.Encoding
	languages string
	doubt     float64
	oem       bool // of DOS, and so of names in archives
}

const (
	western   = "French German Spanish Portuguese Italian Nordic Dutch"
	central   = "Polish Czech Hungarian Romanian Croatian German"
	slavonic  = "Russian Ukrainian Serbian"
	oemDoubt  = 0.3
	rareDoubt = 0.1
)

// pages are tried in this order: of those that are as likely the first is taken.
var pages = []page{
	{charmap.Windows1252, western + " Icelandic Western", 0, false},
	{charmap.Windows1256, "Persian Arabic", 0, false},
	{charmap.Windows1251, slavonic, 0, false},
	{charmap.Windows1250, central, 0.02, false},
	{charmap.Windows1253, "Greek", 0, false},
	{charmap.Windows1254, "Turkish", 0.05, false},
	{charmap.Windows1255, "Hebrew", 0, false},
	{charmap.Windows1257, "Baltic", rareDoubt, false},
	{charmap.Windows874, "Thai", 0, false},
	{charmap.KOI8R, "Russian", 0, false},
	{charmap.KOI8U, "Ukrainian", 0.02, false},
	{charmap.ISO8859_2, central, rareDoubt, false},
	{charmap.ISO8859_5, slavonic, rareDoubt, false},
	{charmap.ISO8859_6, "Arabic", rareDoubt, false},
	{charmap.ISO8859_7, "Greek", rareDoubt, false},
	{charmap.ISO8859_15, western, rareDoubt, false},
	{charmap.CodePage437, western, oemDoubt, true},
	{charmap.CodePage850, western, oemDoubt, true},
	{charmap.CodePage852, central, oemDoubt, true},
	{charmap.CodePage862, "Hebrew", oemDoubt, true},
	{charmap.CodePage866, "Russian Ukrainian", oemDoubt, true},
	{codePage720{}, "Arabic Persian", oemDoubt, true},
	{charmap.Macintosh, western, oemDoubt, false},
	{charmap.MacintoshCyrillic, slavonic, rareDoubt, false},
	{japanese.ShiftJIS, "Japanese", 0, true},
	{japanese.EUCJP, "Japanese", 0, false},
	{simplifiedchinese.GB18030, "Chinese", 0, true},
	{traditionalchinese.Big5, "Chinese", 0, true},
	{korean.EUCKR, "Korean", 0, true},
	{encoding.Nop, western + " " + slavonic + " Persian Arabic Turkish Polish Czech", 0, false}, // UTF-8, badly damaged
}

// weights gives each letter of a language what it is worth as a sign of it, from 1.5 for the commonest to less than nothing for
// the rarest of many.
var weights = sync.OnceValue(func() map[string]map[rune]float64 {
	all := map[string]map[rune]float64{}
	for name, letters := range alphabets {
		list := []rune(letters)
		of := make(map[rune]float64, len(list))
		for i, r := range list {
			if _, twice := of[r]; !twice {
				of[r] = 1.5 - min(2, 0.8+float64(len(list))/20)*float64(i)/float64(len(list))
				if unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) {
					of[r] = 1.8 // as common as one letter out of many can be
				}
			}
		}
		all[name] = of
	}
	return all
})

// guess gives the encoding that data looks most like text in: that of whose languages its letters beyond ASCII are the
// commonest, and stand in words as they do there. names says that it is the names of files in an archive.
func guess(data []byte, names bool) encoding.Encoding {
	sample := beyondASCII(data)
	var best encoding.Encoding = charmap.Windows1252
	most := -100.0
	for _, p := range pages {
		text := []rune(strings.ToValidUTF8(convert(sample, p.Encoding), string(utf8.RuneError)))
		for _, language := range strings.Fields(p.languages) {
			likely := likeness(text, weights()[language])
			if !names || !p.oem {
				likely -= p.doubt
			}
			if names && !p.oem {
				likely -= oemDoubt
			}
			if likely > most {
				best, most = p.Encoding, likely
			}
		}
	}
	return best
}

// beyondASCII gives the first lines of data that have bytes beyond ASCII.
func beyondASCII(data []byte) []byte {
	var sample []byte
	for line := range bytes.Lines(data) {
		if bytes.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			sample = append(sample, line[:min(len(line), guessSample)]...)
		}
		if len(sample) >= guessSample {
			break
		}
	}
	return sample
}

// likeness is what the characters beyond ASCII are worth on average.
func likeness(text []rune, letters map[rune]float64) float64 {
	sum, n, run := 0.0, 0, 0
	for i, r := range text {
		if r < utf8.RuneSelf {
			run = 0
			continue
		}
		n++
		var before, after rune
		if i > 0 {
			before = text[i-1]
		}
		if i+1 < len(text) {
			after = text[i+1]
		}
		if isLetter(r) {
			run++
		} else {
			run = 0
		}
		sum += worth(r, before, after, letters)
		if run > 1 && unicode.Is(unicode.Latin, r) { // Western words are mostly of ASCII letters
			sum -= min(1, 0.5*float64(run-1))
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// worth is what one character beyond ASCII says for a language, given those beside it.
func worth(r, before, after rune, letters map[rune]float64) float64 {
	if r == utf8.RuneError || unicode.Is(unicode.Co, r) {
		return -3
	}
	if !isLetter(r) {
		switch {
		case strings.ContainsRune("‘“”„‚…«»‹›", r) && inWord(before) && inWord(after):
			return -1.5
		case strings.ContainsRune("‘’“”„‚–—…«»‹›", r):
			return 0.85
		case r == '\u00a0' || strings.ContainsRune("°€£§©®™·•²³½№،؛؟、。，・「」：；！？（）《》", r):
			return 0.6
		}
		return -1.5
	}
	w, known := letters[unicode.ToLower(r)]
	switch {
	case unicode.In(r, unicode.Han, unicode.Hangul):
		if !known {
			return -0.2 // one of thousands
		}
		return w
	case !known:
		return -2
	case unicode.IsDigit(before), unicode.IsDigit(after):
		return min(w, 0)
	case !isLetter(before) && !isLetter(after):
		return min(w, 0.8)
	case unicode.IsUpper(r) && unicode.IsLower(before):
		return -2.5
	case !unicode.Is(unicode.Latin, r) && (isASCIILetter(before) || isASCIILetter(after)):
		return -1.5
	case unicode.IsUpper(r) && w > 0:
		return 0.85 * w
	}
	return w
}

func inWord(r rune) bool { return isLetter(r) || unicode.IsDigit(r) }

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || r == '\u200c' }

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

// codePage720 is what Windows uses for names in archives where it speaks Arabic or Persian, which the encodings of Go
// lack. It only decodes.
type codePage720 struct{}

const upper720 = "\u0080\u0081éâ\u0084à\u0086çêëèïî\u008d\u008e\u008f\u0090\u0651\u0652ô¤ـûùءآأؤ£إئابةتثجحخدذرزسشص«»" +
	"░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ضطظعغفµقكلمنهوىي≡\u064b\u064c\u064d\u064e\u064f\u0650≈°∙·√ⁿ²■\u00a0"

func (codePage720) NewDecoder() *encoding.Decoder {
	upper := []rune(upper720)
	return &encoding.Decoder{Transformer: transform.Chain(charmap.ISO8859_1.NewDecoder(), runes.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		return upper[r-0x80]
	}))}
}

func (codePage720) NewEncoder() *encoding.Encoder { return encoding.Nop.NewEncoder() }
