package extract

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"fanous/backend/domain"
	"fanous/backend/extract/pdfium"
)

// maxNotes is how many annotations are looked at on a page; links are among them.
const maxNotes = 10_000

// note is what somebody wrote onto a page: a comment, or what is filled in a field of a form.
type note struct {
	author, text string
	shown        bool // it has an appearance of its own, which stands on the page as its text does
}

// shows reads what a page shows: its text, and what is filled in and written onto it where that stands.
func (d *pdfDocument) shows(page *pdfium.Page) (pageText, error) {
	text, err := d.glyphs(page)
	if err != nil {
		return pageText{}, err
	}
	notes := d.notes(page)
	drawn := slices.ContainsFunc(notes, func(n note) bool { return n.shown })
	if drawn && text.glyphs > 0 { // a page of pictures is left to OCR
		if page.Flatten() == nil {
			text, err = d.glyphs(page)
		}
	}
	text.notes = notes
	return text, err
}

// notes gives the notes of a page that the reader is to see, and takes the files that are attached to it.
func (d *pdfDocument) notes(page *pdfium.Page) []note {
	count, err := page.CountAnnotations()
	if err != nil {
		return nil
	}
	var out []note
	for i := range min(count, maxNotes) {
		annotation, err := page.Annotation(i)
		if err != nil {
			continue
		}
		if kind, err := annotation.Kind(); err == nil {
			if kind == pdfium.File {
				if file, ok := annotation.Attachment(); ok {
					d.take(file)
				}
			}
			if n := noteOf(annotation, kind); n.text != "" || n.shown {
				out = append(out, n)
			}
		}
		annotation.Close()
	}
	return out
}

// noteOf is what one annotation of a kind says.
func noteOf(a pdfium.Annotation, kind int) note {
	if kind == pdfium.Link || kind == pdfium.Popup { // a popup says what the note that opens it says
		return note{}
	}
	if hidden, err := a.Hidden(); err != nil || hidden {
		return note{}
	}
	said := func(key string) string {
		text, _ := a.Text(key) // what cannot be read is left out
		return clean(text)
	}
	switch kind {
	case pdfium.Widget:
		return note{text: said("V"), shown: true}
	case pdfium.FreeText, pdfium.Stamp:
		return note{text: said("Contents"), shown: true}
	}
	return note{author: said("T"), text: said("Contents")}
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
