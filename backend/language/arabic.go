package language

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// affinity is how strongly a word of the Arabic script leans on its neighbour across a space.
type affinity uint8

const (
	alone    affinity = iota
	weak              // often one word with it: the joined form becomes an alias
	afterHeh          // one word with it after a final heh: خانه ای
	strong            // always one word with it: می خواهم, کتاب ها
)

// arabicWord is what the joining of words needs to know about one.
type arabicWord struct {
	forward, backward affinity
	heh               bool // ends in heh
	pieces            uint8
}

// attracts reports whether two words with one space between are analysed as one token.
func (w *word) attracts(next *word) bool {
	return int(w.pieces)+int(next.pieces) <= 6 &&
		(w.forward != alone || next.backward == strong || next.backward == weak || next.backward == afterHeh && w.heh)
}

func forwardOf(seg string) affinity {
	switch seg {
	case "می", "نمی", "همی":
		return strong
	case "بی", "هم", "پیش", "پس", "نا", "پر", "کم", "خوش", "بد", "غیر", "فوق", "ضد", "میان":
		return weak
	}
	return alone
}

func backwardOf(seg string) affinity {
	switch seg {
	case "ها", "های", "هایی", "هایم", "هایت", "هایش", "هایمان", "هایتان", "هایشان", "تر", "تری", "ترین":
		return strong
	case "ام", "ای", "ات", "اش", "ایم", "اید", "اند", "ی":
		return afterHeh
	case "گاه", "گر", "گری", "گذار", "گذاری", "ساز", "سازی", "مند", "مندی", "پذیر", "پذیری", "ناپذیر", "شناس", "شناسی",
		"نامه", "گیر", "گیری", "آور", "اور", "اوری", "یاب", "یابی", "خانه", "نگار", "نگاری", "پرداز", "سنج", "سنجی", "وار":
		return weak
	}
	return alone
}

// endings are suffixes that a zero-width non-joiner sets off but a space does not.
func isEnding(seg string) bool {
	switch seg {
	case "م", "ت", "ش", "مان", "تان", "شان", "یم", "ید", "ند", "یی", "ان", "است":
		return true
	}
	return backwardOf(seg) >= afterHeh
}

// arabicSegments cuts a token at its zero-width non-joiners and spaces; the texts are folded.
func arabicSegments(raw string) []segment {
	var out []segment
	start, joint := 0, rune(0)
	flush := func(end int, next rune) {
		if s := foldArabic(raw[start:end]); s != "" {
			out = append(out, segment{s, start, end, joint})
			joint = next
		} else if next != zwnj {
			joint = next
		}
	}
	for i, r := range raw {
		if r == zwnj || unicode.IsSpace(r) {
			flush(i, r)
			start = i + len(string(r))
		}
	}
	flush(len(raw), 0)
	return out
}

// withoutSpaces is for strings.Map: a line or a page may end where a word is written in two.
func withoutSpaces(r rune) rune {
	if unicode.IsSpace(r) {
		return -1
	}
	return r
}

func (w *word) analyseArabic(raw string) {
	segs := arabicSegments(raw)
	if len(segs) == 0 {
		return
	}
	for _, s := range segs {
		w.setArabicHints(raw[s.start:s.end])
	}
	end := len(raw)
	last := segs[len(segs)-1].text
	w.pieces = uint8(min(len(segs), 255))
	w.body(strings.Map(withoutSpaces, hintKey(raw, inArabicScript)), 0, end)
	w.forward, w.heh = forwardOf(last), strings.HasSuffix(last, "ه")
	w.backward = backwardOf(segs[0].text)
	units := glue(segs)
	widen(units)
	w.function = len(units) == 1 && functionKeys()[units[0].text]
	for _, u := range units {
		w.add(inPlace, stemArabic(u.text), u.start, u.end)
	}
	for _, u := range units {
		w.loosen(u.text, u.start, u.end)
		for _, other := range otherNumber()[stemArabic(u.text)] {
			w.add(asked, other, u.start, u.end)
			w.add(asked, "~"+other, u.start, u.end)
		}
	}
	if len(segs) == 1 {
		if rest, ok := withoutAnd(last); ok {
			w.add(alias, stemArabic(rest), 0, end)
		}
	} else {
		w.join(units)
	}
	for _, s := range segs {
		u := units[slices.IndexFunc(units, func(u segment) bool { return s.end <= u.end })]
		for _, other := range respelled(raw[s.start:s.end]) {
			if t := stemArabic(other); len(t) >= threeLetters {
				w.add(alias, t, u.start, u.end)
			}
		}
		if len(segs) > 1 {
			r := indexed
			if forwardOf(s.text) != strong && !isEnding(s.text) {
				r = alias
			}
			w.add(r, stemArabic(s.text), u.start, u.end)
		}
	}
}

