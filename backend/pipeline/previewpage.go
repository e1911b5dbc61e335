package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/language"
	"fanous/backend/reader"
)

const (
	// maxPreviewWidth and maxPreviewHeight are of the picture of a page, in pixels.
	maxPreviewWidth  = 1600
	maxPreviewHeight = 2000
	// maxPNG is from how many bytes on a picture is sent as JPEG: letters are sharper in the one, photographs smaller in
	// the other.
	maxPNG = 1 << 20
	// jpegQuality keeps letters on a photograph of them readable.
	jpegQuality = 88
)

// page draws the page of a passage, or the one asked for, and says what stands where on it.
func (p *Previewer) page(ctx context.Context, doc domain.Document, passage domain.Chunk, req domain.PreviewRequest, query language.Query) (*domain.PreviewPage, error) {
	number := max(1, passage.Place.Page)
	if req.Page > 0 {
		number = req.Page
	}
	size := extract.Raster{
		Width: min(req.Width, maxPreviewWidth), Height: maxPreviewHeight, MaxPixels: maxPreviewWidth * maxPreviewHeight, Colour: true, Text: true,
	}
	drawn, err := p.draw(ctx, doc, number, size)
	if err != nil {
		return nil, err
	}
	bounds := drawn.Pixels.Bounds()
	out := &domain.PreviewPage{Number: number, Of: drawn.Of, Width: bounds.Dx(), Height: bounds.Dy(), Passage: []domain.Box{}, Marks: []domain.Box{}}
	if out.Image, err = encode(drawn.Pixels); err != nil {
		return nil, err
	}
	return out, p.mark(ctx, out, doc, passage, drawn.Text, query)
}

// lingering is how long a page is drawn on that nobody waits for any more: most are done by then, and what draws them
// would have to be started anew if it were ended.
const lingering = 300 * time.Millisecond

// draw gives one page. It returns as soon as ctx ends.
func (p *Previewer) draw(ctx context.Context, doc domain.Document, number int, size extract.Raster) (extract.Drawn, error) {
	if err, lost := p.lost.Load(doc.ID); lost {
		return extract.Drawn{}, err.(error)
	}
	work, end := context.WithCancel(context.WithoutCancel(ctx))
	finished := make(chan extract.Drawn, 1)
	go func() {
		defer end()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(lingering, end) })()
		page := extract.Drawn{Err: errors.New("nobody drew it")}
		err := p.Pages(work, doc.Path, doc.Member, []int{number}, size, func(d extract.Drawn) error {
			page = d
			return nil
		})
		if err != nil {
			page = extract.Drawn{Err: err}
		}
		var lost *reader.Lost
		if errors.As(err, &lost) {
			p.lost.Store(doc.ID, err)
		}
		finished <- page
	}()
	select {
	case page := <-finished:
		return page, page.Err
	case <-ctx.Done():
		return extract.Drawn{}, ctx.Err()
	}
}

// mark finds the passages of a page on it.
func (p *Previewer) mark(ctx context.Context, page *domain.PreviewPage, doc domain.Document, passage domain.Chunk, own []domain.Placed, query language.Query) error {
	chunks, err := p.Store.PageChunks(ctx, doc.ID, page.Number)
	if err != nil {
		return err
	}
	recognised, _, err := keptPage(ctx, p.Store, doc.ID, page.Number)
	if err != nil {
		return err
	}
	file, picture := newPlacing(own), newPlacing(recognised.Placed())
	for _, c := range chunks {
		text := file
		if c.OCR > 0 {
			text = picture
		}
		whole, marked := text.passage(c.Text, query.Highlights(c.Text))
		page.Marks = append(page.Marks, marked...)
		if c.ID == passage.ID {
			page.Passage = append(page.Passage, whole...)
		}
	}
	page.Marks = distinct(page.Marks)
	return nil
}

// distinct takes out boxes that came before: passages share sentences.
func distinct(boxes []domain.Box) []domain.Box {
	seen := map[domain.Box]bool{}
	out := boxes[:0]
	for _, b := range boxes {
		if !seen[b] {
			seen[b] = true
			out = append(out, b)
		}
	}
	return out
}

// encode gives a picture as PNG, or as JPEG where that has fewer bytes by far.
func encode(m image.Image) ([]byte, error) {
	var b bytes.Buffer
	quick := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := quick.Encode(&b, m); err != nil {
		return nil, fmt.Errorf("the picture of the page could not be made: %w", err)
	}
	if b.Len() <= maxPNG {
		return b.Bytes(), nil
	}
	b.Reset()
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, fmt.Errorf("the picture of the page could not be made: %w", err)
	}
	return b.Bytes(), nil
}
