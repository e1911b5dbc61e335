package extract

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// oldRun is text of a document of Word 97 with what its characters and its paragraph are: modifiers, the second after
// the number of a style.
type oldRun struct {
	text      string
	runFormat string
	style     uint16
	paragraph string
}

// oldWord writes a document of Word 97 in two pieces: what is narrow, which is Western, then the runs.
func oldWord(flags uint16, narrow string, runs ...oldRun) []byte {
	le := binary.LittleEndian
	stream := make([]byte, docPage)
	stream = append(stream, narrow...)
	start := len(stream)
	var chars, paras fkp
	var cps int
	for _, r := range runs {
		from := len(stream)
		for _, u := range utf16.Encode([]rune(r.text)) {
			stream = le.AppendUint16(stream, u)
			cps++
		}
		if r.runFormat != "" {
			chars.add(from, len(stream), append([]byte{byte(len(r.runFormat))}, r.runFormat...))
		} else {
			chars.add(from, len(stream), nil)
		}
		format := append([]byte{byte(r.style), byte(r.style >> 8)}, r.paragraph...)
		if len(format)%2 == 0 { // an odd count of bytes has one for its size, an even one two
			format = append([]byte{0, byte(len(format) / 2)}, format...)
		} else {
			format = append([]byte{byte(len(format)/2 + 1)}, format...)
		}
		paras.add(from, len(stream), format)
	}
	var table []byte
	put := func(at int, data []byte) {
		le.PutUint32(stream[at:], uint32(len(table)))
		le.PutUint32(stream[at+4:], uint32(len(data)))
		table = append(table, data...)
	}
	for _, list := range []struct {
		at    int
		page  fkp
		width int
	}{{docRuns, chars, 1}, {docParas, paras, docParaWidth}} {
		stream = append(stream, make([]byte, (docPage-len(stream)%docPage)%docPage)...)
		number := uint32(len(stream) / docPage)
		stream = append(stream, list.page.bytes(list.width)...)
		put(list.at, le.AppendUint32(make([]byte, 8), number))
	}
	pieces := []byte{1, 2, 0, 'x', 'x', 2, 0, 0, 0, 0}
	for _, cp := range []int{0, len(narrow), len(narrow) + cps} {
		pieces = le.AppendUint32(pieces, uint32(cp))
	}
	for _, fc := range []uint32{2*docPage | 1<<30, uint32(start)} {
		pieces = append(le.AppendUint32(append(pieces, 0, 0), fc), 0, 0)
	}
	put(docPieces, pieces)
	le.PutUint16(stream, docSign)
	le.PutUint16(stream[docVersion:], docOldest)
	le.PutUint16(stream[docFlags:], flags|docTable1)
	return compoundFile(node{"WordDocument", stream, nil}, node{"1Table", table, nil}, node{"\x05SummaryInformation", oldSummary(), nil})
}

// fkp is a page of formats.
type fkp struct {
	bounds  []int
	formats [][]byte
}

func (p *fkp) add(from, to int, format []byte) {
	if len(p.bounds) == 0 {
		p.bounds = []int{from}
	}
	p.bounds, p.formats = append(p.bounds, to), append(p.formats, format)
}

func (p *fkp) bytes(width int) []byte {
	page := make([]byte, docPage)
	end := docPage - 2
	for i, b := range p.bounds {
		binary.LittleEndian.PutUint32(page[4*i:], uint32(b))
	}
	for i, f := range p.formats {
		if f == nil {
			continue
		}
		end = (end - len(f)) &^ 1
		copy(page[end:], f)
		page[4*len(p.bounds)+width*i] = byte(end / 2)
	}
	page[docPage-1] = byte(len(p.formats))
	return page
}

