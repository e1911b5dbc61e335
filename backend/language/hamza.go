package language

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Writers of Arabic and Persian seat a hamza on different letters, and each seat folds to its own letter: مسئول, مسؤول and
// مسوول are one word.

// respelled gives the other spellings of a word, folded.
func respelled(raw string) (out []string) {
	s := withHamza(raw)
	if s == "" {
		return nil
	}
	note := func(other string) {
		if other != s {
			out = append(out, foldArabic(other))
		}
	}
	note(seatOnWaw.Replace(s))
	note(noSeat.Replace(s))
	note(seatOnYeh.Replace(s))
	for _, plural := range []string{"أون", "أوا"} {
		if rest, ok := strings.CutSuffix(s, plural); ok {
			note(rest + "و" + strings.TrimPrefix(plural, "أ"))
		}
	}
	return out
}

var (
	seatOnWaw = strings.NewReplacer("ئو", "وو", "ءو", "وو")
	noSeat    = strings.NewReplacer("ئو", "و") // سئوال is سؤال
	seatOnYeh = strings.NewReplacer("مائة", "مئة", "مائت", "مئت", "یأة", "یئة")
)

// withHamza folds a word but for hamza, and ة, by which some are told; it gives nothing for a word with neither.
func withHamza(raw string) string {
	if !strings.ContainsFunc(raw, func(r rune) bool {
		return r != 'ة' && isHamza(r) || r == 0x0654 || r == 0x0655 || hasForms(r)
	}) {
		return ""
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(norm.NFKC.String(raw)) {
		switch {
		case isHamza(r):
			b.WriteRune(r)
		case isIgnorable(r):
		default:
			if r = arabicLetter(r); r >= 0 && r != utf8.RuneError {
				b.WriteRune(r)
			}
		}
	}
	if s := b.String(); strings.ContainsFunc(s, isHamza) {
		return s
	}
	return ""
}

// isHamza reports the letters that are spelled in several ways.
func isHamza(r rune) bool {
	switch r {
	case 'ء', 'ئ', 'ؤ', 'أ', 'ة':
		return true
	}
	return false
}
