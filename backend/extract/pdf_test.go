package extract

import (
	"context"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"fanous/backend/domain"
)

// reader is shared by the tests that read PDF files.
var reader *Extractor

func TestMain(m *testing.M) {
	reader = New(Options{})
	code := m.Run()
	reader.Close()
	os.Exit(code)
}

// The PDF files in testdata are made from the HTML files beside them by
//
//	chromium --headless --no-sandbox --no-pdf-header-footer --print-to-pdf=NAME.pdf NAME.html
//
// with the Noto fonts installed.

// TestPDFPrintedPages compares what is read from a page printed by Chromium with what is read from
// the HTML that it was printed from. A page shows no joiners, no optional hyphens and no order of
// the marks on a letter.
func TestPDFPrintedPages(t *testing.T) {
	for _, name := range []string{"persian", "arabic", "indic", "syllables", "bidi", "columns", "rtlcolumns", "hyphens", "table"} {
		t.Run(name, func(t *testing.T) {
			want := extractFile(t, "testdata/"+name+".html")
			got := extractFile(t, "testdata/"+name+".pdf")
			unseen := strings.NewReplacer("\u200c", "", "\u00ad", "")
			var a, b []string
			for _, x := range want.Blocks {
				a = append(a, norm.NFC.String(unseen.Replace(x.Text)))
			}
			for _, x := range got.Blocks {
				b = append(b, norm.NFC.String(x.Text))
				if x.Place.Page != 1 {
					t.Errorf("page %d", x.Place.Page)
				}
			}
			diff(t, a, b)
			if got.Title != want.Title {
				t.Errorf("title %q, want %q", got.Title, want.Title)
			}
		})
	}
}

func extractFile(t *testing.T, path string) domain.Content {
	t.Helper()
	c, err := extractPath(context.Background(), reader, path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

// diff reports the first difference of two lists of texts.
func diff(t *testing.T, want, got []string) {
	t.Helper()
	for i := 0; i < max(len(want), len(got)); i++ {
		switch {
		case i >= len(got):
			t.Fatalf("block %d missing: %q", i, want[i])
		case i >= len(want):
			t.Fatalf("block %d too many: %q", i, got[i])
		case want[i] != got[i]:
			t.Errorf("block %d\n got %q\nwant %q", i, got[i], want[i])
		}
	}
}
