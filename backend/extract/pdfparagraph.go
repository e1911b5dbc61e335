package extract

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fanous/backend/domain"
)

const (
	paragraphGap        = 1.3  // lines further apart than this many usual line heights are apart
	paragraphIndent     = 0.8  // ems by which the first line of a paragraph stands back, at least
	paragraphIndentMost = 8    // and at most
	spaceWidth          = 0.3  // ems
	farApart            = 1.75 // ems between lines that are not set close, whatever is usual
	otherSize           = 1.15 // ratio of sizes that are not of one paragraph
)

// sentenceEnds are the signs after which a sentence is over.
const sentenceEnds = ".!?؟۔。:"

// paragraph is lines of a page that are read on.
type paragraph struct {
	lines []line
	row   bool // one line of a table
	size  float64
	dir   direction
}

// column is lines that stand one below the other.
type column struct {
	lines  []line
	rtl    bool    // the page runs to the left
	pitch  float64 // usual distance of lines
	x0, x1 float64 // where its lines usually start and end, from left to right
}

func newColumn(lines []line, rtl bool) column {
	lefts, rights := make([]float64, len(lines)), make([]float64, len(lines))
	for i, l := range lines {
		lefts[i], rights[i] = l.x0, l.x1
	}
	slices.Sort(lefts)
	slices.Sort(rights)
	// A few lines stand out.
	out := len(lines) / 8
	return column{lines: lines, rtl: rtl, pitch: usualPitch(lines), x0: lefts[out], x1: rights[len(lines)-1-out]}
}

// edges is how far a line stands back from where lines start and from where they end.
func (c *column) edges(l *line) (start, end float64) {
	if c.rtl {
		return c.x1 - l.x1, l.x0 - c.x0
	}
	return l.x0 - c.x0, c.x1 - l.x1
}

// breaks says whether a new paragraph begins between two lines.
func (c *column) breaks(last, next *line) bool {
	start, _ := c.edges(next)
	lastStart, lastEnd := c.edges(last)
	switch {
	case last.isRow() || next.isRow(),
		last.y-next.y > paragraphGap*c.pitch,
		max(next.size, last.size) > otherSize*min(next.size, last.size),
		next.startsItem(c.rtl),
		last.y-next.y > farApart*last.size && strings.ContainsRune(sentenceEnds, last.edge(!c.rtl)):
		return true
	case last.hyphenated(c.rtl):
		return false
	case math.Abs(lastStart-lastEnd) < last.size && lastStart > 2*last.size: // centred
		return false
	case lastEnd > next.firstWord(c.rtl)+spaceWidth*last.size: // there was room for another word
		return true
	}
	return start-lastStart > paragraphIndent*next.size && start < paragraphIndentMost*next.size && lastStart < paragraphIndent*last.size
}

// paragraphs groups the lines of a column.
func (c *column) paragraphs() []paragraph {
	var out []paragraph
	for i := range c.lines {
		l := &c.lines[i]
		if i == 0 || c.breaks(&c.lines[i-1], l) {
			out = append(out, paragraph{row: l.isRow()})
		}
		out[len(out)-1].add(*l)
	}
	return out
}

func (p *paragraph) add(l line) {
	p.lines = append(p.lines, l)
	p.size = max(p.size, l.size)
	for _, f := range l.fragments {
		p.dir.left += f.dir.left
		p.dir.right += f.dir.right
	}
}

// goesOn says whether next, at the top of a column, goes on with p, at the foot of the one before.
func (p *paragraph) goesOn(next *paragraph, rtl bool) bool {
	if p.row || next.row || max(p.size, next.size) > otherSize*min(p.size, next.size) {
		return false
	}
	if p.lines[len(p.lines)-1].hyphenated(rtl) {
		return true
	}
	end := p.lines[len(p.lines)-1].edge(!rtl)
	begin := next.lines[0].edge(rtl)
	return (unicode.IsLetter(end) || end == ',' || end == '،') && unicode.IsLetter(begin) && !unicode.IsUpper(begin) &&
		len(p.lines) > 1
}

// edge is the character at the right or left edge of a line.
func (l *line) edge(right bool) rune {
	f := l.fragments[0]
	g := f.glyphs[0]
	if right {
		f = l.fragments[len(l.fragments)-1]
		g = f.glyphs[len(f.glyphs)-1]
	}
	return firstRune(g.text)
}

