package extract

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// All lengths below are in ems, the size of the font.
const (
	sameBaseline = 0.2  // glyphs this near in height stand on one baseline
	sameLine     = 0.45 // and this near, raised and lowered ones included, in one line
	spaceGap     = 0.17 // a wider gap between glyphs is a space
	fragmentGap  = 1.0  // a wider one may be the gutter between columns
	cellGap      = 2.0  // a wider one within a line separates the cells of a table
	letterSpaced = 0.08 // letters that are all further apart than this are set apart for looks
	sameGlyph    = 0.02 // parts of one glyph have their pens this near
)

// fragment is glyphs on one baseline without a wide gap, sorted from left to right.
type fragment struct {
	glyphs []glyph
	spaces []float64 // x of real spaces on this baseline
	x0, x1 float64
	y      float64
	size   float64
	dir    direction
}

// line is the fragments that are read in one line, sorted from left to right.
type line struct {
	fragments []*fragment
	x0, x1    float64
	y         float64 // of its largest fragment
	size      float64
}

// fragments groups the glyphs of a layer by baseline and wide gaps.
func (l *layer) fragments() []*fragment {
	glyphs := slices.Clone(l.glyphs)
	slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(b.y, a.y) })
	var out []*fragment
	for from := 0; from < len(glyphs); {
		to := from + 1
		for to < len(glyphs) && glyphs[from].y-glyphs[to].y <= sameBaseline*min(glyphs[from].size, glyphs[to].size) {
			to++
		}
		out = append(out, cutRow(glyphs[from:to])...)
		from = to
	}
	for _, f := range out {
		for i := range f.glyphs {
			if g := &f.glyphs[i]; g.several {
				g.text = readingOrder(g.text)
			}
		}
	}
	l.place(out)
	return out
}

// cutRow cuts the glyphs of a baseline at wide gaps. The fragments take the row's place: none has more glyphs than were
// read.
func cutRow(row []glyph) []*fragment {
	slices.SortStableFunc(row, func(a, b glyph) int { return cmp.Compare(a.centre(), b.centre()) })
	var out []*fragment
	var f *fragment
	for i, g := range row {
		if f == nil || g.x0-f.x1 > fragmentGap*max(g.size, 1) {
			f = &fragment{glyphs: row[i:i], x0: g.x0, x1: g.x1, y: g.y}
			out = append(out, f)
		}
		if n := len(f.glyphs) - 1; n >= 0 {
			last := &f.glyphs[n]
			if last.drawnTwice(&g) {
				last.x0, last.x1 = min(last.x0, g.x0), max(last.x1, g.x1)
				continue
			}
			if last.isGlyphOf(&g) {
				last.text += g.text
				last.order = g.order
				last.several = true
				continue
			}
		}
		f.glyphs = append(f.glyphs, g)
		f.x0, f.x1 = min(f.x0, g.x0), max(f.x1, g.x1)
		f.size = max(f.size, g.size)
		f.dir.add(g.text)
	}
	return out
}

// drawnTwice says that h is g again: a little aside to look bold, or named once more for another shape of a syllable.
func (g *glyph) drawnTwice(h *glyph) bool {
	if g.text != h.text || g.origin == h.origin || g.size != h.size {
		return false
	}
	width := min(g.x1-g.x0, h.x1-h.x0)
	return width > 0 && min(g.x1, h.x1)-max(g.x0, h.x0) > 0.6*width
}

// isGlyphOf says that h is a further letter of the glyph g: pdfium gives both one place.
func (g *glyph) isGlyphOf(h *glyph) bool {
	return g.x0 == h.x0 && g.x1 == h.x1 && g.origin == h.origin && h.order-g.order <= 3
}

// readingOrder puts the letters of one glyph in order. pdfium gives those that the file names
// itself in the order of drawing, so they come in reverse where the script runs to the left; but
// those of a presentation form, which it takes apart, in the order in which they are read.
func readingOrder(letters string) string {
	if !newCluster(letters).rightToLeft() || isWordForm(letters) {
		return letters
	}
	r := []rune(letters)
	slices.Reverse(r)
	return string(r)
}

