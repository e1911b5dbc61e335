package extract

import (
	"fmt"
	"slices"
	"testing"

	"fanous/backend/extract/pdftest"
)

// outlined is a PDF of pages with lines of text under one another, and an outline.
func outlined(pages [][]string, catalog string, outline ...string) *pdftest.Hand {
	p := &pdftest.Hand{Catalog: catalog, More: outline}
	for _, lines := range pages {
		content := ""
		for i, line := range lines {
			size := 12.0
			if line[0] < 'A' { // a heading
				size = 18
			}
			content += p.Show(40, 500-60*float64(i), size, pdftest.Glyphs(line)...)
		}
		p.Pages = append(p.Pages, content)
	}
	return p
}

// TestPDFOutline: what stands on a page is under the titles of the outline that lead there.
func TestPDFOutline(t *testing.T) {
	pages := [][]string{
		{"one is here"}, {"two is here", "1.1 Depth", "three is here"}, {"four is here"}, {"five is here"},
	}
	// objects 13 and on; pages are 5, 7, 9 and 11
	p := outlined(pages, "/Outlines 13 0 R",
		"<< /Type /Outlines /First 14 0 R /Last 17 0 R >>",
		"<< /Title (Lake) /Parent 13 0 R /Dest [7 0 R /Fit] /First 15 0 R /Last 16 0 R /Next 17 0 R >>",
		"<< /Title (Depth) /Parent 14 0 R /A << /S /GoTo /D [7 0 R /Fit] >> /Next 16 0 R >>",
		"<< /Title <FEFF06320644063206440647> /Parent 14 0 R /Dest [9 0 R /Fit] >>",
		"<< /Title (Nowhere) /Parent 13 0 R /Next 18 0 R >>",
		"<< /Title (Bridge) /Parent 13 0 R /Dest [11 0 R /Fit] >>",
	)
	c, err := extractBytes(t, p.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range c.Blocks {
		got = append(got, fmt.Sprintf("%d %s: %s", b.Place.Page, b.Place.Heading, b.Text))
	}
	want := []string{
		"1 : one is here", "2 Lake: two is here", "2 Lake › Depth: 1.1 Depth", "2 Lake › Depth: three is here",
		"3 Lake › زلزله: four is here", "4 Bridge: five is here",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestPDFOutlineInCircles: an outline that leads back to itself ends.
func TestPDFOutlineInCircles(t *testing.T) {
	p := outlined([][]string{{"one is here"}}, "/Outlines 7 0 R",
		"<< /Type /Outlines /First 8 0 R /Last 8 0 R >>",
		"<< /Title (Round) /Parent 7 0 R /Dest [5 0 R /Fit] /First 8 0 R /Next 8 0 R >>",
	)
	c, err := extractBytes(t, p.Bytes())
	if err != nil || len(c.Blocks) != 1 {
		t.Fatalf("%v, %v", c.Blocks, err)
	}
}
