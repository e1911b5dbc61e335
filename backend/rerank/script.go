package rerank

import "unicode"

// script is a writing system, told apart as far as different languages of one search need it.
type script int

const (
	scriptNone script = iota // digits, marks, emoji
	scriptLatin
	scriptArabic
	scriptCyrillic
	scriptGreek
	scriptHebrew
	scriptDevanagari
	scriptThai
	scriptHan // with kana: Japanese writes both
	scriptHangul
	scriptOther
	scripts // how many
)

func scriptOf(r rune) script {
	switch {
	case !unicode.IsLetter(r):
		return scriptNone
	case r < 0x80 || unicode.Is(unicode.Latin, r):
		return scriptLatin
	case unicode.Is(unicode.Arabic, r):
		return scriptArabic
	case unicode.Is(unicode.Cyrillic, r):
		return scriptCyrillic
	case unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r):
		return scriptHan
	case unicode.Is(unicode.Hangul, r):
		return scriptHangul
	case unicode.Is(unicode.Devanagari, r):
		return scriptDevanagari
	case unicode.Is(unicode.Thai, r):
		return scriptThai
	case unicode.Is(unicode.Greek, r):
		return scriptGreek
	case unicode.Is(unicode.Hebrew, r):
		return scriptHebrew
	}
	return scriptOther
}

// letters counts the letters of each script in the beginning of a text, which is enough to tell.
func letters(text string) (counts [scripts]int) {
	const enough = 1000
	n := 0
	for _, r := range text {
		s := scriptOf(r)
		if s == scriptNone {
			continue
		}
		counts[s]++
		if n++; n == enough {
			break
		}
	}
	return counts
}

// mainScript is the script of most letters; scriptNone where there are none.
func mainScript(text string) script {
	counts, most := letters(text), scriptNone
	for s, n := range counts {
		if n > counts[most] {
			most = script(s)
		}
	}
	return most
}

// foreign says how far a text is in another script than s: 1 where it has none of s, 0 where at
// least a fifth of its letters are of s (names and quotations in another script are no other
// language), and in between in between. Where either side has no letters it is 0.
func foreign(text string, s script) float64 {
	if s == scriptNone {
		return 0
	}
	counts, all := letters(text), 0
	for _, n := range counts {
		all += n
	}
	if all == 0 {
		return 0
	}
	const native = 0.2
	return max(0, 1-float64(counts[s])/float64(all)/native)
}
