package pdfium_test

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	reference "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"fanous/backend/extract/pdfium"
	"fanous/backend/extract/pdftest"
)

// memory is what the documents of the tests may take.
const memory = 256 << 20

func load(t testing.TB) *pdfium.Library {
	t.Helper()
	l, err := pdfium.Load(memory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func open(t testing.TB, l *pdfium.Library, data []byte) *pdfium.Document {
	t.Helper()
	d, err := l.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// referenceEngine is the same build of pdfium under another runtime, called by another binding: wazero and go-pdfium.
func referenceEngine(t testing.TB) reference.Pdfium {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := wazero.NewCompilationCacheWithDir(filepath.Join(cache, "fanous", "pdfium-reference"))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxTotal: 1, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
		RuntimeConfig: wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).WithCompilationCache(compiled),
	})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := pool.GetInstance(time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		engine.Close()
		pool.Close()
	})
	return engine
}

// files are the PDFs that the tests of this project have.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, pattern := range []string{"../testdata/*.pdf", "../../../build/sample/docs/*.pdf", "../../../build/sample/docs/*/*.pdf"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if all[filepath.Base(name)], err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(all) < 5 {
		t.Fatal(len(all))
	}
	return all
}

// TestAsTheReference: the same pages have the same characters, the same notes and the same pixels under another runtime
// and another binding.
func TestAsTheReference(t *testing.T) {
	l, other := load(t), referenceEngine(t)
	for name, data := range files(t) {
		t.Run(name, func(t *testing.T) {
			d, err := l.Open(bytes.NewReader(data), int64(len(data)))
			opened, failed := other.OpenDocument(&requests.OpenDocument{FileReader: bytes.NewReader(data), FileReaderSize: int64(len(data))})
			if (err != nil) != (failed != nil) {
				t.Fatal(err, failed)
			}
			if err != nil {
				return
			}
			defer d.Close()
			count, err := d.PageCount()
			if err != nil {
				t.Fatal(err)
			}
			for i := range count {
				loaded, err := other.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: opened.Document, Index: i})
				if err != nil {
					t.Fatal(err)
				}
				page, err := d.Page(i)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, page, other, requests.Page{ByReference: &loaded.Page})
				page.Close()
			}
		})
	}
}

func compare(t *testing.T, page *pdfium.Page, other reference.Pdfium, ref requests.Page) {
	t.Helper()
	text, err := page.Text()
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	all := make([]pdfium.Character, text.Count()+1)
	if n, err := text.Characters(0, all); err != nil || n != text.Count() {
		t.Fatal(n, err)
	}
	loaded, err := other.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: ref})
	if err != nil {
		t.Fatal(err)
	}
	for i := range all[:text.Count()] {
		want := pdfium.Character{}
		if r, err := other.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: loaded.TextPage, Index: i}); err == nil {
			want.Unicode = uint32(r.Unicode)
		}
		if r, err := other.FPDFText_IsGenerated(&requests.FPDFText_IsGenerated{TextPage: loaded.TextPage, Index: i}); err == nil && r.IsGenerated {
			want.Flags |= pdfium.Generated
		}
		if r, err := other.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: loaded.TextPage, Index: i}); err == nil && r.HasUnicodeMapError {
			want.Flags |= pdfium.LacksUnicode
		}
		if r, err := other.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: loaded.TextPage, Index: i}); err == nil {
			want.Flags |= pdfium.HasBox
			want.Left, want.Top, want.Right, want.Bottom = r.Rect.Left, r.Rect.Top, r.Rect.Right, r.Rect.Bottom
		}
		if r, err := other.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: loaded.TextPage, Index: i}); err == nil {
			want.Flags |= pdfium.HasOrigin
			want.X, want.Y = r.X, r.Y
		}
		if all[i] != want {
			t.Fatalf("character %d: %+v, want %+v", i, all[i], want)
		}
	}
	width, height, err := page.Size()
	if err != nil {
		t.Fatal(err)
	}
	w, h := int(width), int(height)
	grey, err := page.Grey(w, h)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := other.RenderPageInPixels(&requests.RenderPageInPixels{Page: ref, Width: w, Height: h, ImageFormat: requests.RenderImageFormatGrayscale})
	if err != nil {
		t.Fatal(err)
	}
	defer drawn.Cleanup()
	want := drawn.Result.RenderedImage.(*image.Gray)
	for y := range h {
		if !bytes.Equal(grey.Pix[y*grey.Stride:][:w], want.Pix[y*want.Stride:][:w]) {
			t.Fatalf("row %d is drawn otherwise", y)
		}
	}
	colour, err := page.Colour(w, h)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := other.RenderPageInPixels(&requests.RenderPageInPixels{Page: ref, Width: w, Height: h, RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT})
	if err != nil {
		t.Fatal(err)
	}
	defer shown.Cleanup()
	of := shown.Result.RenderedImage.(*image.RGBA)
	onWhite := image.NewRGBA(of.Rect)
	draw.Draw(onWhite, of.Rect, image.White, image.Point{}, draw.Src)
	// Its colours do not count its transparency yet.
	draw.Draw(onWhite, of.Rect, &image.NRGBA{Pix: of.Pix, Stride: of.Stride, Rect: of.Rect}, of.Rect.Min, draw.Over)
	for i, want := range onWhite.Pix {
		if d := int(colour.Pix[i]) - int(want); d < -2 || d > 2 { // it is put onto white before or after
			t.Fatalf("byte %d is drawn as %d, want %d", i, colour.Pix[i], want)
		}
	}
}

