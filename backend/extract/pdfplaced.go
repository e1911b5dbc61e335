package extract

import (
	"math"

	"fanous/backend/domain"
	"fanous/backend/extract/pdfium"
)

// A glyph reaches so far above and below its baseline, in ems.
const (
	ascent  = 0.85
	descent = 0.25
)

// placed gives the text of a page as it is read, character by character, with where each stands.
func (d *pdfDocument) placed(page *pdfium.Page) ([]domain.Placed, error) {
	text, err := d.shows(page)
	if err != nil {
		return nil, err
	}
	on, err := paperOf(page)
	if err != nil {
		return nil, err
	}
	var out []domain.Placed
	for i := range text.layers {
		l := &text.layers[i]
		all, dir := l.paragraphs()
		for k := range all {
			out = all[k].place(out, dir.rtl(), on.turned(l.angle))
		}
	}
	return out, nil
}

// place appends the characters of a paragraph, each line ended by a space and the last one by a line end. The page runs
// to the left or not.
func (p *paragraph) place(out []domain.Placed, rtl bool, on paper) []domain.Placed {
	rtl = p.rtl(rtl)
	for i := range p.lines {
		for _, cell := range p.lines[i].read(rtl, false) {
			for _, c := range cell {
				at := domain.Placed{Text: c.text}
				if c.glyph != nil {
					at.Box = on.box(c.glyph)
				}
				out = append(out, at)
			}
			out = append(out, domain.Placed{Text: space})
		}
	}
	out[len(out)-1].Text = "\n"
	return out
}

// paper turns points of a layer into shares of the page as it is shown, from its upper left corner:
// x' = xx*x + xy*y + x0, and so on.
type paper struct{ xx, xy, x0, yx, yy, y0 float64 }

// paperOf is that of a page: what part of the paper is shown, and which side is up, pdfium knows.
func paperOf(page *pdfium.Page) (paper, error) {
	const fine = 1_000_000 // pixels to a side: places come as whole pixels
	const far = 1000       // points
	var err error
	at := func(x, y float64) (float64, float64) {
		deviceX, deviceY, failed := page.OnPaper(fine, x, y)
		if failed != nil {
			err = failed
		}
		return float64(deviceX) / fine, float64(deviceY) / fine
	}
	x0, y0 := at(0, 0)
	x1, y1 := at(far, 0)
	x2, y2 := at(0, far)
	return paper{xx: (x1 - x0) / far, xy: (x2 - x0) / far, x0: x0, yx: (y1 - y0) / far, yy: (y2 - y0) / far, y0: y0}, err
}

// turned is the paper for glyphs of a layer whose frame is turned by an angle in degrees.
func (p paper) turned(angle int) paper {
	sin, cos := math.Sincos(float64(angle) * math.Pi / 180)
	p.xx, p.xy = p.xx*cos+p.xy*sin, p.xy*cos-p.xx*sin
	p.yx, p.yy = p.yx*cos+p.yy*sin, p.yy*cos-p.yx*sin
	return p
}

// box is where a glyph stands, as far as that is on the page.
func (p paper) box(g *glyph) domain.Box {
	left, top, right, bottom := 1.0, 1.0, 0.0, 0.0
	for _, x := range []float64{g.x0, g.x1} {
		for _, y := range []float64{g.y - descent*g.size, g.y + ascent*g.size} {
			px, py := p.xx*x+p.xy*y+p.x0, p.yx*x+p.yy*y+p.y0
			left, right = min(left, px), max(right, px)
			top, bottom = min(top, py), max(bottom, py)
		}
	}
	left, top, right, bottom = max(left, 0), max(top, 0), min(right, 1), min(bottom, 1)
	if !(right > left && bottom > top) {
		return domain.Box{}
	}
	return domain.Box{X: left, Y: top, W: right - left, H: bottom - top}
}
