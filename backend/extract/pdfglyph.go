package extract

import (
	"math"
	"slices"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fanous/backend/extract/pdfium"
)

// glyph is a character on a page, in a frame turned so that its line runs from left to right and
// y grows upwards. Lengths are points.
type glyph struct {
	text   string
	x0, x1 float64 // horizontal extent
	origin float64 // x of the pen
	y      float64 // baseline
	size   float64 // of the font
	order  int     // position in the reader's own sequence, which is not that of reading

	several bool // the file maps the glyph to several letters
}

func (g *glyph) centre() float64 { return (g.x0 + g.x1) / 2 }

func (g *glyph) isMark() bool {
	r := firstRune(g.text)
	return unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r)
}

// takes says that a mark which follows in the file is of this letter. Where letters run to the right a mark is written
// behind its letter, with an advance of its own or without, so that its place may seem to be on the next one.
func (g *glyph) takes(mark *glyph) bool {
	if newCluster(g.text).rightToLeft() || newCluster(mark.text).rightToLeft() || math.Abs(g.y-mark.y) > g.size {
		return false
	}
	return g.origin == mark.origin || mark.origin > g.origin && mark.origin < g.x1+markReach*g.size
}

// take adds a mark, which may be a part of the same glyph.
func (g *glyph) take(mark *glyph) {
	g.text += mark.text
	if g.origin == mark.origin {
		g.x0, g.x1 = min(g.x0, mark.x0), max(g.x1, mark.x1)
	}
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// pageText is what a page shows: one layer for each direction in which text runs, the one with
// most glyphs first.
type pageText struct {
	layers []layer
	glyphs int
	bad    int // how many of them of which nobody knows the character
	notes  []note
	drawn  bool // something is drawn on it, be it text, lines or a picture
}

// layer is the text of a page that runs in one direction, without marks and spaces.
type layer struct {
	glyphs []glyph
	angle  int       // degrees by which its frame is turned
	marks  []glyph   // each belongs to a glyph
	spaces []float64 // x of real spaces; see layout.gapIsSpace
	spaceY []float64 // y of each
}

// unreliable says that so much of the text is unknown that a search will miss it.
func (p *pageText) unreliable() bool { return p.glyphs > 0 && p.bad*5 > p.glyphs }

// glyphs reads the characters of a page with their places. The order in which pdfium gives them
// is that of drawing, partly reversed by a guess, so only their places are believed.
func (d *pdfDocument) glyphs(page *pdfium.Page) (pageText, error) {
	t, err := page.Text()
	if err != nil {
		return pageText{}, err
	}
	defer t.Close()
	count := min(t.Count(), maxPageGlyphs)
	var p pageText
	byAngle := map[int]*layer{}
	var pen pen
	batch := make([]pdfium.Character, min(count, glyphBatch))
	for i := range count {
		if i%glyphBatch == 0 {
			if d.ctx.Err() != nil {
				return pageText{}, d.ctx.Err()
			}
			if _, err := t.Characters(i, batch); err != nil {
				return pageText{}, err
			}
		}
		c := &batch[i%glyphBatch]
		r := rune(c.Unicode)
		switch {
		case r == hyphenAtLineEnd:
			r = '-'
		case r == '\r' || r == '\n' || isBidiControl(r):
			continue
		case r == 0 || r == 0xfffe || r == 0xffff:
			p.glyphs, p.bad = p.glyphs+1, p.bad+1
			continue
		}
		if c.Flags&pdfium.HasBox == 0 {
			continue
		}
		space := unicode.IsSpace(r)
		if space && (c.Right-c.Left < 0.01 || c.Flags&pdfium.Generated != 0) {
			pen.set = false
			continue // made up, or of no place
		}
		if c.Flags&pdfium.HasOrigin == 0 {
			continue
		}
		if err := pen.move(t, i, c.Y); err != nil {
			return pageText{}, err
		}
		l := byAngle[pen.angle]
		if l == nil {
			l = &layer{angle: pen.angle}
			if len(byAngle) == 0 { // nearly always the only one
				l.glyphs = make([]glyph, 0, count)
			}
			byAngle[pen.angle] = l
		}
		g := pen.glyph(c)
		g.order = i
		if space {
			pen.set = false
			l.spaces, l.spaceY = append(l.spaces, g.centre()), append(l.spaceY, g.y)
			continue
		}
		p.glyphs++
		if !isKnown(r) || c.Flags&pdfium.LacksUnicode != 0 {
			p.bad++
		}
		g.text = plain(r)
		l.put(&g)
	}
	if upright := byAngle[0]; upright != nil {
		d.widenSyllables(page, upright.glyphs)
	}
	angles := make([]int, 0, len(byAngle))
	for a := range byAngle {
		angles = append(angles, a)
	}
	slices.SortFunc(angles, func(a, b int) int {
		if n := len(byAngle[b].glyphs) - len(byAngle[a].glyphs); n != 0 {
			return n
		}
		return a - b
	})
	for _, a := range angles {
		p.layers = append(p.layers, *byAngle[a])
	}
	return p, nil
}

const (
	// maxPageGlyphs is more characters than any page shows.
	maxPageGlyphs = 1_000_000
	// hyphenAtLineEnd is what pdfium gives for a hyphen that ends a line.
	hyphenAtLineEnd = '\x02'
	// markReach is how far behind its letter a mark may begin, in ems.
	markReach = 0.1
	// glyphBatch is how many characters are asked for at a time.
	glyphBatch = 1024
)

// pen knows the direction and size of the run of text being read. It asks only where a run may
// have begun: at another height, at the beginning of a word.
type pen struct {
	set   bool
	y     float64
	angle int     // degrees
	size  float64 // of the font, as it is on the page
}

func (p *pen) move(t *pdfium.Text, index int, y float64) error {
	if p.set && p.y == y {
		return nil
	}
	size, err := t.FontSize(index)
	if err != nil {
		return err
	}
	p.set, p.y, p.angle, p.size = true, y, 0, size
	a, b, c, e, ok := t.Matrix(index)
	if !ok {
		return nil
	}
	if s := math.Hypot(c, e); s > 0 {
		p.size *= s
	}
	degrees := math.Atan2(b, a) * 180 / math.Pi
	if a < 0 && e > 0 || a > 0 && e < 0 { // a mirror image: which way it runs is not known
		degrees = 0
	}
	// A scanned page may be a little askew; text at an angle of its own is a stamp.
	p.angle = int(math.Round(degrees/90)) * 90
	if math.Abs(degrees-float64(p.angle)) > 10 {
		p.angle = int(math.Round(degrees/5)) * 5
	}
	p.angle = (p.angle + 360) % 360
	return nil
}

// glyph is a character that stands at the pen, in the frame of its run, without its text.
func (p *pen) glyph(c *pdfium.Character) glyph {
	left, top, right, bottom := float64(c.Left), float64(c.Top), float64(c.Right), float64(c.Bottom)
	g := glyph{x0: left, x1: right, origin: c.X, y: c.Y, size: p.size}
	if p.angle != 0 {
		g.turn(-float64(p.angle)*math.Pi/180, c.X, c.Y, [2][2]float64{{left, bottom}, {right, top}})
	}
	return g
}

// put adds a glyph, a mark to the letter that it is of.
func (l *layer) put(g *glyph) {
	switch last := len(l.glyphs) - 1; {
	case !g.isMark():
		l.glyphs = append(l.glyphs, *g)
	case last >= 0 && l.glyphs[last].takes(g):
		l.glyphs[last].take(g)
	default:
		l.marks = append(l.marks, *g)
	}
}

// turn brings a glyph into the upright frame.
func (g *glyph) turn(angle, x, y float64, corners [2][2]float64) {
	sin, cos := math.Sincos(angle)
	g.origin, g.y = x*cos-y*sin, x*sin+y*cos
	a := corners[0][0]*cos - corners[0][1]*sin
	b := corners[1][0]*cos - corners[1][1]*sin
	g.x0, g.x1 = min(a, b), max(a, b)
}

// isKnown says that r is a character that a page can show.
func isKnown(r rune) bool {
	return r != unicode.ReplacementChar && r >= ' ' && !unicode.Is(unicode.Co, r) &&
		(unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r))
}

// plain gives the letters of a presentation form, in logical order: a PDF names the shapes that
// it draws. Every other character stays as it is.
func plain(r rune) string {
	if r >= 0xfb00 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc {
		return norm.NFKC.String(string(r))
	}
	return string(r)
}

func isBidiControl(r rune) bool {
	return r == 0x200e || r == 0x200f || r == 0x061c || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
