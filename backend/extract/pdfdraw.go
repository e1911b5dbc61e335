package extract

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// pages draws pages beside the caller, who is let go as soon as ctx ends, as in read.
func (r *pdfReader) pages(ctx context.Context, src source, pages []int, size Raster, each func(Drawn) error) error {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.slots }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	drawn := make(chan Drawn)
	finished := make(chan error, 1)
	go func() {
		finished <- r.with(ctx, src, func(d *pdfDocument) error {
			of, err := d.engine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.ref})
			if err != nil {
				return fmt.Errorf("the PDF is damaged: %w", err)
			}
			for _, n := range pages {
				page := d.draw(n, size)
				page.Page, page.Of = n, of.PageCount
				select {
				case drawn <- page:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}()
	for {
		select {
		case page := <-drawn:
			if err := each(page); err != nil {
				return err
			}
		case err := <-finished:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// draw gives a page as pixels, without its number.
func (d *pdfDocument) draw(number int, size Raster) Drawn {
	loaded, err := d.engine.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.ref, Index: number - 1})
	if err != nil {
		return Drawn{Err: fmt.Errorf("the page could not be read: %w", err)}
	}
	defer d.engine.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
	page := requests.Page{ByReference: &loaded.Page}
	var out Drawn
	if out.Pixels, out.Err = d.render(page, size); out.Err == nil && size.Text {
		out.Text, out.Err = d.placed(page)
	}
	return out
}

// render gives the pixels of a page.
func (d *pdfDocument) render(page requests.Page, size Raster) (image.Image, error) {
	const pointsPerInch = 72
	paper, err := d.engine.GetPageSize(&requests.GetPageSize{Page: page})
	if err != nil {
		return nil, fmt.Errorf("the page could not be read: %w", err)
	}
	most := math.Inf(1)
	if size.DPI > 0 {
		most = float64(size.DPI) / pointsPerInch
	}
	room, err := size.fit(paper.Width, paper.Height, most)
	if err != nil {
		return nil, err
	}
	ask := &requests.RenderPageInPixels{Page: page, Width: room.X, Height: room.Y, ImageFormat: requests.RenderImageFormatGrayscale}
	if size.Colour { // for people, who want to see what is written beside the text
		ask.ImageFormat, ask.RenderFlags = requests.RenderImageFormatRGBA, enums.FPDF_RENDER_FLAG_ANNOT
	}
	res, err := d.engine.RenderPageInPixels(ask)
	if err != nil {
		return nil, fmt.Errorf("the page could not be drawn: %w", err)
	}
	defer res.Cleanup()
	// Copied, for the sandbox's own go with it.
	switch drawn := res.Result.RenderedImage.(type) {
	case *image.Gray:
		pixels := image.NewGray(drawn.Rect)
		draw.Draw(pixels, pixels.Rect, drawn, drawn.Rect.Min, draw.Src)
		return pixels, nil
	case *image.RGBA:
		pixels := image.NewRGBA(drawn.Rect)
		draw.Draw(pixels, pixels.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
		// Its colours do not count its transparency yet.
		draw.Draw(pixels, pixels.Rect, &image.NRGBA{Pix: drawn.Pix, Stride: drawn.Stride, Rect: drawn.Rect}, drawn.Rect.Min, draw.Over)
		return pixels, nil
	}
	return nil, fmt.Errorf("the page could not be drawn: %T", res.Result.RenderedImage)
}
