package extract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// glyphsOf are the characters of a text, one glyph each.
func glyphsOf(text string) []string { return strings.Split(text, "") }

// visual is a right-to-left text as a page shows it, from left to right; numbers are not turned.
func visual(glyphs []string) []string {
	out := slices.Clone(glyphs)
	slices.Reverse(out)
	number := func(s string) bool { return strings.ContainsAny(s, "0123456789۰۱۲۳۴۵۶۷۸۹") }
	for i := 0; i < len(out); i++ {
		k := i
		for k < len(out) && number(out[k]) {
			k++
		}
		slices.Reverse(out[i:k])
		i = max(i, k)
	}
	return out
}

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
		make func(p *handPDF) string // content of the one page
		want []string
	}{
		{"visual order in one string", func(p *handPDF) string {
			return p.show(40, 500, 20, visual(glyphsOf(persian))...)
		}, []string{persian}},
		{"logical order, glyph by glyph", func(p *handPDF) string {
			// The number is drawn from left to right, as every writer does.
			x := 360.0
			b := p.showLeftwards(x, 500, 20, glyphsOf("سال ")...)
			b += p.show(x-80, 500, 20, glyphsOf("۱۴۰۲")...)
			return b + p.showLeftwards(x-80, 500, 20, glyphsOf(" کتاب نو")...)
		}, []string{persian}},
		{"words drawn out of order", func(p *handPDF) string {
			return p.show(40, 500, 20, visual(glyphsOf("نو"))...) +
				p.show(140, 500, 20, glyphsOf("۱۴۰۲")...) +
				p.show(190, 500, 20, visual(glyphsOf("سال"))...) +
				p.show(70, 500, 20, visual(glyphsOf("کتاب"))...)
		}, []string{"سال ۱۴۰۲ کتاب نو"}},
		{"presentation forms", func(p *handPDF) string {
			return p.show(40, 500, 20, visual(glyphsOf("ﻣﺤﻤﺪ ﻭ ﻋﻠﯽ"))...)
		}, []string{"محمد و علی"}},
		{"lam-alef as one presentation form", func(p *handPDF) string {
			return p.show(40, 500, 20, visual(glyphsOf("ﺳﻼﻡ ﮐﻼﺱ"))...)
		}, []string{"سلام کلاس"}},
		{"lam-alef as one glyph of two letters, visual", func(p *handPDF) string {
			return p.show(40, 500, 20, visual([]string{"س", "لا", "م", " ", "ک", "لا", "س"})...)
		}, []string{"سلام کلاس"}},
		{"lam-alef as one glyph of two letters, logical", func(p *handPDF) string {
			return p.showLeftwards(360, 500, 20, "س", "لا", "م", " ", "ک", "لا", "س")
		}, []string{"سلام کلاس"}},
		{"Latin ligature", func(p *handPDF) string {
			return p.show(40, 500, 20, "o", "ﬃ", "c", "e", " ", "fi", "n", "e")
		}, []string{"office fine"}},
		{"gaps instead of spaces", func(p *handPDF) string {
			return p.show(40, 500, 20, glyphsOf("one")...) + p.show(76, 500, 20, glyphsOf("two")...)
		}, []string{"one two"}},
		{"kerned letters are one word", func(p *handPDF) string {
			return p.show(40, 500, 20, "A") + p.show(48, 500, 20, "V") + p.show(59, 500, 20, "A")
		}, []string{"AVA"}},
		{"drawn twice to look bold", func(p *handPDF) string {
			return p.show(40, 500, 20, glyphsOf("bold")...) + p.show(40.4, 500, 20, glyphsOf("bold")...)
		}, []string{"bold"}},
		{"hyphens at line ends", func(p *handPDF) string {
			return p.show(40, 500, 20, glyphsOf("the com-")...) + p.show(40, 476, 20, glyphsOf("mittee")...)
		}, []string{"the committee"}},
		{"a hyphen that the document writes elsewhere", func(p *handPDF) string {
			return p.show(40, 500, 20, glyphsOf("a well-known man, well-")...) + p.show(40, 476, 20, glyphsOf("known here")...)
		}, []string{"a well-known man, well-known here"}},
		{"note number", func(p *handPDF) string {
			return p.show(40, 500, 20, glyphsOf("word")...) + p.show(80, 507, 10, "1") + p.show(90, 500, 20, glyphsOf("next")...)
		}, []string{"word 1 next"}},
		{"letters set apart", func(p *handPDF) string {
			b := ""
			for i, g := range glyphsOf("LIGHTHOUSE") {
				b += p.show(40+20*float64(i), 500, 20, g)
			}
			return b
		}, []string{"LIGHTHOUSE"}},
		{"turned page", func(p *handPDF) string {
			p.rotate = 90
			return strings.ReplaceAll(p.show(300, 100, 20, glyphsOf("turned")...)+p.show(324, 100, 20, glyphsOf("below")...), "1 0 0 1", "0 1 -1 0")
		}, []string{"turned below"}},
		{"stamp at the edge", func(p *handPDF) string {
			stamp := strings.ReplaceAll(p.show(20, 200, 10, glyphsOf("stamp")...), "1 0 0 1", "0 1 -1 0")
			return stamp + p.show(40, 500, 20, glyphsOf("body text")...)
		}, []string{"body text", "stamp"}},
		{"table", func(p *handPDF) string {
			return p.show(40, 500, 20, glyphsOf("name")...) + p.show(200, 500, 20, glyphsOf("year")...) +
				p.show(40, 470, 20, glyphsOf("rock")...) + p.show(200, 470, 20, glyphsOf("1874")...)
		}, []string{"name | year", "rock | 1874"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &handPDF{}
			p.pages = []string{test.make(p)}
			c, err := extractBytes(t, p.bytes())
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
	page := func(p *handPDF, text string) string { return p.show(40, 500, 20, glyphsOf(text)...) }
	tests := []struct {
		name    string
		make    func(p *handPDF)
		want    error
		failed  bool // some other error
		text    string
		warning string
	}{
		{"no text layer", func(p *handPDF) { p.pages = []string{"0 0 100 100 re f"} }, ErrNoText, false, "", "page 1: no text"},
		{"one page without text", func(p *handPDF) { p.pages = []string{page(p, "first"), "0 0 9 9 re f"} }, nil, false, "first", "page 2: no text"},
		{"password", func(p *handPDF) { p.pages, p.encrypt = []string{page(p, "hidden")}, "user" }, ErrNeedsPassword, false, "", ""},
		{"password for changes only", func(p *handPDF) { p.pages, p.encrypt = []string{page(p, "open")}, "owner" }, nil, false, "open", ""},
		{"no map to characters", func(p *handPDF) { p.pages, p.unmapped = []string{page(p, "سلام جهان")}, true }, nil, false, "", "page 1: text unreliable"},
		{"private use", func(p *handPDF) { p.pages = []string{page(p, "\ue001\ue002\ue003 x")} }, nil, false, "", "page 1: text unreliable"},
		{"circular page tree", func(p *handPDF) { p.pages, p.kids, p.count = []string{page(p, "x")}, "2 0 R 2 0 R", "7" }, nil, true, "", ""},
		{"absurd number of pages", func(p *handPDF) { p.pages, p.count = []string{page(p, "only")}, "2000000000" }, nil, false, "only", ""},
		{"pages that are not there", func(p *handPDF) {
			p.pages, p.kids, p.count = []string{page(p, "only")}, "5 0 R"+strings.Repeat(" 99 0 R", 300), "301"
		}, nil, false, "only", "the pages from 2 on could not be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &handPDF{}
			test.make(p)
			c, err := extractBytes(t, p.bytes())
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
			p := &handPDF{}
			want := []string{"The head of all"}
			for i, word := range []string{"alpha", "beta", "gamma", "delta"} {
				foot := glyphsOf(test.foot[i])
				if newCluster(test.foot[i]).rightToLeft() {
					foot = visual(foot)
				}
				p.pages = append(p.pages, p.show(40, 580, 10, glyphsOf("The head of all")...)+
					p.show(40, 500, 10, glyphsOf("page of "+word)...)+p.show(200, 20, 10, foot...))
				want = append(want, "page of "+word)
				if i < test.kept {
					want = append(want, test.foot[i])
				}
			}
			c, err := extractBytes(t, p.bytes())
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
	p := &handPDF{}
	page := p.show(40, 580, 20, glyphsOf("One")...) + p.show(40, 550, 20, glyphsOf("Two ........ 9")...)
	for line := range 20 {
		page += p.show(40, 500-14*float64(line), 10, glyphsOf("the body of the text goes on and on.")...)
	}
	p.pages = []string{page}
	c, err := extractBytes(t, p.bytes())
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
