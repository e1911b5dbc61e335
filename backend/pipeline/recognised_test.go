package pipeline_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/ocr"
	"fanous/backend/pipeline"
)

// TestACancelCostsOnePage: what was recognised of a document before a cancel is not read again.
func TestACancelCostsOnePage(t *testing.T) {
	const pages = 20
	f := newFixture(t, map[string]string{"scan.txt": strings.Repeat("scan x\n", pages)})
	f.ingest.Reader = scans{f.ingest.Reader}
	var read []int
	stopAt := 8
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	counting := recognition(nil)
	inner := counting.Read
	counting.Read = func(ctx context.Context, page *image.Gray, languages []string) (ocr.Page, error) {
		n := page.Rect.Dx()
		if n == stopAt {
			cancel()
			return ocr.Page{}, ctx.Err()
		}
		read = append(read, n)
		return inner(ctx, page, languages)
	}
	f.ingest.OCR = counting
	if report := f.run(ctx, nil); !report.Canceled {
		t.Fatal("it was not cancelled")
	}
	f.want("before the cancel", len(read), stopAt-1)

	stopAt, read = 0, nil
	f.want("recognised", f.run(t.Context(), nil).Recognised, 1)
	if want := []int{8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}; !slices.Equal(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
	if got := f.passages("scan.txt"); len(got) != pages || got[0] != "~read 1" || got[pages-1] != "~read 20" {
		t.Errorf("%q", got)
	}

	// Another version of the file is read anew, and what was kept of the old one is gone.
	read = nil
	f.write("scan.txt", strings.Repeat("scan y\n", 2))
	f.run(t.Context(), nil)
	f.want("of a new version", len(read), 2)
	kept, err := f.store.KeptPages(t.Context(), f.document("scan.txt").ID, "made up")
	if err != nil || len(kept) != 2 {
		t.Errorf("%v %v", kept, err)
	}
}

// TestPreviewOfRecognised: where a recognised word stands is known by what recognised it.
func TestPreviewOfRecognised(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 100, 100))); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, map[string]string{"scan.png": picture.String()})
	pages := f.ingest.Reader.(*extract.Extractor).Pages
	place := domain.Box{X: 0.123456, Y: 0.2, W: 0.3, H: 0.04}
	word := func(text string, box domain.Box) ocr.Word { return ocr.Word{Text: text, Box: box, Confidence: 0.9} }
	f.ingest.OCR = &pipeline.Recognition{
		Pages: pages,
		Read: func(context.Context, *image.Gray, []string) (ocr.Page, error) {
			line := []ocr.Word{word("the", domain.Box{X: 0.05, Y: 0.2, W: 0.05, H: 0.04}), word("lantern,", place)}
			return ocr.Page{Paragraphs: []ocr.Paragraph{{Lines: [][]ocr.Word{line}}}}, nil
		},
		Maker: func([]string) string { return "made up" },
	}
	f.run(t.Context(), nil)
	got := f.preview(domain.PreviewRequest{ChunkID: f.first("lantern"), Query: "lantern", Width: 100})
	if got.Page == nil || got.OCR == 0 {
		t.Fatalf("%+v", got)
	}
	place.X = 0.1235
	if len(got.Page.Marks) != 1 || got.Page.Marks[0] != place || len(got.Page.Passage) != 1 || got.Page.Passage[0].X != 0.05 {
		t.Errorf("%+v", got.Page)
	}
}
