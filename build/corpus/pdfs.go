package corpus

import (
	"strings"

	"fanous/backend/domain"
	"fanous/backend/extract/pdftest"
)

// pdfs writes PDF files that no real writer can be made to produce.
func (m *maker) pdfs() error {
	show := func(p *pdftest.Hand, y float64, text string) string {
		return p.Show(40, y, 20, pdftest.Glyphs(text)...)
	}
	visual := func(p *pdftest.Hand, y float64, text string) string {
		return p.Show(40, y, 20, pdftest.Visual(pdftest.Glyphs(text))...)
	}
	found := func(query, marked string) Sought {
		return Sought{Query: query, Marked: []string{marked}, Place: domain.Place{Page: 1}}
	}
	for _, f := range []struct {
		file File
		make func(p *pdftest.Hand)
	}{
		{File{Name: "pdfs/visual.pdf", Sought: []Sought{found(`"سال ۱۴۰۲ کتاب"`, "سال ۱۴۰۲ کتاب"), found("1402", "۱۴۰۲")}}, func(p *pdftest.Hand) {
			p.Pages = []string{visual(p, 500, "در سال ۱۴۰۲ کتاب نو آمد")}
		}},
		{File{Name: "pdfs/logical.pdf", Sought: []Sought{found(`"کتاب تازه رسید"`, "کتاب تازه رسید")}}, func(p *pdftest.Hand) {
			p.Pages = []string{p.ShowLeftwards(360, 500, 20, pdftest.Glyphs("کتاب تازه رسید")...)}
		}},
		{File{Name: "pdfs/presentation-forms.pdf", Sought: []Sought{found("محمد", "محمد"), found("سلام", "سلام")}}, func(p *pdftest.Hand) {
			p.Pages = []string{visual(p, 500, "ﻣﺤﻤﺪ ﺳﻼﻡ ﮔﻔﺖ")}
		}},
		{File{Name: "pdfs/hyphens.pdf", Sought: []Sought{found("extraordinary", "extraordinary")}}, func(p *pdftest.Hand) {
			p.Pages = []string{show(p, 500, "the extra-") + show(p, 476, "ordinary lamp")}
		}},
		{File{Name: "pdfs/ligatures.pdf", Sought: []Sought{found("officer", "officer")}}, func(p *pdftest.Hand) {
			p.Pages = []string{p.Show(40, 500, 20, "o", "ﬃ", "c", "e", "r", " ", "o", "n", "e")}
		}},
		{File{Name: "pdfs/no-map.pdf", Warning: "page 1: text unreliable"}, func(p *pdftest.Hand) {
			p.Pages, p.Unmapped = []string{show(p, 500, "سلام جهان")}, true
		}},
		{File{Name: "pdfs/private-use.pdf", Warning: "page 2: text unreliable", Sought: []Sought{found("trusted", "trusted")}}, func(p *pdftest.Hand) {
			p.Pages = []string{show(p, 500, "trusted words"), show(p, 500, "\ue001\ue002\ue003 x")}
		}},
		{File{Name: "pdfs/no-text.pdf", State: domain.StateNoText, Warning: "page 1: no text"}, func(p *pdftest.Hand) { p.Pages = []string{"0 0 100 100 re f"} }},
		{File{Name: "pdfs/encrypted.pdf", State: domain.StateNeedsPassword}, func(p *pdftest.Hand) {
			p.Pages, p.Encrypt = []string{show(p, 500, "hidden")}, "user"
		}},
		{File{Name: "pdfs/only-changes-forbidden.pdf", Sought: []Sought{found("opened", "opened")}}, func(p *pdftest.Hand) {
			p.Pages, p.Encrypt = []string{show(p, 500, "opened without")}, "owner"
		}},
		{File{Name: "pdfs/circle.pdf", State: domain.StateFailed}, func(p *pdftest.Hand) {
			p.Pages, p.Kids, p.Count = []string{show(p, 500, "x")}, "2 0 R 2 0 R", "7"
		}},
		{File{Name: "pdfs/absurd.pdf", Sought: []Sought{found("lonely", "lonely")}}, func(p *pdftest.Hand) {
			p.Pages, p.Count = []string{show(p, 500, "lonely page")}, "2000000000"
		}},
		{File{Name: "pdfs/missing-pages.pdf", Warning: "could not be read", Sought: []Sought{found("first", "first")}}, func(p *pdftest.Hand) {
			p.Pages, p.Kids, p.Count = []string{show(p, 500, "first only")}, "5 0 R"+strings.Repeat(" 99 0 R", 300), "301"
		}},
		{File{Name: "pdfs/commented.pdf", Sought: []Sought{found("twite", "twite"), found("گزارش", "گزارش"), missing("popupghost")}}, func(p *pdftest.Hand) {
			p.Pages = []string{show(p, 500, "the twite")}
			p.Annots = `<< /Type /Annot /Subtype /Text /T (Reza) /Contents <FEFF06AF063206270631 0634> /Rect [100 495 120 515] >> << /Type /Annot /Subtype /Text /F 2 /Contents (popupghost) /Rect [0 0 9 9] >>`
		}},
		{File{Name: "pdfs/filled.pdf", Sought: []Sought{found("name", "name"), found("wigeon", "wigeon")}}, func(p *pdftest.Hand) {
			p.Pages = []string{show(p, 500, "name")}
			p.Annots = `<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /V (wigeon) /Rect [100 495 300 525] >>`
		}},
		{File{Name: "pdfs/turned.pdf", Sought: []Sought{found("sideways", "sideways")}}, func(p *pdftest.Hand) {
			p.Rotate = 90
			p.Pages = []string{strings.ReplaceAll(p.Show(300, 100, 20, pdftest.Glyphs("sideways text")...), "1 0 0 1", "0 1 -1 0")}
		}},
	} {
		p := &pdftest.Hand{}
		f.make(p)
		if err := m.put(f.file, p.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
