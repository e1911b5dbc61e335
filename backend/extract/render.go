package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"math"

	"github.com/klippa-app/go-pdfium/requests"
)

// Raster says how pages are turned into pixels.
type Raster struct {
	DPI       int // of a page that has a size on paper
	MaxPixels int // a page that would have more gets a lower resolution
}

// Pages turns pages of a PDF or of a picture file, or of one that is a member of the file at path, into grey pixels and
// gives them to each one at a time, in the order asked for; the pages of a picture count from 1. A page that cannot be
// shown has an error in place of its pixels. Pages stops at an error of each and returns it; its own says that the file
// cannot be opened, or that ctx ended.
func (x *Extractor) Pages(ctx context.Context, path, member string, pages []int, size Raster, each func(page int, pixels *image.Gray, err error) error) error {
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
func picturePages(ctx context.Context, src source, pages []int, size Raster, each func(int, *image.Gray, error) error) error {
	if err := within(src, maxTextFile); err != nil {
		return err
	}
	for _, n := range pages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pixels, err := readPicture(src, n, size)
		if err := each(n, pixels, err); err != nil {
			return err
		}
	}
	return nil
}

// shown is a page that was rendered, or why it was not.
type shown struct {
	page   int
	pixels *image.Gray
	err    error
}

// pages renders pages beside the caller, who is let go as soon as ctx ends, as in read.
func (r *pdfReader) pages(ctx context.Context, src source, pages []int, size Raster, each func(int, *image.Gray, error) error) error {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.slots }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rendered := make(chan shown)
	finished := make(chan error, 1)
	go func() {
		finished <- r.with(ctx, src, func(d *pdfDocument) error {
			for _, n := range pages {
				pixels, err := d.render(n, size)
				select {
				case rendered <- shown{n, pixels, err}:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}()
	for {
		select {
		case s := <-rendered:
			if err := each(s.page, s.pixels, s.err); err != nil {
				return err
			}
		case err := <-finished:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// render gives the pixels of a page.
func (d *pdfDocument) render(number int, size Raster) (*image.Gray, error) {
	page := requests.Page{ByIndex: &requests.PageByIndex{Document: d.ref, Index: number - 1}}
	paper, err := d.engine.GetPageSize(&requests.GetPageSize{Page: page})
	if err != nil {
		return nil, fmt.Errorf("the page could not be read: %w", err)
	}
	dpi, err := size.dpi(paper.Width, paper.Height)
	if err != nil {
		return nil, err
	}
	res, err := d.engine.RenderPageInDPI(&requests.RenderPageInDPI{Page: page, DPI: dpi, ImageFormat: requests.RenderImageFormatGrayscale})
	if err != nil {
		return nil, fmt.Errorf("the page could not be drawn: %w", err)
	}
	defer res.Cleanup()
	drawn := res.Result.RenderedImage
	pixels := image.NewGray(drawn.Bounds()) // the sandbox's own go with it
	draw.Draw(pixels, pixels.Rect, drawn, pixels.Rect.Min, draw.Src)
	return pixels, nil
}

// dpi gives the resolution for a page of so many points.
func (r Raster) dpi(width, height float64) (int, error) {
	if !(width > 0 && height > 0) {
		return 0, errors.New("the page has no size")
	}
	const pointsPerInch = 72
	most := int(math.Sqrt(float64(r.MaxPixels)/width/height) * pointsPerInch)
	dpi := min(r.DPI, most)
	// A page that is long and thin has at least one pixel across.
	if dpi < 1 || max(width, height)*float64(dpi)/pointsPerInch > float64(r.MaxPixels) {
		return 0, errors.New("the page is too large to be drawn")
	}
	return dpi, nil
}
