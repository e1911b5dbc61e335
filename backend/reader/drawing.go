package reader

import (
	"errors"
	"fmt"
	"image"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/extract"
)

// drawing says which pages are wanted, and how.
type drawing struct {
	Member string
	Pages  []int
	Raster extract.Raster
}

// drawn is an extract.Drawn on its way: pixels row by row, a byte each, in colour four.
type drawn struct {
	Page, Of      int
	Width, Height int             `json:",omitzero"`
	Colour        bool            `json:",omitzero"`
	Pixels        []byte          `json:",omitzero"`
	Text          []domain.Placed `json:",omitzero"`
	Err           string          `json:",omitzero"`
}

// pagesAtOnce is how many pages the time until the next sign of a child is enough for.
const pagesAtOnce = 6

// bytesOfPage is what a page may come to as JSON: pixels as base64, and a large newspaper page of text.
func bytesOfPage(size extract.Raster) int64 { return int64(size.MaxPixels)*6 + 16<<20 }

// undrawn is what a child says of a file that it cannot draw. It is well and goes on.
type undrawn struct{ reason string }

func (u *undrawn) Error() string { return u.reason }

func (s sender) drawn(d extract.Drawn) error {
	out := drawn{Page: d.Page, Of: d.Of, Text: d.Text}
	switch m := d.Pixels.(type) {
	case *image.Gray:
		out.Width, out.Height, out.Pixels = m.Rect.Dx(), m.Rect.Dy(), rows(m.Pix, m.Stride, m.Rect.Dx(), m.Rect.Dy())
	case *image.RGBA:
		out.Width, out.Height, out.Pixels, out.Colour = m.Rect.Dx(), m.Rect.Dy(), rows(m.Pix, m.Stride, 4*m.Rect.Dx(), m.Rect.Dy()), true
	}
	if d.Err != nil {
		out.Err = d.Err.Error()
	}
	return s.say(message{Drawn: &out})
}

// rows gives pixels without what stands between their rows.
func rows(pixels []byte, stride, width, height int) []byte {
	if stride == width {
		return pixels[:width*height]
	}
	out := make([]byte, 0, width*height)
	for y := range height {
		out = append(out, pixels[y*stride:][:width]...)
	}
	return out
}

// pages reads the messages of one file and gives each its pages.
func (r *receiver) pages(limit Limits, what drawing, each func(extract.Drawn) error) (done, error) {
	r.limit, r.output = limit, 0
	for wanted := what.Pages; ; {
		m, err := r.next()
		r.settle()
		switch {
		case err != nil:
			return done{}, err
		case m.Done != nil && m.Done.Err == "" && len(wanted) > 0:
			return done{}, errors.New("it did not draw every page")
		case m.Done != nil:
			return *m.Done, nil
		case m.Drawn == nil || len(wanted) == 0 || m.Drawn.Page != wanted[0]:
			return done{}, errors.New("it drew what nobody wanted")
		}
		wanted = wanted[1:]
		page, err := m.Drawn.page(what.Raster)
		if err != nil {
			return done{}, err
		}
		if err := each(page); err != nil {
			return done{}, &refusal{err}
		}
	}
}

// page holds a page to what an Extractor promises.
func (d *drawn) page(size extract.Raster) (extract.Drawn, error) {
	out := extract.Drawn{Page: d.Page, Of: d.Of, Text: d.Text}
	if d.Err != "" {
		out.Err = errors.New(d.Err)
		return out, nil
	}
	bytes := 1
	if d.Colour {
		bytes = 4
	}
	if d.Width <= 0 || d.Height <= 0 || d.Width > size.MaxPixels/d.Height || len(d.Pixels) != d.Width*d.Height*bytes || d.Colour != size.Colour {
		return out, fmt.Errorf("it drew a page of %d × %d pixels with %d bytes", d.Width, d.Height, len(d.Pixels))
	}
	if slices.ContainsFunc(d.Text, func(p domain.Placed) bool { return !onPage(p.Box) }) {
		return out, errors.New("it put text beside the page")
	}
	rect := image.Rect(0, 0, d.Width, d.Height)
	out.Pixels = &image.Gray{Pix: d.Pixels, Stride: d.Width, Rect: rect}
	if d.Colour {
		out.Pixels = &image.RGBA{Pix: d.Pixels, Stride: 4 * d.Width, Rect: rect}
	}
	return out, nil
}

func onPage(b domain.Box) bool {
	const slack = 1e-9 // of adding up
	return b.X >= 0 && b.Y >= 0 && b.W >= 0 && b.H >= 0 && b.X+b.W <= 1+slack && b.Y+b.H <= 1+slack
}
