package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A number may be written with separators between its groups: 1,234,567.50 is 1.234.567,50, 1 234 567,50, 1'234'567.50 and
// 12,34,567.50. Its groups are its main terms; an alias, without separators but a point before the fraction, is one for all.
// So are telephone numbers, cards and accounts in groups, and the same in one.

// maxGroups bounds how many groups between spaces make one number.
const maxGroups = 9

// groupsEnd is where a number ends that begins at start, of which the part to end is scanned: where groups follow, each after
// one space, as they stand in a number, the end of the last.
func (a *analyser) groupsEnd(text string, start, end int) int {
	if end >= len(text) || end-start > maxJoined {
		return end
	}
	var groups [maxGroups]string
	var ends [maxGroups]int
	groups[0], ends[0] = text[start:end], end
	account := isAccount(groups[0])
	n := 1
	for ; n < maxGroups; n++ {
		at := ends[n-1]
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isGroupSpace(r) {
			break
		}
		at += size
		if _, _, c := a.classes.at(text, at); c != digit && !(account && c == letter) {
			break
		}
		ends[n] = a.groupEnd(text, at)
		groups[n] = text[at:ends[n]]
	}
	for ; n > 1; n-- {
		if inThousands(groups[:n]) || inFours(groups[:n]) || isTelephone(groups[:n]) {
			return ends[n-1]
		}
	}
	return end
}

// scanTelephone takes a number in groups that begins with a plus sign and returns where it ends, 0 where there is none.
func (a *analyser) scanTelephone(text string, i int, r rune) int {
	if r != '+' {
		return 0
	}
	first := a.groupEnd(text, i+1)
	end := a.groupsEnd(text, i, first)
	if end == first && !isTelephone([]string{text[i:end]}) {
		return 0
	}
	a.tokens = append(a.tokens, token{start: i, end: end, word: a.memory.lookup(text[i:end], general)})
	return end
}

// groupEnd is where letters and digits end that begin at i, with what joins digits.
func (a *analyser) groupEnd(text string, i int) int {
	end := i
	var last class
	for i < len(text) {
		r, n, c := a.classes.at(text, i)
		if c == letter || c == digit {
			end, last = i+n, c
		} else if last != digit || !a.joins(text, i, i+n, r, last) {
			break
		}
		i += n
	}
	return end
}

// isGroupSpace reports the spaces that separate groups, some of them no wider than a point.
func isGroupSpace(r rune) bool {
	return r == ' ' || r == '\u00A0' || r == '\u2007' || r == '\u2009' || r == '\u202F'
}

// inThousands reports a group of one to three digits and others of three, the last perhaps with a fraction.
func inThousands(groups []string) bool {
	last := len(groups) - 1
	for i, g := range groups {
		if i == last {
			if at := strings.IndexFunc(g, isDecimalPoint); at > 0 {
				_, n := utf8.DecodeRuneInString(g[at:])
				if digitsIn(g[at+n:]) == 0 {
					return false
				}
				g = g[:at]
			}
		}
		if n := digitsIn(g); n == 0 || n > 3 || i > 0 && n < 3 {
			return false
		}
	}
	return true
}

// inFours reports at least four groups of four, the last perhaps shorter: the number of a card, or of an account behind its country
// and its check digits.
func inFours(groups []string) bool {
	last := len(groups) - 1
	if last < 3 {
		return false
	}
	account := isAccount(groups[0])
	for i, g := range groups {
		n := utf8.RuneCountInString(g)
		if n > 4 || i < last && n < 4 || !account && digitsIn(g) != n || strings.ContainsFunc(g, isJoint) {
			return false
		}
	}
	return true
}

// isTelephone reports 8 to 15 digits in groups, behind a plus sign or with a zero first.
func isTelephone(groups []string) bool {
	first, behindPlus := strings.CutPrefix(groups[0], "+")
	if r, _ := utf8.DecodeRuneInString(first); !behindPlus && asciiDigit(r) != '0' {
		return false
	}
	all := 0
	for i, g := range groups {
		if i == 0 {
			g = first
		}
		for part := range strings.FieldsFuncSeq(g, isHyphen) {
			n := digitsIn(part)
			if n == 0 {
				return false
			}
			all += n
		}
	}
	return all >= 8 && all <= 15
}

// isAccount reports the letters of a country and two check digits.
func isAccount(s string) bool {
	return len(s) == 4 && isCapital(s[0]) && isCapital(s[1]) && digitsIn(s[2:]) == 2
}