// usualPitch is the distance of lines that follow each other.
func usualPitch(lines []line) float64 {
	var steps []float64
	for i := 1; i < len(lines); i++ {
		if s := lines[i-1].y - lines[i].y; s < 3*lines[i].size {
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 {
		return math.Inf(1)
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

func (l *line) isRow() bool {
	for i := 1; i < len(l.fragments); i++ {
		if l.fragments[i].x0-l.fragments[i-1].x1 > cellGap*l.size {
			return true
		}
	}
	return false
}

// startsItem says whether a line begins with a bullet.
func (l *line) startsItem(rtl bool) bool {
	r := l.edge(rtl)
	return strings.ContainsRune("•●▪◦‣■□", r) || r >= 0xf0a0 && r <= 0xf0ff
}

// text gives a paragraph in logical order. A hyphen at the end of a line that may be one of the
// word itself comes out as doubtfulHyphen.
func (p *paragraph) text(rtl, mirror bool) string {
	rtl = p.rtl(rtl)
	separator := space
	if p.row {
		separator = cellSeparator
	}
	var b strings.Builder
	for i := range p.lines {
		cells := p.lines[i].read(rtl, mirror)
		texts := make([]string, len(cells))
		for k, c := range cells {
			texts[k] = written(c)
		}
		appendLine(&b, strings.Join(texts, separator))
	}
	if rtl {
		return pairBrackets(b.String())
	}
	return b.String()
}

// read gives the cells of a line, and the clusters of each, in logical order.
func (l *line) read(rtl, mirror bool) [][]cluster {
	cells := l.cells()
	for i := range cells {
		cells[i] = logical(cells[i], rtl, mirror)
	}
	if rtl {
		slices.Reverse(cells)
	}
	return cells
}

// rtl says whether a paragraph runs to the left on a page that does or does not.
func (p *paragraph) rtl(page bool) bool {
	if p.dir.left > 0 && p.dir.right > 0 {
		// Where its sentence ends is where its lines end.
		last := &p.lines[len(p.lines)-1]
		left := strings.ContainsRune(sentenceEnds, last.edge(false))
		right := strings.ContainsRune(sentenceEnds, last.edge(true))
		if left != right {
			return left
		}
	}
	return p.dir.within(page)
}

// doubtfulHyphen stands between the halves of a word until the whole document has been read.
const doubtfulHyphen = '\x02'

// appendLine joins a line to the text before it.
func appendLine(b *strings.Builder, line string) {
	text := b.String()
	if text == "" {
		b.WriteString(line)
		return
	}
	last, size := utf8.DecodeLastRuneInString(text)
	before, _ := utf8.DecodeLastRuneInString(text[:len(text)-size])
	first, _ := utf8.DecodeRuneInString(line)
	if !unicode.IsLetter(before) || !unicode.IsLetter(first) {
		if strings.ContainsRune("-‐", last) && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			b.WriteString(line) // "2019-" and "2020"
			return
		}
		b.WriteString(space + line)
		return
	}
	switch last {
	case '\u00ad':
		text = text[:len(text)-size]
	case '-', '‐':
		if unicode.IsUpper(first) {
			break // "Austria-" and "Hungary"
		}
		text = text[:len(text)-size] + string(doubtfulHyphen)
	default:
		b.WriteString(space + line)
		return
	}
	b.Reset()
	b.WriteString(text)
	b.WriteString(line)
}

// resolveHyphens decides about the doubtful hyphens of a document: one stays where the document
// writes the word with it elsewhere, or where the word has another hyphen; else it only parted
// the word at the end of a line.
func resolveHyphens(blocks []domain.Block) {
	written := map[string]bool{} // words with a hyphen, written in one line
	for i := range blocks {
		for word := range strings.FieldsSeq(blocks[i].Text) {
			if strings.ContainsAny(word, "-‐") && !strings.ContainsRune(word, doubtfulHyphen) {
				written[hyphenated(word)] = true
			}
		}
	}
	for i := range blocks {
		text := blocks[i].Text
		if !strings.ContainsRune(text, doubtfulHyphen) {
			continue
		}
		words := strings.Split(text, space)
		for k, word := range words {
			if !strings.ContainsRune(word, doubtfulHyphen) {
				continue
			}
			with := strings.ReplaceAll(word, string(doubtfulHyphen), "-")
			if written[hyphenated(with)] || strings.ContainsAny(word, "-‐") {
				words[k] = with
			} else {
				words[k] = strings.ReplaceAll(word, string(doubtfulHyphen), "")
			}
		}
		blocks[i].Text = strings.Join(words, space)
	}
}

// hyphenated is a word for comparing: no case, no punctuation around it, one kind of hyphen.
func hyphenated(word string) string {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.ToLower(strings.ReplaceAll(word, "‐", "-"))
}
