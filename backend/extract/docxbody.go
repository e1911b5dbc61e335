package extract

import (
	"encoding/xml"
	"strings"
	"unicode/utf8"

	"fanous/backend/domain"
)

// wordBody turns WordprocessingML into blocks. Content controls, hyperlinks, fields and tracked
// insertions are transparent: their elements are passed through and their text is text.
type wordBody struct {
	doc   *docx
	out   outline
	title string // of the first paragraph in the style of the title

	paragraphs []*wordParagraph // open ones; a text box stands inside the paragraph it hangs on
	tables     []*wordTable     // open ones
	inText     bool             // within an element whose characters are the document's
	written    int              // how often text was written
	choices    []int            // open AlternateContent: written when it began
	ofRow      bool             // within the properties of a row
}

type wordParagraph struct {
	text   strings.Builder
	style  string
	level  int // its own outline level; 0: none said
	list   bool
	notes  []string       // texts of notes and comments referred to
	boxes  []domain.Block // paragraphs of text boxes, which follow it
	tables int            // open tables when it began
}

type wordTable struct {
	cells []string
	cell  []string // paragraphs of the open cell
	gone  bool     // the open row was deleted
}

func (w *wordBody) start(e xml.StartElement) bool {
	p := w.paragraph()
	switch e.Name.Local {
	case "p":
		if isWord(e) {
			w.paragraphs = append(w.paragraphs, &wordParagraph{tables: len(w.tables)})
		}
	case "t":
		w.inText = true
	case "tab", "ptab":
		if p != nil && len(e.Attr) == 0 || e.Name.Local == "ptab" {
			w.write("\t")
		}
	case "br", "cr":
		w.write("\n")
	case "docPr": // of a picture: what it shows, in words
		if says := attr(e, "descr"); says != "" {
			w.write(" " + says + " ")
		}
	case "noBreakHyphen":
		w.write("\u2011")
	case "softHyphen":
		w.write("\u00ad")
	case "pStyle":
		if p != nil {
			p.style = attr(e, "val")
		}
	case "outlineLvl":
		if p != nil {
			p.level = outlineLevel(attr(e, "val"))
		}
	case "numId":
		if p != nil {
			p.list = attr(e, "val") != "0"
		}
	case "footnoteReference":
		w.note(w.doc.footnotes, e)
	case "endnoteReference":
		w.note(w.doc.endnotes, e)
	case "commentReference":
		w.note(w.doc.comments, e)
	case "tbl":
		w.tables = append(w.tables, &wordTable{})
	case "AlternateContent":
		w.choices = append(w.choices, w.written)
	case "Choice", "Fallback":
		return !w.choose()
	case "altChunk":
		w.chunk(attr(e, "id"))
	case "trPr":
		w.ofRow = true
	case "del", "moveFrom":
		if t := w.table(); w.ofRow && t != nil {
			t.gone = true
		}
		return true
	case "delText", "instrText", "delInstrText", // deleted, moved away, field codes
		"pPrChange", "rPrChange", "sectPrChange", "tblPrChange", "trPrChange", "tcPrChange", // what it was before
		"rPr", "sectPr", "sdtPr", "tblPr", "tblGrid", "tcPr", "rt":
		return true
	}
	return false
}

// choose says whether this alternative of an AlternateContent is the one that is read: the first that has text.
func (w *wordBody) choose() bool {
	return len(w.choices) == 0 || w.choices[len(w.choices)-1] == w.written
}

func (w *wordBody) text(s string) {
	if w.inText {
		w.write(s)
	}
}

func (w *wordBody) end(name string) {
	switch name {
	case "t":
		w.inText = false
	case "p":
		w.endParagraph()
	case "tc":
		if t := w.table(); t != nil {
			t.cells = append(t.cells, strings.Join(t.cell, "\n"))
			t.cell = nil
		}
	case "trPr":
		w.ofRow = false
	case "tr":
		w.endRow()
	case "tbl":
		if t := w.table(); t != nil {
			if t.cells != nil || t.cell != nil { // text that stands in no row
				w.endRow()
			}
			w.tables = w.tables[:len(w.tables)-1]
		}
	case "AlternateContent":
		if len(w.choices) > 0 {
			w.choices = w.choices[:len(w.choices)-1]
		}
	}
}

// isWord tells a paragraph of the text from one of a drawing.
func isWord(e xml.StartElement) bool {
	return strings.Contains(e.Name.Space, "wordprocessingml") || e.Name.Space == "w"
}

