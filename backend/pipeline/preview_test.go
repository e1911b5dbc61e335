package pipeline_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/extract/pdftest"
	"fanous/backend/language"
	"fanous/backend/pipeline"
	"fanous/backend/reader"
)

// previewer shows what the fixture has indexed.
func (f *fixture) previewer() *pipeline.Previewer {
	return &pipeline.Previewer{Store: f.store, Pages: f.ingest.Reader.(*extract.Extractor).Pages}
}

// first gives the best passage for a query by its words.
func (f *fixture) first(query string) int64 {
	f.t.Helper()
	found, err := f.store.Lexical(f.t.Context(), f.collection().ID, language.ParseQuery(query).Match(nil), 1, 1)
	if err != nil || len(found) == 0 {
		f.t.Fatalf("nothing found: %v", err)
	}
	return found[0].ChunkID
}

func (f *fixture) preview(req domain.PreviewRequest) domain.Preview {
	f.t.Helper()
	out, err := f.previewer().Preview(f.t.Context(), req)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// near says whether a box is where it should be, in points of a letter.
func near(b domain.Box, x, y, w, h float64) bool {
	for _, d := range []float64{b.X*612 - x, b.Y*792 - y, b.W*612 - w, b.H*792 - h} {
		if math.Abs(d) > 1.5 {
			return false
		}
	}
	return true
}

// pdfs is a fixture with an Extractor of its own.
func pdfs(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	f := newFixture(t, files)
	x := extract.New(extract.Options{})
	t.Cleanup(x.Close)
	f.ingest.Reader = x
	return f
}

func TestPreviewOfPage(t *testing.T) {
	f := pdfs(t, map[string]string{"a.pdf": string(pdftest.Letter(
		[]string{"Nothing is here."}, []string{"The lantern shines", "and lanterns glow \\(all of them\\)."}, []string{"The end."}))})
	f.run(t.Context(), nil)
	got := f.preview(domain.PreviewRequest{ChunkID: f.first("lantern"), Query: "lantern", Width: 800})
	page := got.Page
	if page == nil || got.Notice != nil || !got.Paged {
		t.Fatalf("%+v", got)
	}
	picture, kind, err := image.Decode(bytes.NewReader(page.Image))
	if err != nil || kind != "png" || picture.Bounds().Dx() != 800 || page.Width != 800 || page.Height != picture.Bounds().Dy() {
		t.Fatalf("%s of %d × %d: %v", kind, page.Width, page.Height, err)
	}
	if page.Number != 2 || page.Of != 3 || got.Place.Page != 2 {
		t.Errorf("page %d of %d", page.Number, page.Of)
	}
	// The widths are those of Helvetica: "The " 40.02 points, "lantern" 61.14, "and " 38.92; a line reaches 17 points up and 5 down.
	if len(page.Marks) != 2 || !near(page.Marks[0], 72+40.02, 92-17, 61.14, 22) || !near(page.Marks[1], 72+38.92, 132-17, 71.14, 22) {
		t.Errorf("marks %+v", page.Marks)
	}
	if len(page.Passage) != 2 || !near(page.Passage[0], 72, 92-17, 164.52, 22) {
		t.Errorf("passage %+v", page.Passage)
	}
	if m := page.Marks[0]; !inked(picture, m) || inked(picture, domain.Box{X: m.X, Y: m.Y + m.H, W: m.W, H: m.H / 2}) {
		t.Error("the mark is beside its word")
	}

	other := f.preview(domain.PreviewRequest{ChunkID: got.ChunkID, Query: "end", Page: 3, Width: 400}).Page
	if other == nil || other.Number != 3 || len(other.Passage) != 0 || len(other.Marks) != 1 {
		t.Errorf("%+v", other)
	}
	if beyond := f.preview(domain.PreviewRequest{ChunkID: got.ChunkID, Page: 4, Width: 400}); beyond.Page != nil || beyond.Notice.Code != domain.CodePageFailed {
		t.Errorf("%+v", beyond)
	}
	if small := f.preview(domain.PreviewRequest{ChunkID: got.ChunkID, Width: 100_000}).Page; small.Width > 1600 || small.Height > 2000 {
		t.Errorf("%d × %d", small.Width, small.Height)
	}
}

// TestPreviewOfSample: every passage of the sample's PDFs, in three languages, stands somewhere on its page, and its words are
// marked as often as they are highlighted.
func TestPreviewOfSample(t *testing.T) {
	paths, err := filepath.Glob("../../build/sample/docs/*.pdf")
	if err != nil || len(paths) == 0 {
		t.Fatal("there is no sample collection", err)
	}
	files := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(data)
	}
	f := pdfs(t, files)
	f.run(t.Context(), nil)
	passages := 0
	for id := int64(1); id < 200; id++ {
		view, err := f.store.ChunkView(t.Context(), id)
		if err != nil {
			break
		}
		passages++
		word := slices.MaxFunc(strings.Fields(view.Chunk.Text), func(a, b string) int { return len(a) - len(b) })
		page := f.preview(domain.PreviewRequest{ChunkID: id, Query: word, Width: 300}).Page
		lines := strings.Count(view.Chunk.Text, "\n") + 1
		if marks := language.ParseQuery(word).Highlights(view.Chunk.Text); page == nil || len(page.Passage) < lines || len(page.Marks) < len(marks) || len(marks) == 0 {
			t.Errorf("%s: %q in %q: %+v", view.Document.Title, word, view.Chunk.Text, page)
		}
	}
	if passages < 15 {
		t.Errorf("only %d passages", passages)
	}
}

