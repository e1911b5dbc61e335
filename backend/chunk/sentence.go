package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// nextSentence gives how many bytes the first sentence of a text takes, by Unicode's rules. Of what comes before the
// first mark that may end one only the last letter has a say (U.S.), and looking every character up is dear. The accents
// of a letter and what is not seen may stand behind it; neither is ASCII.
func nextSentence(text string) int {
	mark := strings.IndexFunc(text, mayEnd)
	if mark < 0 {
		return len(text)
	}
	last := max(mark-1, 0)
	for last > 0 && text[last] >= utf8.RuneSelf {
		last--
	}
	sentence, _, _ := uniseg.FirstSentenceInString(text[last:], -1)
	return last + len(sentence)
}

// mayEnd says whether a sentence may end with a rune or after it: Unicode's STerm, ATerm and ParaSep.
func mayEnd(r rune) bool {
	switch {
	case r < 0x80:
		return r == '.' || r == '?' || r == '!' || r == '\n' || r == '\r'
	case r < 0x800:
		switch r {
		case '\u0085', '\u0589', '\u061D', '\u061E', '\u061F', '\u06D4', '\u0700', '\u0701', '\u0702', '\u07F9':
			return true
		}
		return false
	}
	switch r {
	case '\u2024', '\u2028', '\u2029', '\uFE52', '\uFF0E':
		return true
	}
	return unicode.Is(unicode.Sentence_Terminal, r)
}
