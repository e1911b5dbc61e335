package language

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Scripts without spaces are indexed by overlapping pairs of characters, in place, so that a word of two characters is
// found inside a sentence and a longer one by its pairs; each single character follows as an aside.

// unit is one character of such a script as written: a letter with its marks.
type unit struct {
	text       string // composed, of full width
	start, end int
}

// appendUnits cuts a run into its characters.
func appendUnits(dst []unit, run string) []unit {
	asWritten := isSimple(run) || norm.NFC.IsNormalString(run) &&
		!strings.ContainsFunc(run, func(r rune) bool { return hasForms(r) || isIgnorable(r) })
	start := 0
	before := rune(0)
	for i, r := range run {
		if i > 0 && !extends(r) && !isAm(before, r) {
			dst = append(dst, newUnit(run, start, i, asWritten))
			start = i
		}
		before = r
	}
	return append(dst, newUnit(run, start, len(run), asWritten))
}

func newUnit(run string, start, end int, asWritten bool) unit {
	text := run[start:end]
	if !asWritten {
		var b strings.Builder
		forms := false
		for _, r := range text {
			if !isIgnorable(r) {
				b.WriteRune(r)
				forms = forms || hasForms(r)
			}
		}
		if text = norm.NFC.String(b.String()); forms {
			text = norm.NFKC.String(text)
		}
	}
	return unit{cut(text), start, end}
}

// isSimple reports that a run has nothing but the frequent letters that need no thought.
func isSimple(run string) bool {
	for _, r := range run {
		if !simple(r) {
			return false
		}
	}
	return true
}

// simple reports letters that are composed and begin a unit: ideographs, kana, syllables of Hangul.
func simple(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FF || r >= 0xAC00 && r <= 0xD7A3
}

// extends reports runes that belong to the character before them: marks, the voiced marks of half-width kana, the vowels and
// finals of decomposed Hangul, am of Thai and Lao.
func extends(r rune) bool {
	switch {
	case simple(r):
		return false
	case r >= 0x1160 && r <= 0x11FF, r >= 0xD7B0 && r <= 0xD7FB, r == 0xFF9E, r == 0xFF9F, r == 0x0E33, r == 0x0EB3:
		return true
	}
	return unicode.Is(unicode.M, r) || isIgnorable(r)
}

// isAm reports the two signs of Thai and Lao that may stand for one, am.
func isAm(first, second rune) bool {
	return first == 0x0E4D && second == 0x0E32 || first == 0x0ECD && second == 0x0EB2
}

// appendPairs renders a run: dst gets the terms in place, aside the others.
func (a *analyser) appendPairs(dst, aside []byte, run string) ([]byte, []byte) {
	a.units = appendUnits(a.units[:0], run)
	if len(a.units) == 1 {
		dst = append(dst, a.units[0].text...)
		return append(dst, ' '), aside
	}
	for i := range a.units {
		aside = append(aside, a.units[i].text...)
		aside = append(aside, ' ')
		if i > 0 {
			dst = append(dst, a.units[i-1].text...)
			dst = append(dst, a.units[i].text...)
			dst = append(dst, ' ')
		}
	}
	return dst, aside
}

// pairs lists the terms of a run in the order of the text.
func pairs(run string) []part {
	us := appendUnits(nil, run)
	if len(us) == 1 {
		return []part{{us[0].text, us[0].start, us[0].end, inPlace}}
	}
	out := make([]part, 0, 2*len(us))
	for i, u := range us {
		out = append(out, part{u.text, u.start, u.end, indexed})
		if i > 0 {
			out = append(out, part{us[i-1].text + u.text, us[i-1].start, u.end, inPlace})
		}
	}
	return out
}
