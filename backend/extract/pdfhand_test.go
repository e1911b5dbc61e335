package extract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/extract/pdftest"
)

func extractBytes(t *testing.T, data []byte) (domain.Content, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return extractPath(context.Background(), reader, path)
}

func TestPDFHandMade(t *testing.T) {
	const persian = "سال ۱۴۰۲ کتاب نو"
	tests := []struct {
		name string
		make func(p *pdftest.Hand) string // content of the one page
		want []string
	}{
		{"visual order in one string", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Visual(pdftest.Glyphs(persian))...)
		}, []string{persian}},
		{"logical order, glyph by glyph", func(p *pdftest.Hand) string {
			// The number is drawn from left to right, as every writer does.
			x := 360.0
			b := p.ShowLeftwards(x, 500, 20, pdftest.Glyphs("سال ")...)
			b += p.Show(x-80, 500, 20, pdftest.Glyphs("۱۴۰۲")...)
			return b + p.ShowLeftwards(x-80, 500, 20, pdftest.Glyphs(" کتاب نو")...)
		}, []string{persian}},
		{"words drawn out of order", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Visual(pdftest.Glyphs("نو"))...) +
				p.Show(140, 500, 20, pdftest.Glyphs("۱۴۰۲")...) +
				p.Show(190, 500, 20, pdftest.Visual(pdftest.Glyphs("سال"))...) +
				p.Show(70, 500, 20, pdftest.Visual(pdftest.Glyphs("کتاب"))...)
		}, []string{"سال ۱۴۰۲ کتاب نو"}},
		{"presentation forms", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Visual(pdftest.Glyphs("ﻣﺤﻤﺪ ﻭ ﻋﻠﯽ"))...)
		}, []string{"محمد و علی"}},
		{"lam-alef as one presentation form", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Visual(pdftest.Glyphs("ﺳﻼﻡ ﮐﻼﺱ"))...)
		}, []string{"سلام کلاس"}},
		{"lam-alef as one glyph of two letters, visual", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Visual([]string{"س", "لا", "م", " ", "ک", "لا", "س"})...)
		}, []string{"سلام کلاس"}},
		{"lam-alef as one glyph of two letters, logical", func(p *pdftest.Hand) string {
			return p.ShowLeftwards(360, 500, 20, "س", "لا", "م", " ", "ک", "لا", "س")
		}, []string{"سلام کلاس"}},
		{"Latin ligature", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, "o", "ﬃ", "c", "e", " ", "fi", "n", "e")
		}, []string{"office fine"}},
		{"gaps instead of spaces", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Glyphs("one")...) + p.Show(76, 500, 20, pdftest.Glyphs("two")...)
		}, []string{"one two"}},
		{"kerned letters are one word", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, "A") + p.Show(48, 500, 20, "V") + p.Show(59, 500, 20, "A")
		}, []string{"AVA"}},
		{"drawn twice to look bold", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Glyphs("bold")...) + p.Show(40.4, 500, 20, pdftest.Glyphs("bold")...)
		}, []string{"bold"}},
		{"hyphens at line ends", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Glyphs("the com-")...) + p.Show(40, 476, 20, pdftest.Glyphs("mittee")...)
		}, []string{"the committee"}},
		{"a hyphen that the document writes elsewhere", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Glyphs("a well-known man, well-")...) + p.Show(40, 476, 20, pdftest.Glyphs("known here")...)
		}, []string{"a well-known man, well-known here"}},
		{"a mark drawn where the next letter stands", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, "น") + p.Show(50, 500, 20, "ี") + p.Show(50, 500, 20, "้") + p.Show(50, 500, 20, "ค")
		}, []string{"นี้ค"}},
		{"note number", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Glyphs("word")...) + p.Show(80, 507, 10, "1") + p.Show(90, 500, 20, pdftest.Glyphs("next")...)
		}, []string{"word 1 next"}},
		{"letters set apart", func(p *pdftest.Hand) string {
			b := ""
			for i, g := range pdftest.Glyphs("LIGHTHOUSE") {
				b += p.Show(40+20*float64(i), 500, 20, g)
			}
			return b
		}, []string{"LIGHTHOUSE"}},
		{"turned page", func(p *pdftest.Hand) string {
			p.Rotate = 90
			return strings.ReplaceAll(p.Show(300, 100, 20, pdftest.Glyphs("turned")...)+p.Show(324, 100, 20, pdftest.Glyphs("below")...), "1 0 0 1", "0 1 -1 0")
		}, []string{"turned below"}},
		{"stamp at the edge", func(p *pdftest.Hand) string {
			stamp := strings.ReplaceAll(p.Show(20, 200, 10, pdftest.Glyphs("stamp")...), "1 0 0 1", "0 1 -1 0")
			return stamp + p.Show(40, 500, 20, pdftest.Glyphs("body text")...)
		}, []string{"body text", "stamp"}},
		{"table", func(p *pdftest.Hand) string {
			return p.Show(40, 500, 20, pdftest.Glyphs("name")...) + p.Show(200, 500, 20, pdftest.Glyphs("year")...) +
				p.Show(40, 470, 20, pdftest.Glyphs("rock")...) + p.Show(200, 470, 20, pdftest.Glyphs("1874")...)
		}, []string{"name | year", "rock | 1874"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &pdftest.Hand{}
			p.Pages = []string{test.make(p)}
			c, err := extractBytes(t, p.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, b := range c.Blocks {
				got = append(got, b.Text)
			}
			diff(t, test.want, got)
			if len(c.Warnings) > 0 {
				t.Errorf("warnings %q", c.Warnings)
			}
		})
	}
}

