package pipeline_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/extract/pdftest"
	"fanous/backend/ocr"
	"fanous/backend/pipeline"
)

// TestTesseractReadsPicturesAndScans takes a picture and a PDF of it from their files to passages, with the real program.
func TestTesseractReadsPicturesAndScans(t *testing.T) {
	program, err := ocr.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	if missing, hint := program.Missing("linux"); len(missing) > 0 {
		t.Skipf("languages %q are missing: %s", missing, hint)
	}
	picture, err := os.ReadFile("../ocr/testdata/scan.png")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, map[string]string{"letter.png": string(picture), "scan.pdf": string(scannedPDF(t, picture))})
	f.ingest.OCR = &pipeline.Recognition{Pages: f.ingest.Reader.(*extract.Extractor).Pages, Read: program.Read, Maker: program.Maker}
	report := f.run(t.Context(), nil)
	f.want("recognised", report.Recognised, 2)
	f.want("indexed", report.Indexed, 2)
	f.want("problems", len(report.Problems), 0)
	for _, name := range []string{"letter.png", "scan.pdf"} {
		f.want(name, f.document(name).State, domain.StateIndexed)
		text := strings.Join(f.passages(name), "\n")
		for _, phrase := range []string{"گزارش بازرسی پل", "The harbour committee met on 14 March"} {
			if !strings.Contains(text, phrase) {
				t.Errorf("%s: %q was not read: %s", name, phrase, text)
			}
		}
		for _, passage := range f.passages(name) {
			if !strings.HasPrefix(passage, "~") {
				t.Errorf("%s: %q does not say that it was recognised", name, passage)
			}
		}
	}
}

// scannedPDF is a PDF whose only page, as wide as A4, is a picture.
func scannedPDF(t *testing.T, data []byte) []byte {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	size := m.Bounds()
	pixels := image.NewGray(size)
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			pixels.Set(x, y, color.GrayModel.Convert(m.At(x, y)))
		}
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(pixels.Pix); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const width = 595
	height := width * size.Dy() / size.Dx()
	draw := fmt.Sprintf("%d 0 0 %d 0 0 cm /Im Do", width, height)
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R /Resources << /XObject << /Im 5 0 R >> >> >>", width, height),
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(draw), draw),
		fmt.Sprintf("<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream",
			size.Dx(), size.Dy(), packed.Len(), packed.String()),
	}
	return pdftest.File(objects, "")
}
