package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/ocr"
	"fanous/backend/pipeline"
)

// scans is a reader of files of text whose lines are pages: "own TEXT" has text, "bad TEXT" text that is not to be
// trusted, "scan TEXT" none that can be read without OCR, "note TEXT" none but what is noted on it.
type scans struct{ pipeline.Reader }

func (s scans) Read(ctx context.Context, path string, each func(extract.Found) error) error {
	return s.Reader.Read(ctx, path, func(f extract.Found) error {
		own := f.Content.Blocks
		f.Content.Blocks = nil
		page := 0
		for _, b := range own {
			for line := range strings.Lines(b.Text) {
				page++
				kind, text, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch kind {
				case "scan":
					f.Content.Images = append(f.Content.Images, page)
					continue
				case "note":
					f.Content.Images = append(f.Content.Images, page)
				case "bad":
					f.Content.Unreliable = append(f.Content.Unreliable, page)
				}
				f.Content.Blocks = append(f.Content.Blocks, domain.Block{Text: text, Place: domain.Place{Page: page}})
			}
		}
		if len(f.Content.Blocks) == 0 {
			f.State, f.Reason = extract.StateOf(extract.ErrNoText)
		}
		return each(f)
	})
}

// recognition reads "read N" of page N, as wide as its number, unless errs has an error for it; a nil error: nothing.
func recognition(errs map[int]error) *pipeline.Recognition {
	return &pipeline.Recognition{
		Pages: func(_ context.Context, _, _ string, pages []int, _ extract.Raster, each func(extract.Drawn) error) error {
			for _, n := range pages {
				if err := each(extract.Drawn{Page: n, Pixels: image.NewGray(image.Rect(0, 0, n, 1))}); err != nil {
					return err
				}
			}
			return nil
		},
		Read: func(_ context.Context, page *image.Gray, _ []string) (ocr.Page, error) {
			n := page.Rect.Dx()
			if err, ok := errs[n]; ok {
				return ocr.Page{}, err
			}
			word := func(s string) ocr.Word { return ocr.Word{Text: s, Confidence: 0.8} }
			return ocr.Page{Paragraphs: []ocr.Paragraph{{Lines: [][]ocr.Word{{word("read"), word(fmt.Sprint(n))}}}}}, nil
		},
		Maker: func([]string) string { return "made up" },
	}
}

// passages are those of a file, in order, with "~" before recognised text.
func (f *fixture) passages(name string) []string {
	f.t.Helper()
	ids := make([]int64, 200) // more than the fixtures make
	for i := range ids {
		ids[i] = int64(i)
	}
	list, err := f.store.Passages(f.t.Context(), ids)
	if err != nil {
		f.t.Fatal(err)
	}
	id := f.document(name).ID
	var out []string
	for _, p := range list {
		if p.Document.ID != id {
			continue
		}
		text := p.Chunk.Text
		if p.Chunk.OCR > 0 {
			text = "~" + text
		}
		out = append(out, text)
	}
	return out
}

func (f *fixture) document(name string) domain.Document {
	f.t.Helper()
	files, err := f.store.Files(f.t.Context(), f.collection().ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return files[filepath.Join(f.dir, name)]
}

func TestPicturesAreRead(t *testing.T) {
	f := newFixture(t, map[string]string{
		"mixed.txt": "own first\nscan x\nbad garbage\nown last\nnote seen",
		"scan.txt":  "scan x\nscan y",
		"plain.txt": "own text",
	})
	f.ingest.Reader = scans{f.ingest.Reader}
	f.ingest.NoOCR = "Tesseract is not installed."
	report := f.run(t.Context(), nil)
	if want := "The pictures of 2 documents were not read: Tesseract is not installed."; !slices.Contains(report.Degraded, want) {
		t.Errorf("%q", report.Degraded)
	}
	f.want("waiting", f.document("scan.txt").OCR, domain.OCRWanted)

	f.ingest.OCR = recognition(nil)
	var phases []string
	report = f.run(t.Context(), func(p domain.IndexProgress) {
		if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
			phases = append(phases, p.Phase)
		}
	})
	f.want("recognised", report.Recognised, 2)
	if !slices.Contains(phases, domain.PhaseOCR) {
		t.Errorf("phases %q", phases)
	}
	if got, want := f.passages("mixed.txt"), []string{"first", "~read 2", "~read 3", "last", "~read 5", "seen"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := f.passages("scan.txt"), []string{"~read 1", "~read 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f.want("state", f.document("scan.txt").State, domain.StateIndexed)
	f.want("plain", f.document("plain.txt").OCR, domain.OCRNotWanted)
	f.want("read twice", f.run(t.Context(), nil).Recognised, 0)
}

// TestPicturesThatAreNotRead: what goes wrong with a page costs that page, with a document that document.
func TestPicturesThatAreNotRead(t *testing.T) {
	f := newFixture(t, map[string]string{
		"blank.txt":  "own text\nscan x",
		"broken.txt": "own text\n own text\nscan x",
		"half.txt":   "scan x\nown text\nscan x",
		"good.txt":   "scan x",
	})
	f.ingest.Reader = scans{f.ingest.Reader}
	f.ingest.OCR = recognition(map[int]error{2: nil, 3: fmt.Errorf("%w: it burns", ocr.ErrFailed)})
	report := f.run(t.Context(), nil)
	f.want("recognised", report.Recognised, 2)
	f.want("indexed", report.Indexed, 4)
	f.want("not indexed", report.NotIndexed, 0)
	for name, want := range map[string]domain.OCRState{
		"blank.txt": domain.OCRNothing, "broken.txt": domain.OCRFailed, "half.txt": domain.OCRDone, "good.txt": domain.OCRDone,
	} {
		f.want(name, f.document(name).OCR, want)
	}
	if w := f.document("half.txt").Warnings; len(w) != 1 || !strings.HasPrefix(w[0], "page 3: ") || !strings.HasSuffix(w[0], "it burns") {
		t.Errorf("%q", w)
	}
	if got := f.passages("blank.txt"); !slices.Equal(got, []string{"text"}) {
		t.Errorf("%q", got)
	}
	f.ingest.OCR = recognition(nil)
	f.want("tried again unasked", f.run(t.Context(), nil).Recognised, 0)
	f.ingest.Retry = true
	f.want("tried again", f.run(t.Context(), nil).Recognised, 1)
}

// TestARunWithoutItsProgram: a program that does not start is no document's fault.
func TestARunWithoutItsProgram(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "scan x", "b.txt": "scan x"})
	f.ingest.Reader = scans{f.ingest.Reader}
	f.ingest.OCR = recognition(map[int]error{1: errors.New("no such program")})
	report := f.run(t.Context(), nil)
	if len(report.Degraded) != 2 || !strings.Contains(report.Degraded[1], "no such program") {
		t.Errorf("%q", report.Degraded)
	}
	f.want("a", f.document("a.txt").OCR, domain.OCRWanted)
}

func TestReadingPicturesIsStopped(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "scan x", "b.txt": "scan x\nscan y"})
	f.ingest.Reader = scans{f.ingest.Reader}
	f.ingest.OCR = recognition(nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	report := f.run(ctx, func(p domain.IndexProgress) {
		if p.Phase == domain.PhaseOCR && p.OCRDone == 1 {
			cancel()
		}
	})
	if !report.Canceled {
		t.Error("it does not say so")
	}
	f.want("a", f.document("a.txt").OCR, domain.OCRDone)
	f.want("b", f.document("b.txt").OCR, domain.OCRWanted)
	f.want("goes on", f.run(t.Context(), nil).Recognised, 1)
}