// TestOpenSaysWhatIsWrong: a file that cannot be opened costs a sandbox and nothing else.
func TestOpenSaysWhatIsWrong(t *testing.T) {
	l := load(t)
	whole := files(t)["persian.pdf"]
	locked := func(by string) string {
		secret := strings.Repeat("41", 32)
		return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\n" +
			"3 0 obj<</Filter/" + by + "/V 1/R 2/P -4/O<" + secret + ">/U<" + secret + ">>>endobj\n" +
			"trailer<</Root 1 0 R/Encrypt 3 0 R/ID[<41><41>]>>\n%%EOF"
	}
	for name, c := range map[string]struct {
		file io.ReaderAt
		size int
		want string
	}{
		"empty":           {bytes.NewReader(nil), 0, "cannot have 0 bytes"},
		"too long":        {bytes.NewReader(nil), 1 << 33, "cannot have"},
		"no PDF":          {strings.NewReader("hello"), 5, "not a PDF"},
		"a password":      {strings.NewReader(locked("Standard")), len(locked("Standard")), pdfium.ErrPassword.Error()},
		"another lock":    {strings.NewReader(locked("Other")), len(locked("Other")), pdfium.ErrEncryption.Error()},
		"shorter than it": {bytes.NewReader(whole[:100]), len(whole), "not a PDF"},
		"panics":          {panicking{}, len(whole), "not a PDF"},
	} {
		d, err := l.Open(c.file, int64(c.size))
		if err == nil {
			d.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if held := l.Held(); held != 0 {
		t.Errorf("%d bytes are held for nothing", held)
	}
	d := open(t, l, whole)
	if held := l.Held(); held < 1<<20 || held > 64<<20 {
		t.Errorf("%d bytes for a small document", held)
	}
	if n, err := d.PageCount(); err != nil || n != 1 {
		t.Error(n, err)
	}
}

// TestABrokenPicture: pdfium's decoder of JPEG leaves errors by longjmp, as often as there are some.
func TestABrokenPicture(t *testing.T) {
	var picture bytes.Buffer
	noise := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i)
	}
	if err := jpeg.Encode(&picture, noise, nil); err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(picture.Bytes())
	tables := bytes.Index(broken, []byte{0xff, 0xc4})
	copy(broken[tables+5:], bytes.Repeat([]byte{0xff}, 16)) // codes of a length that has not so many
	const many = 500
	l := load(t)
	for _, c := range []struct {
		data  []byte
		shown bool
	}{{picture.Bytes(), true}, {broken, false}} {
		content := "0.5 g 0 590 50 10 re f\n"
		for i := range many {
			content += fmt.Sprintf("q 10 0 0 10 %d %d cm BI /W 64 /H 64 /BPC 8 /CS /G /F /DCT ID %s\nEI Q\n", i%20*10, i/20*10, c.data)
		}
		d := open(t, l, (&pdftest.Hand{Pages: []string{content}}).Bytes())
		page, err := d.Page(0)
		if err != nil {
			t.Fatal(err)
		}
		before := l.Held()
		drawn, err := page.Grey(400, 600)
		if err != nil {
			t.Fatal(err)
		}
		if grey := drawn.GrayAt(10, 5).Y; grey < 100 || grey > 160 {
			t.Errorf("what stands beside the pictures is drawn as %d", grey)
		}
		if grey := drawn.GrayAt(105, 595).Y; (grey != 0xff) != c.shown {
			t.Errorf("a picture that is shown: %v is drawn as %d", c.shown, grey)
		}
		if more := l.Held() - before; more > 16<<20 {
			t.Errorf("%d pictures took %d bytes", many, more)
		}
		page.Close()
	}
}

