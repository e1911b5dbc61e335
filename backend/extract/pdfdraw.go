package extract

import (
	"context"
	"fmt"
	"image"
	"math"

	"fanous/backend/extract/pdfium"
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
			of, err := d.PageCount()
			if err != nil {
				return fmt.Errorf("the PDF is damaged: %w", err)
			}
			for _, n := range pages {
				page := d.draw(n, size)
				page.Page, page.Of = n, of
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
	page, err := d.Page(number - 1)
	if err != nil {
		return Drawn{Err: fmt.Errorf("the page could not be read: %w", err)}
	}
	defer page.Close()
	var out Drawn
	if out.Pixels, out.Err = render(page, size); out.Err == nil && size.Text {
		out.Text, out.Err = d.placed(page)
	}
	return out
}

// render gives the pixels of a page.
func render(page *pdfium.Page, size Raster) (pixels image.Image, err error) {
	const pointsPerInch = 72
	width, height, err := page.Size()
	if err != nil {
		return nil, fmt.Errorf("the page could not be read: %w", err)
	}
	most := math.Inf(1)
	if size.DPI > 0 {
		most = float64(size.DPI) / pointsPerInch
	}
	room, err := size.fit(width, height, most)
	if err != nil {
		return nil, err
	}
	if size.Colour { // for people, who want to see what is written beside the text
		pixels, err = page.Colour(room.X, room.Y)
	} else {
		pixels, err = page.Grey(room.X, room.Y)
	}
	if err != nil {
		return nil, fmt.Errorf("the page could not be drawn: %w", err)
	}
	return pixels, nil
}