// isWordForm says that there is a presentation form of lam and alef, or of a word, that stands
// for these letters.
func isWordForm(letters string) bool {
	for _, block := range [][2]rune{{0xfef5, 0xfefc}, {0xfdf0, 0xfdfc}} {
		for r := block[0]; r <= block[1]; r++ {
			if norm.NFKC.String(string(r)) == letters {
				return true
			}
		}
	}
	return false
}

// place gives the marks and real spaces of a layer to the fragments on which they stand.
func (l *layer) place(fragments []*fragment) {
	if len(l.marks) == 0 && len(l.spaces) == 0 {
		return
	}
	// Sorted by height, so that only a few are looked at for each.
	byHeight := slices.Clone(fragments)
	slices.SortFunc(byHeight, func(a, b *fragment) int { return cmp.Compare(b.y, a.y) })
	for _, m := range l.marks {
		if f := nearest(byHeight, m.centre(), m.y, m.size); f != nil {
			f.mark(m)
		}
	}
	for i, x := range l.spaces {
		if f := nearest(byHeight, x, l.spaceY[i], 1); f != nil {
			f.spaces = append(f.spaces, x)
		}
	}
	for _, f := range fragments {
		slices.Sort(f.spaces)
	}
}

// nearest finds the fragment at x whose baseline is nearest to y and within reach of it.
func nearest(byHeight []*fragment, x, y, reach float64) *fragment {
	i, _ := slices.BinarySearchFunc(byHeight, y+reach, func(f *fragment, y float64) int { return cmp.Compare(y, f.y) })
	var best *fragment
	for ; i < len(byHeight) && byHeight[i].y >= y-reach; i++ {
		f := byHeight[i]
		if x < f.x0-f.size/3 || x > f.x1+f.size/3 {
			continue
		}
		if best == nil || math.Abs(f.y-y) < math.Abs(best.y-y) {
			best = f
		}
	}
	return best
}