// join adds the terms of units that are written as one word.
func (w *word) join(units []segment) {
	all := units[0].text
	for i, u := range units[1:] {
		before := units[i]
		all += u.text
		w.add(alias, stemArabic(before.text+u.text), before.start, u.end)
	}
	w.add(alias, stemArabic(all), 0, units[len(units)-1].end)
}

// widen gives units the range of what is written in one, with zero-width non-joiners: whatever part of that matches, all of it is
// shown.
func widen(units []segment) {
	for first := 0; first < len(units); {
		last := first
		for last+1 < len(units) && units[last+1].joint == zwnj {
			last++
		}
		start, end := units[first].start, units[last].end
		for ; first <= last; first++ {
			units[first].start, units[first].end = start, end
		}
	}
}

// glue makes one unit of a stem and the affixes that belong to it.
func glue(segs []segment) []segment {
	var units []segment
	open := false // the last unit is a prefix that waits for its stem
	for _, s := range segs {
		k := len(units) - 1
		ending := k >= 0 && (s.joint == zwnj && isEnding(s.text) || backwardOf(s.text) == strong ||
			backwardOf(s.text) == afterHeh && strings.HasSuffix(units[k].text, "ه"))
		if k >= 0 && (open || ending) {
			if s.text != "ی" || !strings.HasSuffix(units[k].text, "ه") { // خانه‌ی is خانهٔ
				units[k].text += s.text
			}
			units[k].end = s.end
		} else {
			units = append(units, s)
		}
		open = forwardOf(s.text) == strong
	}
	return units
}

// foldArabic brings the letters that Arabic, Persian, Urdu and Kurdish keyboards write differently to one, and drops
// marks and what cannot be seen. The script has no case, and its composed letters fold as their parts do.
func foldArabic(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case isIgnorable(r):
		case hasForms(r):
			for _, f := range norm.NFKC.String(string(r)) {
				if f = arabicLetter(f); f > ' ' {
					b.WriteRune(f)
				}
			}
		default:
			if r = arabicLetter(r); r >= 0 {
				b.WriteRune(r)
			}
		}
	}
	return norm.NFC.String(b.String()) // of letters and marks of other scripts
}

func arabicLetter(r rune) rune {
	switch r {
	case 'أ', 'إ', 'آ', 'ٱ', 'ٲ', 'ٳ', 'ٵ':
		return 'ا'
	case 'ؤ', 'ٶ', 'ۆ':
		return 'و'
	case 'ئ', 'ى', 'ي', 'ې', 'ے', 'ۍ', 'ێ', 'ۓ', 'ٸ', 'ۑ':
		return 'ی'
	case 'ك', 'ڪ':
		return 'ک'
	case 'ګ':
		return 'گ'
	case 'ڵ':
		return 'ل'
	case 'ڕ':
		return 'ر'
	case 'ة', 'ہ', 'ھ', 'ۀ', 'ە', 'ۂ', 'ۃ', 'ۿ':
		return 'ه'
	case 'ء', tatweel:
		return -1
	}
	if isDiacritic(r) {
		return -1
	}
	return r
}
