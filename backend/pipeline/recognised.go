package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/ocr"
	"fanous/backend/store"
)

// readPages reads the pictures on pages of a document, those that were not read before; each is kept as soon as it is
// read. It gives the blocks of the pages and says why it could not read some. Its error is of the file, errNoProgram, of
// the index or the end of ctx.
func (r *ingestRun) readPages(ctx context.Context, doc domain.Document, pages []int, beside []string) (read map[int][]domain.Block, failed []string, err error) {
	maker := r.OCR.Maker(beside)
	kept, err := r.Store.KeptPages(ctx, doc.ID, maker)
	if err != nil {
		return nil, nil, err
	}
	missing := slices.DeleteFunc(slices.Clone(pages), func(n int) bool { return kept[n] })
	if len(missing) > 0 {
		err = r.OCR.Pages(ctx, doc.Path, doc.Member, missing, extract.Raster{DPI: ocr.DPI, MaxPixels: ocr.MaxPixels}, func(page extract.Drawn) error {
			err := page.Err
			if pixels, grey := page.Pixels.(*image.Gray); grey {
				err = r.readPage(ctx, doc, page.Page, pixels, beside, maker)
			}
			if err == nil || ctx.Err() != nil || errors.Is(err, errNoProgram) || errors.Is(err, errIndex) {
				return err
			}
			failed = append(failed, fmt.Sprintf("page %d: its text was not recognised: %v", page.Page, err))
			return nil
		})
	}
	if ctx.Err() != nil || errors.Is(err, errNoProgram) || errors.Is(err, errIndex) {
		return nil, nil, err
	}
	read = map[int][]domain.Block{}
	for _, n := range pages {
		page, known, unread := keptPage(ctx, r.Store, doc.ID, n)
		if unread != nil {
			return nil, nil, fmt.Errorf("%w: %w", errIndex, unread)
		}
		if known {
			read[n] = page.Blocks(n)
		}
	}
	return read, failed, err
}

// errIndex says that the index, and not the document, was the matter.
var errIndex = errors.New("the recognised pages could not be kept")

// readPage reads a page when the machine has time for it, and keeps it. Its error is of the page, or one of readPages.
func (r *ingestRun) readPage(ctx context.Context, doc domain.Document, number int, pixels *image.Gray, languages []string, maker string) error {
	if err := r.hold(ctx); err != nil {
		return err
	}
	page, err := r.OCR.Read(ctx, pixels, languages)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, ocr.ErrFailed) && !errors.Is(err, ocr.ErrTooSlow) {
			err = fmt.Errorf("%w: %w", errNoProgram, err)
		}
		return err
	}
	words, err := json.Marshal(roughly(page))
	if err == nil {
		// As in reading: what was worked out is stored even when the run has just been cancelled.
		err = r.w.KeepPage(context.WithoutCancel(ctx), doc.ID, number, maker, words)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errIndex, err)
	}
	return nil
}

// roughly is a page whose places have the digits that count: a ten-thousandth of a page is a quarter of a pixel.
func roughly(page ocr.Page) ocr.Page {
	round := func(v *float64) { *v = math.Round(*v*1e4) / 1e4 }
	for _, p := range page.Paragraphs {
		for _, line := range p.Lines {
			for i := range line {
				w := &line[i]
				for _, v := range []*float64{&w.Box.X, &w.Box.Y, &w.Box.W, &w.Box.H, &w.Confidence} {
					round(v)
				}
			}
		}
	}
	return page
}

// keptPage gives a page that was recognised, if it is kept.
func keptPage(ctx context.Context, s *store.Store, document int64, number int) (page ocr.Page, known bool, err error) {
	words, err := s.KeptPage(ctx, document, number)
	if err != nil || words == nil {
		return ocr.Page{}, false, err
	}
	if err := json.Unmarshal(words, &page); err != nil {
		return ocr.Page{}, false, fmt.Errorf("words of page %d: %w", number, err)
	}
	return page, true, nil
}
