package extract

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"fanous/backend/domain"
)

// maxNotes is how many annotations are looked at on a page; links are among them.
const maxNotes = 10_000

// note is what somebody wrote onto a page: a comment, or what is filled in a field of a form.
type note struct {
	author, text string
	shown        bool // it has an appearance of its own, which stands on the page as its text does
}

// shows reads what a page shows: its text, and what is filled in and written onto it where that stands.
func (d *pdfDocument) shows(page requests.Page) (pageText, error) {
	text, err := d.glyphs(page)
	if err != nil {
		return pageText{}, err
	}
	notes := d.notes(page)
	drawn := slices.ContainsFunc(notes, func(n note) bool { return n.shown })
	if drawn && text.glyphs > 0 { // a page of pictures is left to OCR
		if _, failed := d.engine.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: page}); failed == nil {
			text, err = d.glyphs(page)
		}
	}
	text.notes = notes
	return text, err
}

// notes gives the notes of a page that the reader is to see.
func (d *pdfDocument) notes(page requests.Page) []note {
	count, err := d.engine.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil {
		return nil
	}
	var out []note
	for i := range min(count.Count, maxNotes) {
		got, err := d.engine.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: i})
		if err != nil {
			continue
		}
		if n := d.note(got.Annotation); n.text != "" || n.shown {
			out = append(out, n)
		}
		d.engine.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: got.Annotation})
	}
	return out
}

// note is what one annotation says.
func (d *pdfDocument) note(at references.FPDF_ANNOTATION) note {
	kind, err := d.engine.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: at})
	if err != nil {
		return note{}
	}
	switch kind.Subtype {
	case enums.FPDF_ANNOT_SUBTYPE_LINK, enums.FPDF_ANNOT_SUBTYPE_POPUP: // a popup says what the note that opens it says
		return note{}
	}
	flags, err := d.engine.FPDFAnnot_GetFlags(&requests.FPDFAnnot_GetFlags{Annotation: at})
	if err != nil || flags.Flags&(enums.FPDF_ANNOT_FLAG_HIDDEN|enums.FPDF_ANNOT_FLAG_NOVIEW) != 0 {
		return note{}
	}
	switch kind.Subtype {
	case enums.FPDF_ANNOT_SUBTYPE_WIDGET:
		return note{text: d.said(at, "V"), shown: true}
	case enums.FPDF_ANNOT_SUBTYPE_FREETEXT, enums.FPDF_ANNOT_SUBTYPE_STAMP:
		return note{text: d.said(at, "Contents"), shown: true}
	}
	return note{author: d.said(at, "T"), text: d.said(at, "Contents")}
}

// said is a text in an annotation; "" for a value of another kind, such as the name of a ticked box.
func (d *pdfDocument) said(at references.FPDF_ANNOTATION, key string) string {
	kind, err := d.engine.FPDFAnnot_GetValueType(&requests.FPDFAnnot_GetValueType{Annotation: at, Key: key})
	if err != nil || kind.ValueType != enums.FPDF_OBJECT_TYPE_STRING {
		return ""
	}
	value, err := d.engine.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: at, Key: key})
	if err != nil {
		return ""
	}
	return clean(value.Value)
}

// withNotes puts behind the text of each page what its notes say, unless the page shows it.
func withNotes(blocks []domain.Block, notes map[int][]note) []domain.Block {
	var out outline
	pages := slices.Sorted(maps.Keys(notes))
	from := 0                // the first block of the page
	upTo := func(page int) { // adds the notes of the pages up to and with this one
		for len(pages) > 0 && pages[0] <= page {
			n := pages[0]
			pages = pages[1:]
			own := out.blocks[from:]
			if len(own) > 0 && own[0].Place.Page != n {
				own = nil
			}
			for _, text := range unseen(notes[n], own) {
				out.add(domain.KindParagraph, text, domain.Place{Page: n})
			}
		}
	}
	for _, b := range blocks {
		if upTo(b.Place.Page - 1); from == len(out.blocks) || out.blocks[from].Place.Page != b.Place.Page {
			from = len(out.blocks)
		}
		out.joined = b.Place.Heading
		out.blocks = append(out.blocks, b)
	}
	upTo(math.MaxInt)
	return out.blocks
}

// unseen gives the texts of the notes of a page with this text.
func unseen(notes []note, page []domain.Block) []string {
	var text strings.Builder
	for i := range page {
		text.WriteString(letters(page[i].Text))
	}
	var out []string
	for _, n := range notes {
		switch {
		case n.text == "" || n.shown && strings.Contains(text.String(), letters(n.text)):
		case n.author == "":
			out = append(out, n.text)
		default:
			out = append(out, n.author+": "+n.text)
		}
	}
	return out
}

// letters gives the letters and digits of a text: a page shows no joiners, and breaks its lines elsewhere.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
