package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"

	"fanous/backend/domain"
)

// Raster says how pages are turned into pixels.
type Raster struct {
	// DPI is the resolution of a page that has a size on paper; 0: the largest that the other fields let it have.
	DPI int
	// Width and Height are pixels that a page is to fit into; 0: any. A picture is never made larger than it is.
	Width, Height int
	MaxPixels     int  // a page that would have more gets a lower resolution
	Colour        bool // else grey
	Text          bool // with the places of its text
}

// Drawn is a page as pixels.
type Drawn struct {
	Page   int
	Of     int             // how many pages the file has
	Pixels image.Image     // *image.Gray, in colour *image.RGBA without transparency; nil where Err says why
	Text   []domain.Placed // if asked for: the page's own text as it is read, characters and, without a place, what parts them
	Err    error           // why this page cannot be shown; a sentence
}

// Pages turns pages of a PDF or of a picture file, or of one that is a member of the file at path, into pixels and
// gives them to each one at a time, in the order asked for; the pages of a picture count from 1. Pages stops at an error
// of each and returns it; its own says that the file cannot be opened, or that ctx ended.
func (x *Extractor) Pages(ctx context.Context, path, member string, pages []int, size Raster, each func(Drawn) error) error {
	return x.Open(ctx, path, member, func(data *io.SectionReader) error {
		head := make([]byte, 1024)
		n, err := data.ReadAt(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("the file could not be read: %w", err)
		}
		src := source{ReaderAt: data, name: path, size: data.Size()}
		if !bytes.Contains(head[:n], []byte("%PDF-")) {
			return picturePages(ctx, src, pages, size, each)
		}
		return x.pdf.pages(ctx, src, pages, size, each)
	})
}

// picturePages is Pages of a picture file.
func picturePages(ctx context.Context, src source, pages []int, size Raster, each func(Drawn) error) error {
	if err := within(src, maxTextFile); err != nil {
		return err
	}
	of := tiffPages(src)
	for _, n := range pages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		d := Drawn{Page: n, Of: of}
		d.Pixels, d.Err = readPicture(src, n, size)
		if err := each(d); err != nil {
			return err
		}
	}
	return nil
}

// fit gives the pixels for something of a size, at the given scale or a smaller one, so that it fits.
func (r Raster) fit(width, height, scale float64) (image.Point, error) {
	if !(width > 0 && height > 0) {
		return image.Point{}, errors.New("the page has no size")
	}
	if r.Width > 0 {
		scale = min(scale, float64(r.Width)/width)
	}
	if r.Height > 0 {
		scale = min(scale, float64(r.Height)/height)
	}
	scale = min(scale, math.Sqrt(float64(r.MaxPixels)/width/height))
	// What is long and thin has at least one pixel across.
	across, down := max(1, math.Floor(width*scale)), max(1, math.Floor(height*scale))
	if !(across*down <= float64(r.MaxPixels)) {
		return image.Point{}, errors.New("the page is too large to be drawn")
	}
	return image.Pt(int(across), int(down)), nil
}
