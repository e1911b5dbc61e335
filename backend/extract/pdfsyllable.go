package extract

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"fanous/backend/extract/pdfium"
)

// drawnText is the place of something written that a page draws in one go.
type drawnText struct{ left, right, bottom, top float64 }

const (
	// maxShapes is how many of a page are looked at.
	maxShapes = 100_000
	// maxSyllable is how many are looked at for one syllable.
	maxSyllable = 32
)

// widenSyllables gives syllables of Indic scripts their width. Chromium draws one in several shapes and names its letters
// for all of them together; pdfium then gives the letters the place of the first shape alone, so that a gap seems to
// follow, as wide as a space.
func (d *pdfDocument) widenSyllables(page *pdfium.Page, glyphs []glyph) {
	var shapes []drawnText
	for i := range glyphs {
		g := &glyphs[i]
		if !g.isSyllable() && (i == 0 || g.origin != glyphs[i-1].origin || g.y != glyphs[i-1].y || !hasSyllables(firstRune(g.text))) {
			continue
		}
		if shapes == nil {
			if shapes = d.shapes(page); shapes == nil {
				return
			}
		}
		mark := g.x1 <= g.origin // drawn back onto a syllable that is named for both
		if !mark && i+1 < len(glyphs) && glyphs[i+1].y == g.y && glyphs[i+1].origin > g.origin {
			g.widen(shapes, glyphs[i+1].origin)
		}
	}
}

// isSyllable says that a glyph has marks that the file names with it.
func (g *glyph) isSyllable() bool {
	first := firstRune(g.text)
	return hasSyllables(first) && len(g.text) > utf8.RuneLen(first)
}

// hasSyllables says that letters of this one's script are shaped together: those of India, and of the lands south-east of it.
func hasSyllables(r rune) bool {
	return r >= 0x0900 && r < 0x0f00 || r >= 0x1000 && r < 0x10a0 || r >= 0x1780 && r < 0x1800
}

// widen lets a glyph reach as far as the shapes that begin before end, where the next glyph stands.
func (g *glyph) widen(shapes []drawnText, end float64) {
	const near, overhang = 0.02, 0.3 // ems
	from, _ := slices.BinarySearchFunc(shapes, g.origin, func(s drawnText, x float64) int { return cmp.Compare(s.left, x) })
	for _, s := range shapes[from:min(from+maxSyllable, len(shapes))] {
		if s.left >= end-near*g.size {
			return
		}
		goesOn := s.right > end+overhang*g.size // a line drawn at once, in which nothing is missing
		if !goesOn && s.bottom < g.y+ascent*g.size && s.top > g.y-descent*g.size {
			g.x1 = max(g.x1, min(s.right, end))
		}
	}
}

// shapes gives what is written on a page, from left to right.
func (d *pdfDocument) shapes(page *pdfium.Page) []drawnText {
	count, err := page.CountObjects()
	if err != nil {
		return nil
	}
	out := []drawnText{}
	for i := range min(count, maxShapes) {
		if d.ctx.Err() != nil {
			return nil
		}
		if left, bottom, right, top, ok := page.TextObject(i); ok {
			out = append(out, drawnText{left, right, bottom, top})
		}
	}
	slices.SortFunc(out, func(a, b drawnText) int { return cmp.Compare(a.left, b.left) })
	return out
}
