package extract

import (
	"context"
	"encoding/binary"
	"errors"
	"sort"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"fanous/backend/domain"
)

// Places in the head of a document of Word 97 to 2003 (MS-DOC, FIB).
const (
	docSign    = 0xa5ec
	docOldest  = 193 // version of Word 97
	docVersion = 2
	docFlags   = 10
	docLengths = 76  // of the text and of what stands behind it: notes, margins, macros, comments, endnotes, boxes
	docRuns    = 250 // where the list of pages of runs lies in the table stream, and its size
	docParas   = 258
	docPieces  = 418
	docHead    = 426

	docEncrypted = 0x0100
	docTable1    = 0x0200
)

var errDoc = errors.New("the document is damaged: the list of its text is missing")

// readDOC reads a document of Word 97 to 2003: its text, which lies in pieces, by the marks in it and the few
// properties that say what a reader sees.
func readDOC(ctx context.Context, src source) (domain.Content, error) {
	file, err := openCompound(src)
	if err != nil {
		return domain.Content{}, err
	}
	text := file.stream("", "WordDocument")
	if len(text) < docHead || binary.LittleEndian.Uint16(text) != docSign {
		return domain.Content{}, errDoc
	}
	flags := binary.LittleEndian.Uint16(text[docFlags:])
	switch {
	case flags&docEncrypted != 0:
		return domain.Content{}, ErrNeedsPassword
	case binary.LittleEndian.Uint16(text[docVersion:]) < docOldest:
		return domain.Content{}, unsupported("it is a document of Word before 97; saved as .docx it is read")
	}
	table := file.stream("", "0Table")
	if flags&docTable1 != 0 {
		table = file.stream("", "1Table")
	}
	d := docReader{ctx: ctx, text: text}
	d.hidden = docRanges(text, docTablePart(table, text, docRuns), docHidden)
	d.paragraphs = docRanges(text, docTablePart(table, text, docParas), docParagraph)
	if err := d.read(docTablePart(table, text, docPieces)); err != nil {
		return domain.Content{}, err
	}
	content := file.summary()
	content.Blocks = d.out.blocks
	return content, nil
}

// docTablePart is the part of the table stream whose place and size stand in the head at this place.
func docTablePart(table, head []byte, at int) []byte {
	from, size := uint64(binary.LittleEndian.Uint32(head[at:])), uint64(binary.LittleEndian.Uint32(head[at+4:]))
	if from+size > uint64(len(table)) {
		return nil
	}
	return table[from : from+size]
}

// docReader goes through the characters of a document.
type docReader struct {
	ctx        context.Context
	text       []byte     // the stream that has the characters
	hidden     []docRange // of the stream: deleted by a tracked change, or not shown
	paragraphs []docRange // and what each is

	out   outline
	now   []uint16 // characters of the open paragraph
	field int      // fields open of which the instruction, not the result, is being read
	open  []bool   // fields open: whether the instruction is over
	cells []string
}

// read goes through the pieces. Each character has bytes of its own, and so there are no more than bytes.
func (d *docReader) read(pieces []byte) error {
	for len(pieces) > 2 && pieces[0] == 1 { // formats that pieces share
		skip := 3 + int(binary.LittleEndian.Uint16(pieces[1:]))
		pieces = pieces[min(skip, len(pieces)):]
	}
	if len(pieces) < 5+4 || pieces[0] != 2 {
		return errDoc
	}
	list := pieces[5:]
	n := (len(list) - 4) / 12
	left := len(d.text)
	for i := range n {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		from, to := binary.LittleEndian.Uint32(list[4*i:]), binary.LittleEndian.Uint32(list[4*i+4:])
		place := binary.LittleEndian.Uint32(list[4*(n+1)+8*i+2:])
		if to < from {
			continue
		}
		count := min(int(to-from), left)
		left -= count
		const compressed = 1 << 30
		if place&compressed != 0 {
			d.piece(int(place&^compressed)/2, count, 1)
		} else {
			d.piece(int(place), count, 2)
		}
	}
	d.end(docBody)
	d.endRow()
	return nil
}

// piece reads characters of one or two bytes.
func (d *docReader) piece(at, count, width int) {
	for ; count > 0 && at+width <= len(d.text); count, at = count-1, at+width {
		if find(d.hidden, at) != 0 {
			continue
		}
		c := uint16(d.text[at])
		if width == 2 {
			c = binary.LittleEndian.Uint16(d.text[at:])
		} else if c >= 0x80 {
			c = uint16(charmap.Windows1252.DecodeByte(byte(c)))
		}
		d.char(c, at)
	}
}

// char does what a character means; those below a space are marks.
func (d *docReader) char(c uint16, at int) {
	switch c {
	case 0x13: // a field: an instruction, then perhaps what it comes to
		d.open = append(d.open, false)
		d.field++
		return
	case 0x14, 0x15:
		last := len(d.open) - 1
		if last < 0 {
			return
		}
		if !d.open[last] {
			d.open[last] = true
			d.field--
		}
		if c == 0x15 {
			d.open = d.open[:last]
		}
		return
	}
	if d.field > 0 {
		return
	}
	switch c {
	case 0x0d, 0x0c:
		d.end(find(d.paragraphs, at))
	case 0x07:
		d.cell(find(d.paragraphs, at))
	case 0x0b:
		d.now = append(d.now, '\n')
	case 0x1e:
		d.now = append(d.now, 0x2011)
	case 0x1f:
		d.now = append(d.now, 0x00ad)
	case '\t':
		d.now = append(d.now, c)
	default:
		if c >= ' ' {
			d.now = append(d.now, c)
		}
	}
}

func (d *docReader) take() string {
	text := clean(string(utf16.Decode(d.now)))
	d.now = d.now[:0]
	return text
}

// end ends a paragraph of a kind.
func (d *docReader) end(kind int) {
	if kind&docInTable != 0 { // a paragraph of a cell
		d.now = append(d.now, '\n')
		return
	}
	d.endRow()
	text := d.take()
	if level := kind & docLevel; level > 0 && text != "" {
		d.out.heading(level, text, domain.Place{})
		return
	}
	d.out.add(domain.KindParagraph, text, domain.Place{})
}

func (d *docReader) cell(kind int) {
	if kind&docRowEnd != 0 {
		d.endRow()
		return
	}
	d.cells = append(d.cells, strings.Join(strings.Fields(d.take()), " "))
}

func (d *docReader) endRow() {
	if text := strings.Join(d.cells, cellSeparator); strings.Trim(text, " |") != "" {
		d.out.add(domain.KindTableRow, text, domain.Place{})
	}
	d.cells = nil
}

// docRange is a part of the stream of characters, with what it is.
type docRange struct{ from, to, kind int }

// What a paragraph is: the level of a heading, and its part in a table. What a run is: hidden or not.
const (
	docBody    = 0
	docLevel   = 0x0f
	docInTable = 0x10
	docRowEnd  = 0x20
	docIsGone  = 1
)

// find gives the kind of the range that a place lies in; 0 for none.
func find(ranges []docRange, at int) int {
	i := sort.Search(len(ranges), func(i int) bool { return ranges[i].to > at })
	if i < len(ranges) && ranges[i].from <= at {
		return ranges[i].kind
	}
	return 0
}