func TestPDFStates(t *testing.T) {
	page := func(p *pdftest.Hand, text string) string { return p.Show(40, 500, 20, pdftest.Glyphs(text)...) }
	tests := []struct {
		name    string
		make    func(p *pdftest.Hand)
		want    error
		failed  bool // some other error
		text    string
		warning string
	}{
		{"no text layer", func(p *pdftest.Hand) { p.Pages = []string{"0 0 100 100 re f"} }, ErrNoText, false, "", "page 1: no text"},
		{"one page without text", func(p *pdftest.Hand) { p.Pages = []string{page(p, "first"), "0 0 9 9 re f"} }, nil, false, "first", "page 2: no text"},
		{"password", func(p *pdftest.Hand) { p.Pages, p.Encrypt = []string{page(p, "hidden")}, "user" }, ErrNeedsPassword, false, "", ""},
		{"password for changes only", func(p *pdftest.Hand) { p.Pages, p.Encrypt = []string{page(p, "open")}, "owner" }, nil, false, "open", ""},
		{"no map to characters", func(p *pdftest.Hand) { p.Pages, p.Unmapped = []string{page(p, "سلام جهان")}, true }, nil, false, "", "page 1: text unreliable"},
		{"private use", func(p *pdftest.Hand) { p.Pages = []string{page(p, "\ue001\ue002\ue003 x")} }, nil, false, "", "page 1: text unreliable"},
		{"circular page tree", func(p *pdftest.Hand) { p.Pages, p.Kids, p.Count = []string{page(p, "x")}, "2 0 R 2 0 R", "7" }, nil, true, "", ""},
		{"absurd number of pages", func(p *pdftest.Hand) { p.Pages, p.Count = []string{page(p, "only")}, "2000000000" }, nil, false, "only", ""},
		{"pages that are not there", func(p *pdftest.Hand) {
			p.Pages, p.Kids, p.Count = []string{page(p, "only")}, "5 0 R"+strings.Repeat(" 99 0 R", 300), "301"
		}, nil, false, "only", "the pages from 2 on could not be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &pdftest.Hand{}
			test.make(p)
			c, err := extractBytes(t, p.Bytes())
			t.Logf("%v %+v %q", err, c.Blocks, c.Warnings)
			if test.failed {
				if err == nil || errors.Is(err, ErrNoText) {
					t.Fatalf("error %v", err)
				}
				return
			}
			if !errors.Is(err, test.want) {
				t.Fatalf("error %v, want %v", err, test.want)
			}
			if test.text != "" && (len(c.Blocks) != 1 || c.Blocks[0].Text != test.text) {
				t.Errorf("blocks %+v, want %q", c.Blocks, test.text)
			}
			if got := strings.Join(c.Warnings, "\n"); got != test.warning {
				t.Errorf("warnings %q, want %q", got, test.warning)
			}
		})
	}
}

func TestPDFRunningHeads(t *testing.T) {
	for _, test := range []struct {
		name string
		foot []string // of the four pages
		kept int      // how many of them are kept
	}{
		{"page numbers", []string{"- 7 -", "- 8 -", "- 9 -", "- 10 -"}, 1},
		{"Persian page numbers", []string{"صفحه ۱", "صفحه ۲", "صفحه ۳", "صفحه ۴"}, 1},
		{"of all", []string{"1 of 4", "2 of 4", "3 of 4", "4 of 4"}, 1},
		{"in a chapter", []string{"3 Lamps 7", "3 Lamps 8", "3 Lamps 9", "3 Lamps 10"}, 1},
		{"totals", []string{"311", "278", "902", "144"}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &pdftest.Hand{}
			want := []string{"The head of all"}
			for i, word := range []string{"alpha", "beta", "gamma", "delta"} {
				foot := pdftest.Glyphs(test.foot[i])
				if newCluster(test.foot[i]).rightToLeft() {
					foot = pdftest.Visual(foot)
				}
				p.Pages = append(p.Pages, p.Show(40, 580, 10, pdftest.Glyphs("The head of all")...)+
					p.Show(40, 500, 10, pdftest.Glyphs("page of "+word)...)+p.Show(200, 20, 10, foot...))
				want = append(want, "page of "+word)
				if i < test.kept {
					want = append(want, test.foot[i])
				}
			}
			c, err := extractBytes(t, p.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, b := range c.Blocks {
				got = append(got, b.Text)
			}
			diff(t, want, got)
		})
	}
}

// TestPDFContents: the lines of a table of contents are no headings, however large.
func TestPDFContents(t *testing.T) {
	p := &pdftest.Hand{}
	page := p.Show(40, 580, 20, pdftest.Glyphs("One")...) + p.Show(40, 550, 20, pdftest.Glyphs("Two ........ 9")...)
	for line := range 20 {
		page += p.Show(40, 500-14*float64(line), 10, pdftest.Glyphs("the body of the text goes on and on.")...)
	}
	p.Pages = []string{page}
	c, err := extractBytes(t, p.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for _, b := range c.Blocks {
		if b.Kind == domain.KindHeading {
			headings = append(headings, b.Text)
		}
	}
	diff(t, []string{"One"}, headings)
}

// TestPDFMemory: a document that wants more memory than it may have fails, and says so.
func TestPDFMemory(t *testing.T) {
	x := New(Options{Memory: 32 << 20})
	defer x.Close()
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(path, (&pdftest.Hand{Pages: []string{strings.Repeat(" ", 40<<20)}}).Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := extractPath(context.Background(), x, path); err == nil || !strings.Contains(err.Error(), "more memory than the 32 MiB") {
		t.Error(err)
	}
	if _, err := extractPath(context.Background(), x, "testdata/persian.pdf"); err != nil {
		t.Error(err)
	}
}
