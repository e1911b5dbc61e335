package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// cluster is what is read as one: a glyph with its marks, or the space in a gap.
type cluster struct {
	text  string
	class bidi.Class
	glyph *glyph // nil: a space
}

const space = " "

func newCluster(text string) cluster {
	p, _ := bidi.LookupString(text)
	return cluster{text: text, class: p.Class()}
}

func (a cluster) rightToLeft() bool { return a.class == bidi.R || a.class == bidi.AL }
func (a cluster) leftToRight() bool { return a.class == bidi.L }
func (a cluster) number() bool      { return a.class == bidi.EN || a.class == bidi.AN }
func (a cluster) strong() bool      { return a.rightToLeft() || a.leftToRight() }

// logical puts the clusters of a line, given from left to right as the page shows them, into the
// order in which they are read. It undoes Unicode's bidirectional algorithm for a line whose
// paragraph runs in the given direction. Where two texts look the same on the page, the one that
// people rather write is taken: a name before its number. Brackets that run to the left are turned
// around if mirror says so.
func logical(line []cluster, rtl, mirror bool) []cluster {
	if rtl {
		return readLeftwards(line, mirror)
	}
	out := make([]cluster, 0, len(line))
	for i := 0; i < len(line); {
		from, to := nextRun(line, i)
		if from == to {
			out = append(out, line[i:]...)
			break
		}
		out = append(out, line[i:from]...)
		out = append(out, readLeftwards(line[from:to], mirror)...)
		i = to
	}
	return out
}

// written is what clusters say.
func written(clusters []cluster) string {
	var b strings.Builder
	for i := range clusters {
		b.WriteString(clusters[i].text)
	}
	return strings.TrimSpace(b.String())
}

// nextRun finds the next run of right-to-left words, with what stands between them, in a line
// that runs to the right.
func nextRun(line []cluster, i int) (from, to int) {
	first := slices.IndexFunc(line[i:], cluster.rightToLeft)
	if first < 0 {
		return i, i
	}
	from = i + first
	to = from + 1
	for k := to; k < len(line) && !line[k].leftToRight(); k++ {
		// An Arabic number to the right of a word is the beginning of the run.
		if line[k].rightToLeft() || line[k].class == bidi.AN {
			to = k + 1
		}
	}
	// A number to the left of a word is the end of the run, if it is written in Eastern digits;
	// others rather belong to what stands before.
	for k := from - 1; k >= i && !line[k].strong(); k-- {
		if line[k].number() {
			if !eastern(line[k]) {
				break
			}
			from = k
		}
	}
	return from, to
}

func eastern(a cluster) bool { r, _ := utf8.DecodeRuneInString(a.text); return a.number() && r > 0x7f }

// readLeftwards reads a line that runs to the left. Words of other scripts and numbers in it run
// to the right.
func readLeftwards(line []cluster, mirror bool) []cluster {
	// Runs that go to the right, as ranges of line.
	type run struct{ from, to int }
	var runs []run
	for i := 0; i < len(line); i++ {
		if line[i].leftToRight() || line[i].number() {
			to := rightwardsRun(line, i)
			runs = append(runs, run{i, to})
			i = to - 1
		}
	}
	out := make([]cluster, 0, len(line))
	for i := len(line) - 1; i >= 0; i-- {
		if n := len(runs) - 1; n >= 0 && i < runs[n].to {
			out = append(out, line[runs[n].from:runs[n].to]...)
			i = runs[n].from
			runs = runs[:n]
			continue
		}
		a := line[i]
		if m, ok := mirrored[a.text]; ok && mirror {
			a.text = m
		}
		out = append(out, a)
	}
	return out
}

// rightwardsRun gives the end of the run to the right that starts at i, a letter or a number.
func rightwardsRun(line []cluster, i int) int {
	letters := line[i].leftToRight() // the run has letters so far
	to := i + 1
	for k := to; k < len(line) && !line[k].rightToLeft(); k++ {
		a := line[k]
		if !a.leftToRight() && !a.number() {
			continue
		}
		last, between := line[to-1], line[to:k]
		joined := false
		switch {
		case len(between) == 0:
			joined = true
		case a.leftToRight():
			joined = letters && last.class != bidi.AN
		case letters:
			joined = last.class != bidi.AN && !eastern(a)
		case len(between) == 1:
			joined = joinsNumbers(between[0], europeanNumbers(line, k))
		}
		if !joined {
			break
		}
		letters = letters || a.leftToRight()
		to = k + 1
	}
	// Signs that touch a number are of the number, unless Arabic letters stand before it.
	if letters || europeanNumbers(line, to) {
		for to < len(line) && line[to].class == bidi.ET && line[to-1].class != bidi.L {
			to++
		}
	}
	return to
}

// joinsNumbers says whether a sign between two digits makes one number of them.
func joinsNumbers(sign cluster, european bool) bool {
	return sign.class == bidi.CS && sign.text != "\u00a0" || european && sign.class == bidi.ES
}

// europeanNumbers says whether digits that end before i count as European: no Arabic letter was
// the last letter read before them.
func europeanNumbers(line []cluster, i int) bool {
	for ; i < len(line); i++ {
		if line[i].strong() {
			return line[i].class != bidi.AL
		}
	}
	return true
}

// mirrored pairs the brackets that look at each other.
var mirrored = map[string]string{
	"(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»", "»": "«", "‹": "›", "›": "‹",
}

// brackets are those that are looked at to see which way they were meant.
var brackets = []string{"()", "[]", "{}", "«»", "‹›"}

// facing counts the brackets of text that face each other, less those that turn their backs on
// each other. Some PDF files name the shape that is drawn, others the character; this tells.
func facing(text string) int {
	n := 0
	for _, pair := range brackets {
		var last rune
		for _, r := range text {
			if !strings.ContainsRune(pair, r) {
				continue
			}
			switch opens := strings.HasPrefix(pair, string(r)); {
			case last == 0 || opens == strings.HasPrefix(pair, string(last)):
			case opens:
				n--
			default:
				n++
			}
			last = r
		}
	}
	return n
}

// pairBrackets makes brackets open and close by turns, if there are as many as that takes and
// they do not match as they are: pdfium turns some around and leaves others.
func pairBrackets(text string) string {
	for _, pair := range brackets {
		opening, closing, _ := strings.Cut(pair[:len(pair)/2]+" "+pair[len(pair)/2:], " ")
		depth, count, matched := 0, 0, true
		for _, r := range text {
			switch string(r) {
			case opening:
				depth, count = depth+1, count+1
			case closing:
				depth, count = depth-1, count+1
				matched = matched && depth >= 0
			}
		}
		if count%2 != 0 || matched && depth == 0 {
			continue
		}
		n := 0
		var b strings.Builder
		for _, r := range text {
			s := string(r)
			if s == opening || s == closing {
				s = opening
				if n%2 == 1 {
					s = closing
				}
				n++
			}
			b.WriteString(s)
		}
		text = b.String()
	}
	return text
}

// direction counts the letters that run to each side.
type direction struct{ left, right int }

func (d *direction) add(text string) {
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.R, bidi.AL:
			d.left++
		case bidi.L:
			d.right++
		}
	}
}

// rtl says whether most letters run to the left.
func (d direction) rtl() bool { return d.left > d.right }

// within says whether a paragraph with these letters runs to the left on a page that does or does
// not: on a page that does, a paragraph is taken to do so even if most of it is foreign words.
func (d direction) within(page bool) bool {
	if page {
		return d.left > 0 && d.left*5 >= d.left+d.right || d.right == 0
	}
	return d.rtl()
}
