package extract

import (
	"encoding/xml"
	"strconv"
	"strings"

	"fanous/backend/domain"
)

const (
	// maxRepeat is more rows or columns than a sheet has.
	maxRepeat = 1 << 24
	// maxSame is how often the text of a cell is written that a file says is repeated.
	maxSame = 64
	// maxSpaces is how many spaces in a row are kept.
	maxSpaces = 16
)

// odfBody turns the content of an OpenDocument file into blocks. Lists, sections, spans, fields and
// tracked insertions are transparent; what was deleted stands apart in the file and is passed over.
type odfBody struct {
	tables tables
	title  string
	isText bool
	styles map[string]odfStyle
	styled string // the style that was last begun

	paragraphs []*odfParagraph // open ones: a note or text box stands inside the paragraph it hangs on
	open       []*odfTable     // tables
	items      int             // open list items

	inSheets bool
	sheet    *sheet // the open one
	named    int    // blocks in the outline when its name had been written
	hidden   []string

	slide slide
	class string // role of the open frame on a slide
}

type odfParagraph struct {
	text   inlineText
	level  int // of a heading
	title  bool
	list   bool
	after  []domain.Block // text boxes, notes and comments
	tables int            // open tables when it began
}

type odfTable struct {
	row, column int // of the open ones, from 1
	rows        int // how many the open row stands for
	columns     int // how many the open cell stands for
	cells       []cell
	cell        []string // paragraphs of the open cell
}

func (b *odfBody) start(e xml.StartElement) bool {
	if strings.Contains(e.Name.Space, "svg") { // names and descriptions of pictures
		return true
	}
	switch e.Name.Local {
	case "tracked-changes", "note-citation", "creator", "date-string", "sender-initials", "ruby-text",
		"forms", "binary-data", "content-validations", "scripts", "font-face-decls":
		return true
	case "meta", "settings", "master-styles":
		return isOffice(e) // before the body, where the document is one part
	case "date":
		return !strings.Contains(e.Name.Space, "text") // a comment's; a field's is text
	case "text":
		b.isText = b.isText || strings.Contains(e.Name.Space, "office")
	case "spreadsheet":
		b.inSheets = true
	case "style":
		b.style(e)
	case "table-properties":
		b.hide(e)
	case "h", "p":
		b.startParagraph(e)
	case "list-item":
		b.items++
	case "s":
		b.write(strings.Repeat(" ", times(e, "c", maxSpaces)), true)
	case "tab":
		b.write("\t", true)
	case "line-break":
		if p := b.paragraph(); p != nil {
			p.text.newline()
		}
	case "table":
		b.startTable(e)
	case "table-row":
		if t := b.table(); t != nil {
			t.row, t.column = t.row+t.rows, 1
			t.rows, t.columns = times(e, "number-rows-repeated", maxRepeat), 0
		}
	case "table-cell", "covered-table-cell":
		if t := b.table(); t != nil {
			t.column += t.columns
			t.columns = times(e, "number-columns-repeated", maxRepeat)
		}
	case "page":
		b.slide.put(&b.tables.out)
		b.slide.number++
	case "frame":
		b.class = attr(e, "class")
	}
	return b.tables.full
}

// style notes what a style is made from.
func (b *odfBody) style(e xml.StartElement) {
	if b.styles != nil {
		b.styled = attr(e, "name")
		b.styles[b.styled] = odfStyle{parent: attr(e, "parent-style-name")}
	}
}

// hide notes that the open style hides the tables that have it.
func (b *odfBody) hide(e xml.StartElement) {
	if attr(e, "display") == "false" && b.styles != nil {
		b.styles[b.styled] = odfStyle{hidden: true}
	}
}

func (b *odfBody) startParagraph(e xml.StartElement) {
	style := attr(e, "style-name")
	p := &odfParagraph{tables: len(b.open), list: b.items > 0}
	if e.Name.Local == "h" {
		p.level = 1
		if n, err := strconv.Atoi(attr(e, "outline-level")); err == nil && n > 0 {
			p.level = min(n, 10)
		}
	} else if b.isText {
		p.level, p.title = b.role(style)
	}
	b.paragraphs = append(b.paragraphs, p)
}

func (b *odfBody) startTable(e xml.StartElement) {
	if b.inSheets && len(b.open) == 0 {
		b.endSheet()
		name := attr(e, "name")
		if b.styles[attr(e, "style-name")].hidden {
			b.hidden = append(b.hidden, name)
		}
		b.tables.out.leave()
		b.tables.out.heading(1, name, domain.Place{})
		b.sheet, b.named = &sheet{tables: &b.tables, level: 2}, len(b.tables.out.blocks)
	}
	b.open = append(b.open, &odfTable{row: 1})
}