func isCapital(b byte) bool { return b >= 'A' && b <= 'Z' }

// digitsIn is how many digits a text has, 0 where it has anything else.
func digitsIn(s string) (n int) {
	for _, r := range s {
		if !unicode.Is(unicode.Nd, r) {
			return 0
		}
		n++
	}
	return n
}

func isHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == '\u2011' }

func isDecimalPoint(r rune) bool {
	return r == '.' || r == ',' || r == '\u066B' || r == '\uFF0E' || r == '\uFF0C'
}

// isJoint reports what stands between the groups of a number.
func isJoint(r rune) bool { return isConnector(r) || isApostrophe(r) || isGroupSpace(r) }

// inGroups reports a number in groups, and one behind a plus sign.
func inGroups(raw string) bool {
	if strings.ContainsFunc(raw, isGroupSpace) || strings.HasPrefix(raw, "+") {
		return true
	}
	groups := false
	for _, r := range raw {
		switch {
		case isJoint(r):
			groups = true
		case !unicode.Is(unicode.Nd, r) && !isIgnorable(r):
			return false
		}
	}
	return groups
}

// analyseGroups finds the terms of a number in groups.
func (w *word) analyseGroups(raw string) {
	number := strings.TrimPrefix(raw, "+")
	plus := len(raw) - len(number)
	segs := segments(number, isJoint)
	for i := range segs {
		segs[i].text = plain(lower(segs[i].text))
		w.add(inPlace, segs[i].text, segs[i].start+plus, segs[i].end+plus)
	}
	w.shape = sequence
	if slices.ContainsFunc(segs[1:], func(s segment) bool {
		return isHyphen(s.joint) || isGroupSpace(s.joint) || s.joint == '_' || s.joint == '/'
	}) {
		w.shape = both
	}
	whole, fraction := wholeNumber(segs)
	if whole == "" {
		return
	}
	if fraction == "" {
		w.add(alias, whole, 0, len(raw))
		return
	}
	w.add(alias, whole+"."+fraction, 0, len(raw))
	w.add(indexed, whole, 0, len(raw))
}

// wholeNumber is what stands before and behind the decimal point of a number, both without separators. It gives nothing for
// digits that are no one number, as those of a date or of an address are, and for one without groups that needs none.
func wholeNumber(segs []segment) (whole, fraction string) {
	last := len(segs) - 1
	spaced := func(s segment) bool { return isHyphen(s.joint) || isGroupSpace(s.joint) }
	if telephone := !slices.ContainsFunc(segs[1:], func(s segment) bool { return !spaced(s) }); telephone && len(joined(segs)) >= 7 {
		return joined(segs), ""
	}
	if separated(segs) {
		if last == 3 && segs[1].joint == '.' && !slices.ContainsFunc(segs, func(s segment) bool { return len(s.text) == 3 && s.text > "255" }) {
			return "", "" // an address of the Internet
		}
		return joined(segs), ""
	}
	point := segs[last].joint
	if !isDecimalPoint(point) {
		return "", ""
	}
	if last == 1 && len(segs[0].text) < 4 || last > 1 && (segs[1].joint == point || !separated(segs[:last])) {
		return "", ""
	}
	return joined(segs[:last]), segs[last].text
}

// separated reports groups with the same separator between all: three digits in each but the first, or in the last, behind groups
// of two.
func separated(segs []segment) bool {
	last := len(segs) - 1
	if last == 0 || segs[0].text == "0" || len(segs[0].text) > 3 || len(segs[last].text) != 3 {
		return false
	}
	for _, s := range segs[1:] {
		if s.joint != segs[1].joint || !separates(s.joint) {
			return false
		}
	}
	between := segs[1:last]
	ofLength := func(n int) bool {
		return !slices.ContainsFunc(between, func(s segment) bool { return len(s.text) != n })
	}
	return ofLength(3) || ofLength(2) && len(segs[0].text) < 3 && segs[1].joint != '.' && !isGroupSpace(segs[1].joint)
}

// separates reports what stands between thousands.
func separates(r rune) bool {
	return isApostrophe(r) || isGroupSpace(r) || r == ',' || r == '.' || r == '\u066C' || r == '\u060C' || r == '\uFF0C' || r == '\uFF0E'
}

func joined(segs []segment) string {
	var b strings.Builder
	for _, s := range segs {
		b.WriteString(s.text)
	}
	return b.String()
}
