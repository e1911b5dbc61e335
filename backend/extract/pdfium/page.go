package pdfium

import (
	"encoding/binary"
	"errors"
	"image"
	"math"
)

// Page is a page of a document.
type Page struct {
	d     *Document
	at    uint64
	index int
}

// Page loads a page. It is to be closed.
func (d *Document) Page(index int) (*Page, error) {
	at, err := d.s.handle("FPDF_LoadPage", d.at, uint64(uint32(index)))
	if err != nil {
		return nil, err
	}
	return &Page{d: d, at: at, index: index}, nil
}

// Close frees the page.
func (p *Page) Close() { _, _ = p.d.s.call("FPDF_ClosePage", p.at) }

// Size gives its width and height as it is shown.
func (p *Page) Size() (width, height float64, err error) {
	w, err := p.d.s.call("FPDF_GetPageWidth", p.at)
	if err != nil {
		return 0, 0, err
	}
	h, err := p.d.s.call("FPDF_GetPageHeight", p.at)
	return math.Float64frombits(w), math.Float64frombits(h), err
}

// OnPaper gives the place of a point of the page where it is drawn with size pixels to a side.
func (p *Page) OnPaper(size int, x, y float64) (deviceX, deviceY int, err error) {
	n := uint64(uint32(size))
	if _, err := p.d.s.call("FPDF_PageToDevice", p.at, 0, 0, n, n, 0, math.Float64bits(x), math.Float64bits(y), p.d.s.room, p.d.s.room+4); err != nil {
		return 0, 0, err
	}
	bytes, err := p.d.s.memory(p.d.s.room, 8)
	if err != nil {
		return 0, 0, err
	}
	return int(int32(binary.LittleEndian.Uint32(bytes))), int(int32(binary.LittleEndian.Uint32(bytes[4:]))), nil
}

// Flatten makes comments and fields parts of the page, if there are any.
func (p *Page) Flatten() error {
	const forDisplay, failed, nothingToDo = 0, 0, 2
	switch result, err := p.d.s.integer("FPDFPage_Flatten", p.at, forDisplay); {
	case err != nil:
		return err
	case result == failed:
		return errors.New("pdfium: the page cannot be flattened")
	case result == nothingToDo:
		return nil
	}
	flat, err := p.d.Page(p.index) // the page as it was loaded does not change
	if err != nil {
		return err
	}
	p.Close()
	*p = *flat
	return nil
}

// CountObjects gives how many things are drawn on it: texts, lines, pictures.
func (p *Page) CountObjects() (int, error) { return p.d.s.integer("FPDFPage_CountObjects", p.at) }

// TextObject gives the place of the object at index, and whether that is a text of some width.
func (p *Page) TextObject(index int) (left, bottom, right, top float64, ok bool) {
	const text = 1
	object, err := p.d.s.handle("FPDFPage_GetObject", p.at, uint64(uint32(index)))
	if err != nil {
		return 0, 0, 0, 0, false
	}
	if kind, err := p.d.s.integer("FPDFPageObj_GetType", object); err != nil || kind != text {
		return 0, 0, 0, 0, false
	}
	room := p.d.s.room
	if _, err := p.d.s.handle("FPDFPageObj_GetBounds", object, room, room+4, room+8, room+12); err != nil {
		return 0, 0, 0, 0, false
	}
	var box [4]float64
	if err := p.d.s.float32s(box[:]); err != nil {
		return 0, 0, 0, 0, false
	}
	return box[0], box[1], box[2], box[3], box[2] > box[0]
}

const (
	showNotes        = 0x01
	grey             = 0x08
	reverseByteOrder = 0x10
)

const white = 0xffffffff

// Grey draws the page in shades of grey, without its comments and fields.
func (p *Page) Grey(width, height int) (*image.Gray, error) {
	const format = 1 // a byte a pixel
	out := image.NewGray(image.Rect(0, 0, width, height))
	err := p.draw(format, width, height, grey, func(y int, row []byte) { copy(out.Pix[y*out.Stride:][:width], row) })
	return out, err
}

// Colour draws the page as people see it, on white.
func (p *Page) Colour(width, height int) (*image.RGBA, error) {
	const format = 3 // four bytes a pixel, of which the last says nothing
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	err := p.draw(format, width, height, showNotes|reverseByteOrder, func(y int, row []byte) {
		to := out.Pix[y*out.Stride:][:4*width]
		copy(to, row)
		for i := 3; i < len(to); i += 4 {
			to[i] = 0xff
		}
	})
	return out, err
}

// draw draws the page and gives each row of pixels.
func (p *Page) draw(format uint64, width, height int, flags uint64, each func(y int, row []byte)) error {
	w, h := uint64(width), uint64(height)
	bitmap, err := p.d.s.handle("FPDFBitmap_CreateEx", w, h, format, 0, 0)
	if err != nil {
		return errNoMemory
	}
	defer func() { _, _ = p.d.s.call("FPDFBitmap_Destroy", bitmap) }()
	if _, err := p.d.s.call("FPDFBitmap_FillRect", bitmap, 0, 0, w, h, white); err != nil {
		return err
	}
	if _, err := p.d.s.call("FPDF_RenderPageBitmap", bitmap, p.at, 0, 0, w, h, 0, flags); err != nil {
		return err
	}
	stride, err := p.d.s.integer("FPDFBitmap_GetStride", bitmap)
	if err != nil {
		return err
	}
	start, err := p.d.s.handle("FPDFBitmap_GetBuffer", bitmap)
	if err != nil {
		return err
	}
	pixels, err := p.d.s.memory(start, uint64(uint32(stride))*h)
	if err != nil {
		return err
	}
	for y := range height {
		each(y, pixels[y*stride:][:stride])
	}
	return nil
}