// endSheet takes the name of an empty sheet out again.
func (b *odfBody) endSheet() {
	if b.sheet != nil && len(b.tables.out.blocks) == b.named {
		b.tables.out.blocks = b.tables.out.blocks[:b.named-1]
	}
	b.sheet = nil
}

func (b *odfBody) text(s string) { b.write(s, false) }

func (b *odfBody) write(s string, keep bool) {
	if p := b.paragraph(); p != nil {
		p.text.write(s, keep)
	}
}

func (b *odfBody) paragraph() *odfParagraph {
	if len(b.paragraphs) == 0 {
		return nil
	}
	return b.paragraphs[len(b.paragraphs)-1]
}

func (b *odfBody) table() *odfTable {
	if len(b.open) == 0 {
		return nil
	}
	return b.open[len(b.open)-1]
}

func (b *odfBody) end(name string) {
	switch name {
	case "h", "p":
		b.endParagraph()
	case "list-item":
		b.items--
	case "table-cell", "covered-table-cell":
		b.endCell()
	case "table-row":
		b.endRow()
	case "table":
		if t := b.table(); t != nil {
			if t.cell != nil { // text that stands in no cell
				b.endCell()
				b.endRow()
			}
			b.open = b.open[:len(b.open)-1]
		}
	case "frame":
		b.class = ""
	case "text", "spreadsheet":
		b.endSheet()
	}
}

func (b *odfBody) endParagraph() {
	p := b.paragraph()
	if p == nil {
		return
	}
	b.paragraphs = b.paragraphs[:len(b.paragraphs)-1]
	var blocks []domain.Block
	if text := p.text.take(); text != "" {
		block := domain.Block{Text: text, Level: p.level}
		switch {
		case p.level > 0:
			block.Kind = domain.KindHeading
		case p.list:
			block.Kind = domain.KindListItem
		}
		if p.title && b.title == "" {
			b.title = text
		}
		blocks = append(blocks, block)
	}
	b.put(append(blocks, p.after...), p.tables)
}

// put hands blocks to what they stand in: a paragraph, a cell, a slide or the document.
func (b *odfBody) put(blocks []domain.Block, tables int) {
	outer, t := b.paragraph(), b.table()
	for _, block := range blocks {
		switch {
		case outer != nil && outer.tables == tables:
			outer.after = append(outer.after, block)
		case t != nil:
			t.cell = append(t.cell, block.Text)
		case b.slide.number > 0:
			b.putOnSlide(block)
		case block.Kind == domain.KindHeading:
			b.tables.out.heading(block.Level, block.Text, domain.Place{})
		default:
			b.tables.out.add(block.Kind, block.Text, domain.Place{})
		}
	}
}

func (b *odfBody) putOnSlide(block domain.Block) {
	switch b.class {
	case "title":
		b.slide.title = strings.TrimSpace(b.slide.title + " " + block.Text)
	case "header", "footer", "date-time", "page-number": // what every slide repeats
	default:
		if block.Kind == domain.KindHeading {
			block.Kind = domain.KindParagraph
		}
		b.slide.add(block)
	}
}

func (b *odfBody) endCell() {
	t := b.table()
	if t == nil {
		return
	}
	if text := strings.Join(t.cell, "\n"); text != "" {
		for i := range min(max(t.columns, 1), maxSame) {
			t.cells = append(t.cells, cell{t.column + i, text})
		}
	} else if b.sheet == nil || len(b.open) > 1 {
		t.cells = append(t.cells, cell{t.column, ""}) // in a table of text every cell counts
	}
	t.cell = nil
}

func (b *odfBody) endRow() {
	t := b.table()
	if t == nil {
		return
	}
	cells := t.cells
	t.cells = nil
	if b.sheet != nil && len(b.open) == 1 {
		b.sheet.row(t.row, cells, domain.Place{})
		return
	}
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = c.text
	}
	text := strings.Join(texts, cellSeparator)
	if strings.Trim(text, " |") == "" {
		return
	}
	row := domain.Block{Kind: domain.KindTableRow, Text: text}
	if len(cells) == 1 { // tables that only lay out a page
		row.Kind = domain.KindParagraph
	}
	// The row's own table is not what it stands in.
	b.open = b.open[:len(b.open)-1]
	b.put([]domain.Block{row}, len(b.open))
	b.open = append(b.open, t)
}
