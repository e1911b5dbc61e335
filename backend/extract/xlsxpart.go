package extract

import (
	"encoding/xml"
	"strconv"
	"strings"

	"fanous/backend/domain"
)

// workbook collects the sheets in their order.
type workbook struct {
	sheets   []sheetName
	date1904 bool // days count from 1904
}

type sheetName struct {
	name, relation string
	hidden         bool
}

func (w *workbook) start(e xml.StartElement) bool {
	switch e.Name.Local {
	case "workbookPr":
		w.date1904 = isTrue(attr(e, "date1904"))
	case "sheet":
		state := attr(e, "state")
		w.sheets = append(w.sheets, sheetName{attr(e, "name"), attr(e, "id"), state == "hidden" || state == "veryHidden"})
	}
	return false
}
func (w *workbook) text(string) {}
func (w *workbook) end(string)  {}

func isTrue(s string) bool { return s == "1" || strings.EqualFold(s, "true") }

// sharedStrings collects the strings that cells refer to by number.
type sharedStrings struct {
	list   []string
	b      strings.Builder
	inText bool
}

func (s *sharedStrings) start(e xml.StartElement) bool {
	s.inText = e.Name.Local == "t"
	return e.Name.Local == "rPh" // how it is pronounced
}
func (s *sharedStrings) text(t string) {
	if s.inText {
		s.b.WriteString(t)
	}
}
func (s *sharedStrings) end(name string) {
	s.inText = false
	if name == "si" {
		s.list = append(s.list, s.b.String())
		s.b.Reset()
	}
}

// sheetStyles collects the number formats and which style of cell has which.
type sheetStyles struct {
	codes map[int]string
	ids   []int
}

func (s *sheetStyles) start(e xml.StartElement) bool {
	switch e.Name.Local {
	case "numFmt":
		if id, err := strconv.Atoi(attr(e, "numFmtId")); err == nil {
			s.codes[id] = attr(e, "formatCode")
		}
	case "xf":
		id, _ := strconv.Atoi(attr(e, "numFmtId"))
		s.ids = append(s.ids, id)
	case "cellStyleXfs", "dxfs", "fonts", "fills", "borders", "extLst": // none of a cell's
		return true
	}
	return false
}
func (s *sheetStyles) text(string) {}
func (s *sheetStyles) end(string)  {}

// sheetRows shows the rows of a sheet to its table.
type sheetRows struct {
	book  *xlsx
	sheet sheet

	number int // of the open row
	cells  []cell

	column int // of the open cell
	kind   string
	style  int
	value  strings.Builder
	inText bool
}

func (r *sheetRows) start(e xml.StartElement) bool {
	r.inText = false
	switch e.Name.Local {
	case "row":
		r.endRow()
		r.number++
		if n, err := strconv.Atoi(attr(e, "r")); err == nil && n > 0 {
			r.number = n
		}
		r.column = 0
	case "c":
		r.column++
		if at := domain.ParseCells(attr(e, "r")); at.Left > 0 {
			r.column = at.Left
		}
		r.kind = attr(e, "t")
		r.style, _ = strconv.Atoi(attr(e, "s"))
		r.value.Reset()
	case "v", "t":
		r.inText = true
	case "f", "rPh", "extLst", "cols", "conditionalFormatting", "dataValidations", "headerFooter":
		return true
	}
	return r.sheet.tables.full
}

func (r *sheetRows) text(s string) {
	if r.inText {
		r.value.WriteString(s)
	}
}

func (r *sheetRows) end(name string) {
	r.inText = false
	switch name {
	case "c":
		if text := r.shown(); text != "" {
			r.cells = append(r.cells, cell{r.column, text})
		}
	case "row":
		r.endRow()
	}
}

func (r *sheetRows) endRow() {
	r.sheet.row(r.number, r.cells, domain.Place{})
	r.cells = r.cells[:0]
}

// shown is what the open cell shows.
func (r *sheetRows) shown() string {
	value := r.value.String()
	switch r.kind {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 && n < len(r.book.strings) {
			return r.book.strings[n]
		}
		return ""
	case "b":
		return map[bool]string{true: "TRUE", false: "FALSE"}[isTrue(value)]
	case "", "n":
		if value == "" {
			return ""
		}
		return r.book.formats.show(strings.TrimSpace(value), r.style)
	}
	return value // a text of its own, the result of a formula, a date in words, an error
}

// sheetComments adds the remarks on cells.
type sheetComments struct {
	out    *outline
	cells  string
	b      strings.Builder
	inText bool
}

func (c *sheetComments) start(e xml.StartElement) bool {
	c.inText = e.Name.Local == "t"
	if e.Name.Local == "comment" {
		c.cells = domain.ParseCells(attr(e, "ref")).String()
	}
	return e.Name.Local == "authors" || e.Name.Local == "rPh"
}
func (c *sheetComments) text(s string) {
	if c.inText {
		c.b.WriteString(s)
	}
}
func (c *sheetComments) end(name string) {
	c.inText = false
	if name == "comment" {
		c.out.add(domain.KindParagraph, clean(c.b.String()), domain.Place{Cells: c.cells})
		c.b.Reset()
	}
}

// shapeText gives the paragraphs of shapes and drawings (DrawingML).
type shapeText struct {
	emit   func(text string)
	cached bool            // the names in a chart, too; in a workbook they are those of cells
	names  bool            // within such names
	said   map[string]bool // names: each series repeats those of the axis
	b      strings.Builder
	inText bool
}

func (s *shapeText) start(e xml.StartElement) bool {
	s.inText = e.Name.Local == "t" || s.names && e.Name.Local == "v"
	switch e.Name.Local {
	case "strCache":
		s.names = s.cached
	case "br":
		s.b.WriteByte('\n')
	case "tab":
		s.b.WriteByte('\t')
	case "Fallback", "rPr", "pPr", "endParaRPr":
		return true
	}
	return false
}
func (s *shapeText) text(t string) {
	if s.inText {
		s.b.WriteString(t)
	}
}
func (s *shapeText) end(name string) {
	s.inText = false
	switch {
	case name == "v" && s.names:
		s.b.WriteString(cellSeparator)
	case name == "strCache" && s.names:
		s.names = false
		if names := clean(strings.TrimSuffix(s.b.String(), cellSeparator)); !s.said[names] {
			if s.said == nil {
				s.said = map[string]bool{}
			}
			s.said[names] = true
			s.emit(names)
		}
		s.b.Reset()
	case name == "p":
		s.emit(clean(s.b.String()))
		s.b.Reset()
	}
}
