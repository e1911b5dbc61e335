package language

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// script is what a word is written in.
type script uint8

const (
	noScript script = iota
	inLatin
	inArabicScript
	inCyrillic
	inDevanagari
	inHebrew
	inOther // tells its language by itself, see tagOfRune
	scripts
)

// Detect names the language that most of a passage is in, as a BCP 47 tag: by its script, and where several languages
// share one, by their function words and letters. It is empty where nothing tells.
func Detect(text string) string {
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	a.scan(text)
	return a.tongue(text)
}

// tongue is the tag of the language of the scanned text.
func (a *analyser) tongue(text string) string {
	var words [scripts]int
	others := map[string]int{}
	for i := range a.tokens {
		t := &a.tokens[i]
		switch {
		case t.word == nil:
			words[inOther] += countRunes(text[t.start:t.end], others)
		case t.word.script == inOther:
			words[inOther]++
			others[t.word.tag]++
		default:
			words[t.word.script]++
		}
	}
	main := inLatin
	for s := inLatin; s < scripts; s++ {
		if words[s] > words[main] {
			main = s
		}
	}
	if main == inOther {
		return mostOf(others)
	}
	return a.tongueIn(main)
}

// tongueIn is the tag of the language of a script that has most hints.
func (a *analyser) tongueIn(s script) string {
	t := loadTables()
	counts := a.countHints()
	best, tag := 0, ""
	for rest := t.written[s]; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros64(uint64(rest)); counts[i] > best {
			best, tag = counts[i], t.tongues[i].tag
		}
	}
	return tag
}

// countRunes counts the characters of a run of a script without spaces, two for a word, by what they tell. A character that
// only Japanese has tells more than the Chinese ones around it.
func countRunes(run string, others map[string]int) int {
	n := 0
	for _, r := range run {
		if tag := tagOfRune(r); tag != "" {
			others[tag]++
			n++
		}
	}
	return (n + 1) / 2
}

func mostOf(others map[string]int) string {
	if others["ja"] > 0 && others["ja"]*8 >= others["zh"] {
		others["ja"] += others["zh"]
	}
	best, tag := 0, ""
	for t, n := range others {
		if n > best || n == best && t < tag {
			best, tag = n, t
		}
	}
	return tag
}

// ownScripts are written in by one language above all.
var ownScripts = []struct {
	table *unicode.RangeTable
	tag   string
}{
	{unicode.Han, "zh"}, {unicode.Bopomofo, "zh"}, {unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"},
	{unicode.Greek, "el"}, {unicode.Armenian, "hy"}, {unicode.Georgian, "ka"}, {unicode.Thai, "th"}, {unicode.Lao, "lo"},
	{unicode.Khmer, "km"}, {unicode.Myanmar, "my"}, {unicode.Bengali, "bn"}, {unicode.Tamil, "ta"}, {unicode.Telugu, "te"},
	{unicode.Gujarati, "gu"}, {unicode.Kannada, "kn"}, {unicode.Malayalam, "ml"}, {unicode.Gurmukhi, "pa"},
	{unicode.Sinhala, "si"}, {unicode.Oriya, "or"}, {unicode.Ethiopic, "am"}, {unicode.Tibetan, "bo"}, {unicode.Thaana, "dv"},
	{unicode.Syriac, "syr"},
}

// tagOfRune is the language that a letter of such a script tells, empty for others.
func tagOfRune(r rune) string {
	for _, s := range ownScripts {
		if unicode.Is(s.table, r) {
			return s.tag
		}
	}
	return ""
}

// setScript notes what a word is written in, by its first letter.
func (w *word) setScript(raw string) {
	if w.script = scriptOf(raw); w.script == inOther {
		w.tag = tagOfRune(firstLetter(raw))
	}
}

func firstLetter(raw string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) }))
	return r
}

func scriptOf(raw string) script {
	switch r := firstLetter(raw); {
	case !unicode.IsLetter(r):
		return noScript
	case unicode.Is(unicode.Latin, r):
		return inLatin
	case unicode.Is(unicode.Arabic, r):
		return inArabicScript
	case unicode.Is(unicode.Cyrillic, r):
		return inCyrillic
	case unicode.Is(unicode.Devanagari, r):
		return inDevanagari
	case unicode.Is(unicode.Hebrew, r):
		return inHebrew
	}
	return inOther
}

// hintCounts says how many words of a text point to each language.
type hintCounts [64]int

func (a *analyser) countHints() (counts hintCounts) {
	for i := range a.tokens {
		if w := a.tokens[i].word; w != nil {
			for s := w.hints; s != 0; s &= s - 1 {
				counts[bits.TrailingZeros64(uint64(s))]++
			}
		}
	}
	return counts
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

// setArabicHints does the same for a word of the Arabic script as it is written, for its letters tell languages apart
// that folding joins.
func (w *word) setArabicHints(raw string) {
	t := loadTables()
	key := hintKey(raw, inArabicScript)
	w.hints |= t.stops[key]
	for _, r := range norm.NFC.String(raw) {
		w.hints |= t.letters[r]
	}
	if strings.HasPrefix(key, "ال") && len(key) > 2*threeLetters {
		w.hints |= t.arabic
	}
}

// hintKey is the spelling by which function words are looked up. In the Arabic script it leaves apart what Kurdish and
// Urdu write differently, and joins what only keyboards do.
func hintKey(s string, in script) string {
	if in != inArabicScript {
		return lower(s)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == tatweel || isDiacritic(r) || isIgnorable(r):
			return -1
		case r == 'ي' || r == 'ى':
			return 'ی'
		case r == 'ك':
			return 'ک'
		case r == 'آ' || r == 'أ' || r == 'إ':
			return 'ا'
		}
		return r
	}, norm.NFC.String(s))
}
