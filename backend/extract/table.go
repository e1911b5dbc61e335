package extract

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fanous/backend/domain"
)

const (
	// maxRows and maxTableText are what is kept of the tables of one file. A small file can stand for
	// more text than any memory holds: one long string in a million cells.
	maxRows      = 1_000_000
	maxTableText = maxTextFile
	// headerRows is how far down a sheet the names of its columns are looked for.
	headerRows = 5
	// headerLabel is the longest name of a column, in characters.
	headerLabel = 60
)

// tables writes the rows of a file's sheets into its outline, up to what is kept of a file.
type tables struct {
	out        outline
	rows, text int
	full       bool // the rest is left out
}

// warning is what the analyst is told of a table that was full.
func (t *tables) warning() string {
	return fmt.Sprintf("only the first %d rows were read", t.rows)
}

// cell is one that is not empty; columns count from 1.
type cell struct {
	column int
	text   string
}

// sheet is a table being read. A row of names at its top becomes the heading of the rows below:
// so each of them is found, and read, with what its columns mean.
type sheet struct {
	tables      *tables
	level       int // of the row of names as a heading
	asked       int // rows that were asked whether they are the row of names
	left, right int // columns that have names; 0: none
}

// row adds a row, whose cells stand from left to right. number is that of the row in a sheet whose cells
// have names; 0: they have none, and place says where the row is.
func (s *sheet) row(number int, cells []cell, place domain.Place) {
	t := s.tables
	kept := cells[:0]
	for _, c := range cells {
		if c.text = strings.Join(strings.Fields(clean(c.text)), " "); c.text == "" {
			continue
		}
		if t.text += len(c.text); t.rows == maxRows || t.text > maxTableText {
			t.full = true
			return
		}
		kept = append(kept, c)
	}
	if len(kept) == 0 {
		return
	}
	t.rows++
	if number > 0 {
		place.Cells = domain.Cells{Left: kept[0].column, Top: number, Right: kept[len(kept)-1].column, Bottom: number}.String()
	}
	text := s.join(kept)
	if s.asked < headerRows && s.right == 0 {
		s.asked++
		if isHeader(kept) {
			s.left, s.right = kept[0].column, kept[len(kept)-1].column
			t.out.heading(s.level, text, place)
			return
		}
		if len(kept) > 1 { // a title may stand above the names, data does not
			s.asked = headerRows
		}
	}
	kind := domain.KindTableRow
	if len(kept) == 1 && s.right == 0 {
		kind = domain.KindParagraph
	}
	t.out.add(kind, text, place)
}

// join writes the cells of a row in one line. Under names, empty cells keep the others in their
// columns; elsewhere they are left out, for sheets are wide and mostly empty.
func (s *sheet) join(cells []cell) string {
	var b strings.Builder
	at := s.left
	for i, c := range cells {
		if i > 0 {
			b.WriteString(cellSeparator)
		}
		for ; at > 0 && at < c.column && at <= s.right; at++ {
			b.WriteString(cellSeparator)
		}
		if at > 0 {
			at = c.column + 1
		}
		b.WriteString(c.text)
	}
	return b.String()
}

// isHeader says that cells look like the names of columns: several, short, all different, and of
// letters rather than digits.
func isHeader(cells []cell) bool {
	seen := map[string]bool{}
	for _, c := range cells {
		letters, digits := 0, 0
		for _, r := range c.text {
			switch {
			case unicode.IsLetter(r):
				letters++
			case unicode.IsDigit(r):
				digits++
			}
		}
		if letters <= digits || seen[c.text] || utf8.RuneCountInString(c.text) > headerLabel {
			return false
		}
		seen[c.text] = true
	}
	return len(cells) > 1
}