// inked says whether anything dark is in a box.
func inked(m image.Image, b domain.Box) bool {
	w, h := float64(m.Bounds().Dx()), float64(m.Bounds().Dy())
	for y := b.Y * h; y < (b.Y+b.H)*h; y++ {
		for x := b.X * w; x < (b.X+b.W)*w; x++ {
			if r, _, _, _ := m.At(int(x), int(y)).RGBA(); r < 0x8000 {
				return true
			}
		}
	}
	return false
}

// TestPreviewOfText: the text around a passage is the document's, each sentence once; pages of it follow one another.
func TestPreviewOfText(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "Sentence %d of the چراغ book is here. ", i)
	}
	f := newFixture(t, map[string]string{"a.txt": text.String()})
	f.run(t.Context(), nil)
	got := f.preview(domain.PreviewRequest{ChunkID: f.first("1500"), Query: "چراغ 1500", Width: 800})
	in := got.Text
	if got.Paged || got.Page != nil || got.Notice != nil || in.Earlier == 0 || in.Later == 0 || len(in.Text) > 40<<10 {
		t.Fatalf("%+v", got)
	}
	if passage := in.Text[in.Passage[0]:in.Passage[1]]; !strings.Contains(passage, "Sentence 1500 of") {
		t.Errorf("passage %q", passage)
	}
	if !strings.Contains(text.String(), strings.ReplaceAll(in.Text, "\n", " ")) {
		t.Errorf("not the document's own text: %.300q", in.Text)
	}
	for _, m := range in.Marks {
		if w := in.Text[m[0]:m[1]]; w != "چراغ" && w != "1500" {
			t.Errorf("marked %q", w)
		}
	}
	seen := 0
	for at := in; at.Earlier != 0; seen++ {
		at = f.preview(domain.PreviewRequest{ChunkID: got.ChunkID, Near: at.Earlier}).Text
		if at.Earlier == 0 && !strings.HasPrefix(at.Text, "Sentence 0 ") || len(at.Passage) > 0 && seen > 0 {
			t.Fatalf("%.100q", at.Text)
		}
	}
	if seen < 2 {
		t.Errorf("%d pages before it", seen)
	}
	matches, err := f.previewer().Matches(t.Context(), got.ChunkID, "1500 OR 2000 -nothing")
	if err != nil || len(matches.Matches) < 2 || matches.More || matches.Matches[0].Ordinal >= matches.Matches[len(matches.Matches)-1].Ordinal {
		t.Errorf("%+v %v", matches, err)
	}
}

// zipped is an archive of one file.
func zipped(t *testing.T, name, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = io.WriteString(w, content)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPreviewOfMember: a document in an archive is drawn from there.
func TestPreviewOfMember(t *testing.T) {
	f := pdfs(t, map[string]string{"a.zip": zipped(t, "in/letter.pdf", string(pdftest.Letter([]string{"A lantern."})))})
	f.run(t.Context(), nil)
	got := f.preview(domain.PreviewRequest{ChunkID: f.first("lantern"), Query: "lantern", Width: 400})
	if got.Member != "in/letter.pdf" || got.Page == nil || len(got.Page.Marks) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestPreviewWithoutFile: whatever became of the file, its indexed text is shown, and why it is that.
func TestPreviewWithoutFile(t *testing.T) {
	drawings := 0
	lost := func(context.Context, string, string, []int, extract.Raster, func(extract.Drawn) error) error {
		drawings++
		return &reader.Lost{Reason: "it span"}
	}
	for name, test := range map[string]struct {
		do    func(path string) error
		pages func(context.Context, string, string, []int, extract.Raster, func(extract.Drawn) error) error
		want  domain.Code
	}{
		"gone":    {os.Remove, nil, domain.CodeFileGone},
		"changed": {func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) }, nil, domain.CodeFileChanged},
		"damaged": {func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			broken := bytes.Repeat([]byte("x"), int(info.Size()))
			return errors.Join(os.WriteFile(path, broken, 0o600), os.Chtimes(path, time.Time{}, info.ModTime()))
		}, nil, domain.CodePageFailed},
		"spins": {func(string) error { return nil }, lost, domain.CodeFileBusy},
	} {
		t.Run(name, func(t *testing.T) {
			f := pdfs(t, map[string]string{"a.pdf": string(pdftest.Letter([]string{"The lantern shines."}))})
			f.run(t.Context(), nil)
			if err := test.do(filepath.Join(f.dir, "a.pdf")); err != nil {
				t.Fatal(err)
			}
			p := f.previewer()
			if test.pages != nil {
				p.Pages = test.pages
			}
			got, err := p.Preview(t.Context(), domain.PreviewRequest{ChunkID: f.first("lantern"), Query: "lantern", Width: 400})
			if err != nil || got.Page != nil || got.Notice == nil || got.Notice.Code != test.want {
				t.Fatalf("%+v %+v: %v", got, got.Notice, err)
			}
			if test.pages != nil { // once
				again, err := p.Preview(t.Context(), domain.PreviewRequest{ChunkID: got.ChunkID, Width: 400})
				if err != nil || again.Notice.Code != test.want || drawings != 1 {
					t.Errorf("drawn %d times: %+v %v", drawings, again.Notice, err)
				}
			}
			if got.Text.Text != "The lantern shines." || len(got.Text.Marks) != 1 {
				t.Errorf("%+v", got.Text)
			}
		})
	}
	f := newFixture(t, nil)
	if _, err := f.previewer().Preview(t.Context(), domain.PreviewRequest{ChunkID: 7}); domain.CodeOf(err) != domain.CodeNotFound {
		t.Error(err)
	}
}
