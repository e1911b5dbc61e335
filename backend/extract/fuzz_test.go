package extract

import (
	"bytes"
	"context"
	"testing"
	"time"
	"unicode/utf8"

	"fanous/backend/domain"
	"fanous/backend/extract/pdftest"
)

// wellFormed holds what every format promises of its text.
func wellFormed(t testing.TB, content domain.Content) {
	t.Helper()
	for _, b := range content.Blocks {
		if !utf8.ValidString(b.Text) || b.Text == "" || b.Place.Page < 0 || b.Place.Line < 0 {
			t.Errorf("%+v", b)
		}
	}
}

// FuzzPDF goes through pdfium itself. A file that keeps it busy for long is given up: that is for the child process to end.
func FuzzPDF(f *testing.F) {
	p := &pdftest.Hand{}
	p.Pages = append(p.Pages, p.Show(40, 580, 8, pdftest.Glyphs("the keeper")...))
	f.Add(p.Bytes())
	p.Annots = "<< /Type /Annot /Subtype /Text /Contents (a) /Rect [0 0 9 9] >> << /Type /Annot /Subtype /Widget /V (b) /Rect [0 0 9 9] /AP << /N 6 0 R >> >>"
	f.Add(p.Bytes())
	f.Add([]byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 9/Kids[2 0 R]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		content, _, err := reader.pdf.read(ctx, source{ReaderAt: bytes.NewReader(data), name: "a.pdf", size: int64(len(data))})
		if err == nil {
			wellFormed(t, content)
		}
	})
}

// FuzzPlain is for the formats of bare text.
func FuzzPlain(f *testing.F) {
	f.Add("# Head\n\n- a\n- b\n\n| a | b |\n|---|---|\n| c | d |\n\n```go\nfunc x() {}\n```\n\n> [x](y) *z*\n")
	f.Add("package x\n\nfunc y() {\n\treturn\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // decodeText gives no such text
		}
		for _, read := range []func(context.Context, string) (domain.Content, error){readMarkdown, readCode, readText,
			func(ctx context.Context, text string) (domain.Content, error) { return readText(ctx, fromTeX(text)) }} {
			if content, err := read(context.Background(), text); err == nil {
				wellFormed(t, content)
			}
		}
	})
}