// oldSummary has a title in windows-1256 and a date.
func oldSummary() []byte {
	le := binary.LittleEndian
	title := "\xdd\xc7\xe4\xe6\xd3\x00" // فانوس
	section := le.AppendUint32(nil, 0)
	section = le.AppendUint32(section, 3)
	at := uint32(8 + 3*8)
	values := [][]byte{{2, 0, 0, 0, 0xe8, 0x04, 0, 0}, le.AppendUint32([]byte{0x1e, 0, 0, 0}, uint32(len(title))), le.AppendUint64([]byte{0x40, 0, 0, 0}, filetime(time.Date(2003, 5, 1, 0, 0, 0, 0, time.UTC)))}
	values[1] = append(values[1], title...)
	for i, id := range []uint32{summaryPage, summaryTitle, summaryCreated} {
		section = le.AppendUint32(le.AppendUint32(section, id), at)
		at += uint32(len(values[i]))
	}
	for _, v := range values {
		section = append(section, v...)
	}
	head := make([]byte, 48)
	le.PutUint32(head[44:], 48)
	return append(head, section...)
}

func TestDOC(t *testing.T) {
	const inTable, rowEnd, deleted, hidden, outline3 = "\x16\x24\x01", "\x17\x24\x01", "\x00\x08\x01", "\x3c\x08\x01", "\x40\x26\x02"
	data := oldWord(0, "na\xefve \x93quote\x94\r",
		oldRun{text: "عنوان\r", style: 1},
		oldRun{text: "نگهبان می\u200cنوشت "}, oldRun{text: "deleted ", runFormat: deleted}, oldRun{text: "hidden ", runFormat: "\x35\x08\x01" + hidden}, oldRun{text: "😀\vline\r"},
		oldRun{text: "see \x13HYPERLINK \"no\" \x13 no \x14no\x15\x14link\x15 \x01end\r"},
		oldRun{text: "Third\r", paragraph: outline3},
		oldRun{text: "a\rb\x07", paragraph: inTable}, oldRun{text: "c\x07", paragraph: inTable}, oldRun{text: "\x07", paragraph: inTable + rowEnd},
		oldRun{text: "after\x0cnext page\r"})
	c, err := extractBytes(t, data)
	want := "p [] naïve “quote”\nh1 [عنوان] عنوان\np [عنوان] نگهبان می\u200cنوشت 😀⏎line\np [عنوان] see link end\n" +
		"h3 [عنوان › Third] Third\ntr [عنوان › Third] a b | c\np [عنوان › Third] after\np [عنوان › Third] next page\n"
	if got := outlineOf(c.Blocks); err != nil || got != want {
		t.Errorf("%v\n%swant\n%s", err, got, want)
	}
	if c.Title != "فانوس" || c.Dated.Year() != 2003 || c.Format != "doc" {
		t.Errorf("%q %v %q", c.Title, c.Dated, c.Format)
	}
	if _, err := extractBytes(t, oldWord(docEncrypted, "x\r")); !errors.Is(err, ErrNeedsPassword) {
		t.Errorf("encrypted: %v", err)
	}
	if _, err := extractBytes(t, compoundFile(node{"WordDocument", make([]byte, 600), nil})); err == nil || errors.Is(err, ErrUnsupported) {
		t.Errorf("damaged: %v", err)
	}
}

// TestDOCPieces: pieces that share their bytes do not multiply them.
func TestDOCPieces(t *testing.T) {
	text := append(make([]byte, docPage), strings.Repeat("again and again\r", 1000)...)
	le := binary.LittleEndian
	const n = 10_000
	list := []byte{2, 0, 0, 0, 0}
	for i := range n + 1 {
		list = le.AppendUint32(list, uint32(i*16_000))
	}
	for range n {
		list = append(le.AppendUint32(append(list, 0, 0), 2*docPage|1<<30), 0, 0)
	}
	d := docReader{ctx: t.Context(), text: text}
	if err := d.read(list); err != nil || len(d.out.blocks) > 1100 || len(d.out.blocks) < 1000 {
		t.Errorf("%v, %d blocks", err, len(d.out.blocks))
	}
}

func FuzzDOC(f *testing.F) {
	f.Add(oldWord(0, "x\r", oldRun{text: "h\r", style: 1}, oldRun{text: "a\x07", paragraph: "\x16\x24\x01"}, oldRun{text: "\x13x\x14y\x15\r", runFormat: "\x00\x08\x01"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzDocument(t, formatDOC, data)
	})
}