func (w *wordBody) paragraph() *wordParagraph {
	if len(w.paragraphs) == 0 {
		return nil
	}
	return w.paragraphs[len(w.paragraphs)-1]
}

func (w *wordBody) table() *wordTable {
	if len(w.tables) == 0 {
		return nil
	}
	return w.tables[len(w.tables)-1]
}

func (w *wordBody) write(s string) {
	if p := w.paragraph(); p != nil {
		p.text.WriteString(s)
		w.written++
	}
}

func (w *wordBody) note(texts map[string][]string, e xml.StartElement) {
	if p := w.paragraph(); p != nil {
		id := attr(e, "id")
		p.notes = append(p.notes, texts[id]...)
		delete(texts, id) // a note is given once, however often it is referred to
	}
}

func (w *wordBody) endParagraph() {
	p := w.paragraph()
	if p == nil {
		return
	}
	w.paragraphs = w.paragraphs[:len(w.paragraphs)-1]
	blocks := w.blocks(p)
	if outer := w.paragraph(); outer != nil {
		// A table within the text box ends before its paragraphs do, so a cell is asked first.
		if len(w.tables) == outer.tables {
			outer.boxes = append(outer.boxes, blocks...)
			return
		}
	}
	if t := w.table(); t != nil {
		for _, b := range blocks {
			t.cell = append(t.cell, b.Text)
		}
		return
	}
	for _, b := range blocks {
		if b.Kind == domain.KindHeading {
			w.out.heading(b.Level, b.Text, domain.Place{})
		} else {
			w.out.add(b.Kind, b.Text, domain.Place{})
		}
	}
}

// blocks gives what a paragraph comes to: itself, the text boxes on it, the notes it refers to.
func (w *wordBody) blocks(p *wordParagraph) []domain.Block {
	var blocks []domain.Block
	if text := clean(p.text.String()); text != "" {
		b := domain.Block{Text: text}
		level, title, list := w.doc.outlineOf(p.style)
		if p.level != 0 {
			level = max(p.level, 0)
		}
		switch {
		case level > 0:
			b.Kind, b.Level = domain.KindHeading, level
		case list || p.list:
			b.Kind = domain.KindListItem
		}
		if title && w.title == "" {
			w.title = text
		}
		blocks = append(blocks, b)
	}
	blocks = append(blocks, p.boxes...)
	for _, n := range p.notes {
		blocks = append(blocks, domain.Block{Text: n})
	}
	return blocks
}

func (w *wordBody) endRow() {
	t := w.table()
	if t == nil {
		return
	}
	cells := t.cells
	if t.cell != nil { // text that stands in no cell
		cells = append(cells, strings.Join(t.cell, "\n"))
	}
	gone := t.gone
	t.cells, t.cell, t.gone = nil, nil, false
	text := strings.Trim(strings.Join(cells, cellSeparator), " |")
	if text == "" || gone {
		return
	}
	// A table in a cell is part of the cell.
	if len(w.tables) > 1 {
		outer := w.tables[len(w.tables)-2]
		outer.cell = append(outer.cell, text)
		return
	}
	if p := w.paragraph(); p != nil { // a table in a text box
		p.boxes = append(p.boxes, domain.Block{Kind: domain.KindTableRow, Text: text})
		return
	}
	if len(cells) == 1 { // tables that only lay out a page
		w.out.add(domain.KindParagraph, text, domain.Place{})
		return
	}
	w.out.add(domain.KindTableRow, strings.Join(cells, cellSeparator), domain.Place{})
}

// clean trims a paragraph and removes what XML cannot hold anyway but parsers let pass.
func clean(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	return strings.TrimSpace(strings.ReplaceAll(text, "\x00", ""))
}

// wordNotes collects the paragraphs of each note of a part.
type wordNotes struct {
	body    wordBody
	element string // "footnote", "endnote" or "comment"
	texts   map[string][]string
	id      string
}

func (n *wordNotes) start(e xml.StartElement) bool {
	if e.Name.Local == n.element {
		n.id = attr(e, "id")
		switch attr(e, "type") { // the rule between text and notes is a note, too
		case "separator", "continuationSeparator", "continuationNotice":
			return true
		}
		return false
	}
	return n.body.start(e)
}

func (n *wordNotes) text(s string) { n.body.text(s) }

func (n *wordNotes) end(name string) {
	if name != n.element {
		n.body.end(name)
		return
	}
	for _, b := range n.body.out.blocks {
		n.texts[n.id] = append(n.texts[n.id], b.Text)
	}
	n.body.out = outline{}
}
