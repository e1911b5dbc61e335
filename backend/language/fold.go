package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// lower brings a word to one spelling of each letter and to lower case, keeping its diacritics: canonical composition,
// full case folding without locale, digits of every script as ASCII, presentation forms and ligatures as the letters
// that they stand for, invisible characters gone. It leaves superscripts alone: x² is not x2.
func lower(s string) string {
	if plain, ok := lowerASCII(s); ok {
		return plain
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFC.String(s) {
		switch {
		case isIgnorable(r) || unicode.IsControl(r) || r == utf8.RuneError:
		case isApostrophe(r):
			b.WriteByte('\'')
		case hasForms(r):
			for _, f := range norm.NFKC.String(string(r)) {
				if !unicode.IsSpace(f) && !isIgnorable(f) && f != '\u00B7' {
					b.WriteRune(asciiDigit(f))
				}
			}
		case r >= 0x1F80 && r <= 0x1FFC: // folding would make a letter of the iota below
			for _, f := range norm.NFD.String(string(r)) {
				if f != 0x0345 {
					b.WriteRune(f)
				}
			}
		case r == 0x0345:
		default:
			b.WriteRune(asciiDigit(r))
		}
	}
	return norm.NFC.String(cases.Fold().String(b.String()))
}

func lowerASCII(s string) (string, bool) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' || s[i] == '`' {
			return "", false
		}
	}
	return strings.ToLower(s), true
}

// hasForms reports the ranges whose compatibility mapping is another way to write the same letter.
func hasForms(r rune) bool {
	switch {
	case r < 0x0132:
		return false
	case r <= 0x0133, r == 0x013F, r == 0x0140, r >= 0x01C4 && r <= 0x01CC, r >= 0x01F1 && r <= 0x01F3, // two letters in one
		r == 0x0E33, r == 0x0EB3, // Thai and Lao am
		r >= 0x2160 && r <= 0x217F, r >= 0x2F00 && r <= 0x2FD5, r >= 0xFB00 && r <= 0xFDFF, r >= 0xFE70 && r <= 0xFEFF,
		r >= 0xFF00 && r <= 0xFFEF, r >= 0x1D400 && r <= 0x1D7FF, r >= 0x1EE00 && r <= 0x1EEFF:
		return true
	}
	return r >= 0x2102 && r <= 0x2149 && unicode.IsLetter(r) // of formulas
}

func asciiDigit(r rune) rune {
	if r < utf8.RuneSelf || !unicode.Is(unicode.Nd, r) {
		return r
	}
	for _, span := range unicode.Nd.R16 { // decimal digits come in whole tens
		if r >= rune(span.Lo) && r <= rune(span.Hi) {
			return '0' + (r-rune(span.Lo))%10
		}
	}
	for _, span := range unicode.Nd.R32 {
		if r >= rune(span.Lo) && r <= rune(span.Hi) {
			return '0' + (r-rune(span.Lo))%10
		}
	}
	return r
}

// plain strips what writers leave out: diacritics of Latin, Greek, Cyrillic, Hebrew and Arabic letters, nukta. Vowel
// signs of Indic scripts and letters in their own right (й) stay. The argument is a lowered word.
func plain(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case r >= 0x0400 && r < 0x0530:
			b.WriteRune(cyrillicLetter(r))
		default:
			if t, ok := latinLetter(r); ok {
				b.WriteString(t)
				continue
			}
			for _, d := range norm.NFD.String(string(r)) {
				if isDiacritic(d) {
					continue
				}
				if t, ok := latinLetter(d); ok {
					b.WriteString(t)
					continue
				}
				b.WriteRune(d)
			}
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func cyrillicLetter(r rune) rune {
	switch r {
	case 'ё', 'ѐ':
		return 'е'
	case 'ѝ':
		return 'и'
	}
	return r
}

// latinLetter gives the plain spelling of letters whose stroke, hook or ligature is no combining mark.
func latinLetter(r rune) (string, bool) {
	switch r {
	case 'ı':
		return "i", true
	case 'ø', 'ǿ':
		return "o", true
	case 'đ', 'ð':
		return "d", true
	case 'ł':
		return "l", true
	case 'ħ':
		return "h", true
	case 'ŧ':
		return "t", true
	case 'ŋ':
		return "n", true
	case 'æ', 'ǽ':
		return "ae", true
	case 'œ':
		return "oe", true
	case 'þ':
		return "th", true
	}
	return "", false
}

// isDiacritic reports marks that change how a letter sounds but not which word it makes, as writers treat them.
func isDiacritic(r rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036F, r >= 0x1AB0 && r <= 0x1AFF, r >= 0x1DC0 && r <= 0x1DFF,
		r >= 0x20D0 && r <= 0x20FF, r >= 0xFE20 && r <= 0xFE2F: // general
		return true
	case r >= 0x0483 && r <= 0x0489, r >= 0x2DE0 && r <= 0x2DFF, r >= 0xA66F && r <= 0xA67D: // Cyrillic
		return true
	case r >= 0x0591 && r <= 0x05C7 && unicode.Is(unicode.Mn, r): // Hebrew points
		return true
	case r >= 0x0610 && r <= 0x061A, r >= 0x064B && r <= 0x065F, r == 0x0670, r >= 0x06D6 && r <= 0x06ED,
		r >= 0x0898 && r <= 0x08FF: // Arabic marks
		return unicode.Is(unicode.Mn, r)
	case r == 0x0711, r >= 0x0730 && r <= 0x074A: // Syriac points
		return true
	case r == 0x093C, r == 0x09BC, r == 0x0A3C, r == 0x0ABC, r == 0x0B3C, r == 0x0CBC: // nukta
		return true
	}
	return false
}
