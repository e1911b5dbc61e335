package language

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// class is what a rune is to the scanner.
type class uint8

const (
	separator  class = iota // spaces, punctuation, controls, private use
	letter                  // a letter or number of a script that puts spaces between words
	digit                   // a decimal digit of any script
	arabic                  // a letter of the Arabic script, or tatweel
	spaceless               // a letter of a script that does not separate words, or Hangul
	mark                    // a combining mark
	ignorable               // invisible: joiners, bidi controls, soft hyphen, byte-order mark
	symbol                  // emoji and other pictures, each a word of its own
	apostrophe              // joins letters into one word
	connector               // other punctuation that may stand inside a word, or begin one
)

const (
	zwnj    = '\u200C'
	tatweel = '\u0640'
)

// spacelessScripts are written without spaces between words, so their words cannot be told apart without a
// dictionary. Hangul has spaces, but glues particles to its nouns; overlapping pairs serve it as well.
var spacelessScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul, unicode.Yi,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tai_Le, unicode.New_Tai_Lue,
	unicode.Tai_Tham, unicode.Tai_Viet, unicode.Javanese, unicode.Balinese,
}

// planeClasses holds the class of every rune of the basic plane.
var planeClasses = sync.OnceValue(func() *[1 << 16]class {
	t := new([1 << 16]class)
	for r := range rune(len(t)) {
		t[r] = classify(r)
	}
	return t
})

func classify(r rune) class {
	switch {
	case isApostrophe(r):
		return apostrophe
	case isConnector(r), r == '+':
		return connector
	case r == unicode.ReplacementChar, r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
		return separator
	case r == tatweel:
		return arabic
	case isIgnorable(r):
		return ignorable
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.Nd, r):
		return digit
	case r == 0x30FC, r == 0xFF70, r == 0xFF9E, r == 0xFF9F, // sound marks of kana belong to no one script
		r >= 0x2E80 && r <= 0x2FD5 && unicode.Is(unicode.Han, r): // radicals, which some fonts give for ideographs
		return spaceless
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		switch {
		case r < 0x0600:
			return letter
		case unicode.Is(unicode.Arabic, r):
			return arabic
		case unicode.In(r, spacelessScripts...):
			return spaceless
		}
		return letter
	case unicode.Is(unicode.So, r):
		if r >= 0x2500 && r <= 0x259F { // lines and blocks of text tables
			return separator
		}
		return symbol
	case unicode.In(r, unicode.P, unicode.S, unicode.Z, unicode.C), r < 0x0600:
		return separator
	}
	return letter // not assigned in the tables of this Go release: a newer script must stay searchable
}

func isIgnorable(r rune) bool {
	switch {
	case r == 0x034F, r == 0x055B, r == 0x055C, r == 0x055E, // Armenian marks on a vowel
		r >= 0x180B && r <= 0x180F, r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF,
		r >= 0x1F3FB && r <= 0x1F3FF, // skin tones
		r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x17B4, r == 0x17B5:
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

func isApostrophe(r rune) bool {
	switch r {
	case '\'', '`', '\u00B4', '\u1FEF', '\u1FFD', '\u2018', '\u2019', '\u201B', '\u02BB', '\u02BC', '\uFF07', '\u05F3', '\u05F4':
		return true
	}
	return false
}

func isConnector(r rune) bool {
	switch r {
	case '-', '\u2010', '\u2011', '_', '.', ',', ':', '/', '&', '\u00B7', '\u060C', '\u066B', '\u066C', '\uFF0C', '\uFF0E':
		return true
	}
	return false
}

// classes looks runes up; it holds the table so that the inner loop does not ask for it.
type classes struct{ plane *[1 << 16]class }

func (c classes) of(r rune) class {
	if uint32(r) < 1<<16 {
		return c.plane[r]
	}
	return classify(r)
}

// at decodes the rune at i and its class; beyond the end it is a separator.
func (c classes) at(text string, i int) (rune, int, class) {
	if i >= len(text) {
		return 0, 0, separator
	}
	if b := text[i]; b < utf8.RuneSelf {
		return rune(b), 1, c.plane[b]
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	if r == utf8.RuneError && n == 1 {
		return r, 1, separator
	}
	return r, n, c.of(r)
}
