package extract

import (
	"fmt"
	"strings"
	"testing"

	"fanous/backend/extract/pdftest"
)

// TestPDFNotes: what is filled in stands where the page shows it; comments, and values that the page has no appearance of,
// follow it.
func TestPDFNotes(t *testing.T) {
	appearance := func(p *pdftest.Hand, text string) string {
		drawn := p.Show(0, 5, 20, pdftest.Glyphs(text)...)
		return fmt.Sprintf("<< /Type /XObject /Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F1 3 0 R >> >> /Length %d >>\nstream\n%s\nendstream", len(drawn), drawn)
	}
	const persian = "<FEFF06AF063206270631 0634>"
	tests := []struct {
		name, annots string
		shown        string // what the appearance of the first says
		want         string
	}{
		{"a field", `<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /V (Sara) /Rect [100 495 300 525] /AP << /N 9 0 R >> >>`, "Sara", "Name Sara Below\n"},
		{"a field whose parent has its value", `<< /Type /Annot /Subtype /Widget /Rect [100 495 300 525] /AP << /N 9 0 R >> >>`, "Sara", "Name Sara Below\n"},
		{"a field that nothing draws", `<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /V (Sara) /Rect [100 495 300 525] >>`, "", "Name Below\nSara\n"},
		{"a ticked box", `<< /Type /Annot /Subtype /Widget /FT /Btn /T (n) /V /Yes /AS /Yes /Rect [100 495 300 525] >>`, "", "Name Below\n"},
		{"a comment", `<< /Type /Annot /Subtype /Text /T (Reza) /Contents ` + persian + ` /Rect [100 495 120 515] >>`, "", "Name Below\nReza: گزارش\n"},
		{"a highlight and its popup", `<< /Type /Annot /Subtype /Highlight /T (Reza) /Contents (see me) /Rect [100 495 120 515] /QuadPoints [0 0 1 0 0 1 1 1] >> << /Type /Annot /Subtype /Popup /Contents (see me) /Rect [0 0 9 9] >>`, "", "Name Below\nReza: see me\n"},
		{"free text", `<< /Type /Annot /Subtype /FreeText /T (Reza) /Contents (over) /Rect [100 495 300 525] /AP << /N 9 0 R >> >>`, "over", "Name over Below\n"},
		{"free text that nothing draws", `<< /Type /Annot /Subtype /FreeText /Contents (over) /Rect [100 495 300 525] >>`, "", "Name Below\nover\n"},
		{"hidden ones and links", `<< /Type /Annot /Subtype /Text /F 2 /Contents (no) /Rect [0 0 9 9] >> << /Type /Annot /Subtype /Link /Contents (no) /Rect [0 0 9 9] >>`, "", "Name Below\n"},
		{"no annotation at all", `null 7 (x) << >> 99 0 R`, "", "Name Below\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &pdftest.Hand{Annots: test.annots}
			p.Pages = append(p.Pages, p.Show(40, 500, 20, pdftest.Glyphs("Name")...)+p.Show(40, 400, 20, pdftest.Glyphs("Below")...), "")
			p.More = []string{appearance(p, test.shown)}
			c, err := extractBytes(t, p.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, b := range c.Blocks {
				if b.Place.Page == 1 {
					fmt.Fprintln(&got, b.Text)
				}
			}
			if got.String() != test.want {
				t.Errorf("got\n%swant\n%s", got.String(), test.want)
			}
		})
	}
}

// TestPDFNotesOnPictures: a page without text stays one for OCR, whatever is written onto it.
func TestPDFNotesOnPictures(t *testing.T) {
	p := &pdftest.Hand{Annots: `<< /Type /Annot /Subtype /Text /Contents (read this) /Rect [0 0 9 9] >>`, Pages: []string{"0 0 400 300 re f"}}
	c, err := extractBytes(t, p.Bytes())
	if err != nil || len(c.Images) != 1 || outlineOf(c.Blocks) != "p [] read this\n" {
		t.Errorf("%+v %v", c, err)
	}
}