type panicking struct{}

func (panicking) ReadAt([]byte, int64) (int, error) { panic("a mistake") }

// TestAHugePictureTakesNoMoreThanItsSandbox: what does not fit is refused, and the document goes on.
func TestAHugePictureTakesNoMoreThanItsSandbox(t *testing.T) {
	l := load(t)
	d := open(t, l, files(t)["persian.pdf"])
	page, err := d.Page(0)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	if d.WantedMore() {
		t.Error("a small document wanted more")
	}
	if _, err := page.Colour(10_000, 10_000); err == nil { // 400 MB
		t.Error("drawn")
	}
	if !d.WantedMore() {
		t.Error("nobody knows why")
	}
	if held := l.Held(); held > memory {
		t.Errorf("%d bytes are held", held)
	}
	if drawn, err := page.Colour(100, 100); err != nil || drawn.Rect.Dx() != 100 {
		t.Error(err)
	}
}

// TestDocumentsTogether: each has a sandbox of its own.
func TestDocumentsTogether(t *testing.T) {
	l := load(t)
	var wait sync.WaitGroup
	for name, data := range files(t) {
		for range 4 {
			wait.Go(func() {
				d, err := l.Open(bytes.NewReader(data), int64(len(data)))
				if err != nil {
					return
				}
				defer d.Close()
				if count, err := d.PageCount(); err != nil || count == 0 {
					t.Errorf("%s: %d, %v", name, count, err)
				}
			})
		}
	}
	wait.Wait()
	if held := l.Held(); held != 0 {
		t.Errorf("%d bytes are held for nothing", held)
	}
}

// BenchmarkLoad is what each process pays for its first PDF.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		l, err := pdfium.Load(memory)
		if err != nil {
			b.Fatal(err)
		}
		l.Close()
	}
}

// BenchmarkOpen is what each document pays for its sandbox.
func BenchmarkOpen(b *testing.B) {
	l := load(b)
	data := files(b)["persian.pdf"]
	for b.Loop() {
		d, err := l.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			b.Fatal(err)
		}
		d.Close()
	}
}

// BenchmarkPages loads every page and its text, and says how long that takes of the time that it takes the reference.
func BenchmarkPages(b *testing.B) {
	l, other := load(b), referenceEngine(b)
	data := files(b)["persian.pdf"]
	d := open(b, l, data)
	opened, err := other.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		b.Fatal(err)
	}
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		page, err := d.Page(0)
		if err != nil {
			b.Fatal(err)
		}
		text, err := page.Text()
		if err != nil || text.Count() == 0 {
			b.Fatal(err)
		}
		text.Close()
		page.Close()
		ours += time.Since(start)
		start = time.Now()
		loaded, err := other.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: opened.Document})
		if err != nil {
			b.Fatal(err)
		}
		written, err := other.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: requests.Page{ByReference: &loaded.Page}})
		if err != nil {
			b.Fatal(err)
		}
		other.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: written.TextPage})
		other.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
		theirs += time.Since(start)
	}
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-wazero")
}