// mark puts a mark behind the letter on which it stands: the one of the same glyph, else the one
// that it covers most, else the one before it in reading order.
func (f *fragment) mark(m glyph) {
	best, bestScore := -1, math.Inf(-1)
	for i := range f.glyphs {
		g := &f.glyphs[i]
		score := min(g.x1, m.x1) - max(g.x0, m.x0) // the common part; negative: the distance
		if math.Abs(g.origin-m.origin) < sameGlyph*f.size && m.origin > 0 {
			score += f.size
		}
		if score <= 0 {
			before := g.centre() > m.centre()
			if !f.dir.rtl() {
				before = !before
			}
			if !before {
				score -= f.size / 4
			}
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	g := &f.glyphs[best]
	if m.x1-m.x0 < g.size { // where one glyph is both, each was given a part of its width
		g.x0, g.x1 = min(g.x0, m.x0), max(g.x1, m.x1)
	}
	g.text = withMark(g.text, m.text)
}

// withMark adds a mark to a letter and those that it has. The page does not show their order, so
// it is the one of Unicode's canonical form.
func withMark(text, mark string) string {
	at := len(text)
	for at > 0 {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		if norm.NFC.PropertiesString(text[at-size:]).CCC() <= norm.NFC.PropertiesString(mark).CCC() {
			break
		}
		at -= size
	}
	return text[:at] + mark + text[at:]
}

// lines groups fragments into lines, from the top down.
func lines(fragments []*fragment) []line {
	sorted := slices.Clone(fragments)
	slices.SortStableFunc(sorted, func(a, b *fragment) int { return cmp.Compare(b.y, a.y) })
	var out []line
	for _, f := range sorted {
		if n := len(out) - 1; n >= 0 && out[n].y-f.y <= sameLine*max(out[n].size, f.size) {
			l := &out[n]
			l.fragments = append(l.fragments, f)
			l.x0, l.x1 = min(l.x0, f.x0), max(l.x1, f.x1)
			if f.size > l.size {
				l.size, l.y = f.size, f.y
			}
			continue
		}
		out = append(out, line{fragments: []*fragment{f}, x0: f.x0, x1: f.x1, y: f.y, size: f.size})
	}
	for i := range out {
		slices.SortStableFunc(out[i].fragments, func(a, b *fragment) int { return cmp.Compare(a.x0+a.x1, b.x0+b.x1) })
	}
	return out
}

// glyphs gives those of a line, from left to right.
func (l *line) glyphs() []glyph {
	n := 0
	for _, f := range l.fragments {
		n += len(f.glyphs)
	}
	out := make([]glyph, 0, n)
	for _, f := range l.fragments {
		out = append(out, f.glyphs...)
	}
	slices.SortStableFunc(out, func(a, b glyph) int { return cmp.Compare(a.centre(), b.centre()) })
	return out
}

// cells gives the clusters of a line, from left to right, cut where a wide gap separates cells.
func (l *line) cells() [][]cluster {
	glyphs := l.glyphs()
	var spaces []float64
	for _, f := range l.fragments {
		spaces = append(spaces, f.spaces...)
	}
	slices.Sort(spaces)
	wide := spaceGap + letterSpacing(glyphs)
	var cells [][]cluster
	cell := make([]cluster, 0, len(glyphs)+len(spaces))
	right := math.Inf(-1) // end of what has been read
	for i := range glyphs {
		g := &glyphs[i]
		gap := (g.x0 - right) / max(l.size, 0.1)
		if i > 0 {
			raised := isNote(&glyphs[i-1], g) || isNote(g, &glyphs[i-1])
			switch {
			case gap > cellGap:
				cells, cell = append(cells, cell), nil
			case gap > wide || raised || gap > 0.05 && between(spaces, right, g.x0):
				cell = append(cell, newCluster(space))
			}
		}
		c := newCluster(g.text)
		c.glyph = g
		cell = append(cell, c)
		right = max(right, g.x1)
	}
	return append(cells, cell)
}

// firstWord is the width of the word with which a line begins.
func (l *line) firstWord(rtl bool) float64 {
	glyphs := l.glyphs()
	wide := (spaceGap + letterSpacing(glyphs)) * l.size
	if rtl {
		left := glyphs[len(glyphs)-1].x0
		for i := len(glyphs) - 2; i >= 0 && left-glyphs[i].x1 <= wide; i-- {
			left = min(left, glyphs[i].x0)
		}
		return l.x1 - left
	}
	right := glyphs[0].x1
	for i := 1; i < len(glyphs) && glyphs[i].x0-right <= wide; i++ {
		right = max(right, glyphs[i].x1)
	}
	return right - l.x0
}

// hyphenated says whether a line ends within a word.
func (l *line) hyphenated(rtl bool) bool {
	if rtl { // no script that runs to the left parts its words
		return false
	}
	f := l.fragments[len(l.fragments)-1]
	switch f.glyphs[len(f.glyphs)-1].text {
	case "-", "‐", "\u00ad":
		return true
	}
	return false
}

// letterSpacing is the gap between letters that are set apart, 0 for ordinary text.
func letterSpacing(glyphs []glyph) float64 {
	gaps := make([]float64, 0, len(glyphs))
	for i := 1; i < len(glyphs); i++ {
		gaps = append(gaps, (glyphs[i].x0-glyphs[i-1].x1)/max(glyphs[i].size, 0.1))
	}
	if len(gaps) < 8 {
		return 0
	}
	slices.Sort(gaps)
	if gaps[len(gaps)/10] < letterSpaced {
		return 0
	}
	return gaps[len(gaps)/2]
}

// isNote says that b is the raised number of a note behind the word that ends with a.
func isNote(a, b *glyph) bool {
	r := firstRune(b.text)
	return b.size < 0.85*a.size && b.y-a.y > 0.15*a.size && r >= '0' && r <= '9' && newCluster(a.text).strong()
}

func between(sorted []float64, from, to float64) bool {
	i, _ := slices.BinarySearch(sorted, from)
	return i < len(sorted) && sorted[i] < to
}
