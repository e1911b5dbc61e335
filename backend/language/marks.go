package language

import (
	"math/bits"
	"slices"

	"golang.org/x/text/unicode/norm"
)

// Terms leave out the marks that may be written on Arabic and Hebrew letters. So that a query of nothing but a mark finds
// what contains it, every text lists the marks that it has, each once.

// marks are those that are listed; the bit of a markSet is the place here.
var marks = []rune("\u064B\u064C\u064D\u064E\u064F\u0650\u0651\u0652\u0653\u0654\u0655\u0656\u0657\u0658\u0670\u0640" +
	"\u05B0\u05B1\u05B2\u05B3\u05B4\u05B5\u05B6\u05B7\u05B8\u05B9\u05BA\u05BB\u05BC\u05BD\u05BF\u05C1\u05C2\u05C7")

type markSet uint64

// marksOf gives the marks that stand in a text, those aside that make one letter with the letter before.
func marksOf(s string) (found markSet) {
	if isASCII(s) {
		return 0
	}
	for _, r := range norm.NFC.String(s) {
		if i := slices.Index(marks, r); i >= 0 {
			found |= 1 << i
		}
	}
	return found
}

// each yields the marks of a set.
func (m markSet) each(yield func(rune) bool) {
	for ; m != 0; m &= m - 1 {
		if !yield(marks[bits.TrailingZeros64(uint64(m))]) {
			return
		}
	}
}

// appendMarks renders the marks of the scanned text, each followed by a space.
func (a *analyser) appendMarks(dst []byte) []byte {
	var all markSet
	for i := range a.tokens {
		if w := a.tokens[i].word; w != nil {
			all |= w.marks
		}
	}
	for r := range all.each {
		dst = append(append(dst, string(r)...), ' ')
	}
	return dst
}

// markTerms lists the marks of the scanned text, each where it first stands.
func (a *analyser) markTerms(dst []term) []term {
	from := len(dst)
	var seen markSet
	for i := range a.tokens {
		t := &a.tokens[i]
		if t.word == nil || t.word.marks&^seen == 0 {
			continue
		}
		for r := range (t.word.marks &^ seen).each {
			dst = append(dst, term{Term{string(r), t.start, t.end}, false})
		}
		seen |= t.word.marks
	}
	order := func(t term) int { return slices.Index(marks, []rune(t.Text)[0]) }
	slices.SortFunc(dst[from:], func(x, y term) int { return order(x) - order(y) })
	return dst
}

// marked gives the ranges of the scanned words that have one of the marks.
func (a *analyser) marked(asked markSet) (out [][2]int) {
	for i := range a.tokens {
		if t := &a.tokens[i]; t.word != nil && t.word.marks&asked != 0 {
			out = append(out, [2]int{t.start, t.end})
		}
	}
	return out
}
