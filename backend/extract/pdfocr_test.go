package extract

import (
	"slices"
	"testing"
	"time"

	"fanous/backend/extract/pdftest"
)

func TestPDFDate(t *testing.T) {
	for text, want := range map[string]string{
		"D:20240315103000+03'30'": "2024-03-15T07:00:00Z",
		"D:20240315103000-05'00":  "2024-03-15T15:30:00Z",
		"D:20240315103000Z00'00'": "2024-03-15T10:30:00Z",
		"D:20240315103000":        "2024-03-15T10:30:00Z",
		"20240315":                "2024-03-15T00:00:00Z",
		"D:2024":                  "2024-01-01T00:00:00Z",
		"D:20241315":              "",
		"D:202403151030001":       "",
		"yesterday":               "",
		"":                        "",
	} {
		got := ""
		if d := parsePDFDate(text); !d.IsZero() {
			got = d.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestPDFPagesForOCR: a page is offered that shows something without saying what, and no blank one.
func TestPDFPagesForOCR(t *testing.T) {
	p := &pdftest.Hand{}
	words := func(text string) string { return p.Show(40, 500, 20, pdftest.Glyphs(text)...) }
	p.Pages = []string{words("first"), "0 0 100 100 re f", "", words("\ue001\ue002 xyz"), words("most of it \ue003"), words("\ufffd\ufffd x")}
	c, err := extractBytes(t, p.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Images, []int{2}) || !slices.Equal(c.Unreliable, []int{4, 6}) {
		t.Errorf("images %d, unreliable %d", c.Images, c.Unreliable)
	}
	if want := []string{"page 4: text unreliable", "page 6: text unreliable", "pages 2 to 3: no text"}; !slices.Equal(c.Warnings, want) {
		t.Errorf("warnings %q, want %q", c.Warnings, want)
	}
}
