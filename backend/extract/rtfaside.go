package extract

import (
	"slices"
	"strings"

	"fanous/backend/domain"
)

// maxMargins is how many headers and footers are kept.
const maxMargins = 1000

// rtfAside is text that stands within a paragraph of the file, and not on the page.
type rtfAside int

const (
	rtfNoAside rtfAside = iota
	rtfNote             // a footnote or comment, which follows its paragraph
	rtfMargin           // a header or footer, which follows the whole text
)

var rtfAsides = map[string]rtfAside{
	"footnote": rtfNote, "annotation": rtfNote,
	"header": rtfMargin, "headerl": rtfMargin, "headerr": rtfMargin, "headerf": rtfMargin,
	"footer": rtfMargin, "footerl": rtfMargin, "footerr": rtfMargin, "footerf": rtfMargin,
}

// startAside sets the paragraph aside while a note or a header is read.
func (r *rtf) startAside(kind rtfAside) {
	if r.group.aside != rtfNoAside {
		return
	}
	r.flush()
	r.group.aside, r.group.before = kind, r.text.String()
	r.text.Reset()
	r.asides++
}

func (r *rtf) endAside() {
	text := clean(r.text.String())
	switch {
	case text == "":
	case r.group.aside == rtfNote:
		r.notes = append(r.notes, text)
	case !slices.Contains(r.margins, text) && len(r.margins) < maxMargins: // every section may repeat the same one
		r.margins = append(r.margins, text)
	}
	r.text.Reset()
	r.text.WriteString(r.group.before)
	r.asides--
}

func (r *rtf) endNotes() {
	for _, n := range r.notes {
		r.out.add(domain.KindParagraph, n, domain.Place{})
	}
	r.notes = nil
}

func (r *rtf) endMargins() {
	r.out.leave()
	for _, text := range r.margins {
		r.out.add(domain.KindParagraph, text, domain.Place{})
	}
}

// endCells ends a cell or a row; within a note they are but parts of its text.
func (r *rtf) endCells(word string) {
	cell := strings.HasSuffix(word, "cell")
	switch {
	case r.asides > 0 && cell:
		r.special("\t")
	case r.asides > 0:
		r.special("\n")
	case cell:
		r.endCell()
	default:
		r.endRow()
	}
}
