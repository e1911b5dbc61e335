package extract

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"fanous/backend/domain"
)

// maxRTFDepth is how deep groups nest; deeper ones are read as if they were not there.
const maxRTFDepth = 100_000

// readRTF reads rich text. Groups are kept on a stack of our own, so that no nesting exhausts one.
func readRTF(ctx context.Context, data []byte) (domain.Content, error) {
	r := rtf{data: data, charsets: map[int]int{}, levels: map[int]int{}, group: rtfGroup{unicodeSkip: 1}}
	for n := 0; r.at < len(r.data); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return domain.Content{}, ctx.Err()
		}
		r.next()
	}
	if r.inTable {
		r.endCell()
	}
	r.endRow()
	r.endParagraph()
	r.endMargins()
	return domain.Content{Title: clean(r.title.String()), Author: clean(r.author.String()),
		Dated: r.dated(), Blocks: r.out.blocks}, nil
}

// rtf is a document being read.
type rtf struct {
	data  []byte
	at    int
	group rtfGroup
	outer []rtfGroup
	extra int // groups open beyond maxRTFDepth

	levels map[int]int // of the styles that are headings, by their numbers
	style  int         // that is being defined
	called strings.Builder

	page     int         // code page of fonts that name none; 0: as the bytes look
	charsets map[int]int // code page by font

	out           outline
	title, author strings.Builder
	created       rtfDate
	changed       rtfDate
	text          strings.Builder // of the open paragraph
	bytes         []byte          // of it, not decoded yet
	bytesPage     int
	high          rune // first half of a character in two
	skip          int  // characters that stand for the last one where Unicode is not known

	level   int // of the open paragraph as a heading
	list    bool
	inTable bool
	cells   []string
	notes   []string // that the open paragraph or row refers to
	margins []string // headers and footers, each once
	asides  int      // open ones
}

// rtfGroup is what holds until a group ends.
type rtfGroup struct {
	into        rtfTarget
	font        int
	unicodeSkip int
	hidden      bool      // deleted by a tracked change, or marked as not shown
	starred     bool      // a destination that a reader may not know follows
	alternative rtfTarget // where Unicode text goes that stands beside another form of it
	aside       rtfAside  // what it is beside the text of the body
	before      string    // what of the paragraph stood before that
}

type rtfTarget int

const (
	rtfBody rtfTarget = iota
	rtfNowhere
	rtfFonts
	rtfStyles
	rtfInfo // its parts are targets of their own
	rtfTitle
	rtfAuthor
	rtfCreated
	rtfChanged
)

// rtfDate is a date as it is written, number by number.
type rtfDate struct{ year, month, day, hour, minute int }

func (d rtfDate) time() time.Time {
	if d.year == 0 {
		return time.Time{}
	}
	return believable(time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, 0, 0, time.UTC))
}

func (r *rtf) dated() time.Time {
	if t := r.changed.time(); !t.IsZero() {
		return t
	}
	return r.created.time()
}

// next reads one group mark, control or character.
func (r *rtf) next() {
	c := r.data[r.at]
	r.at++
	switch c {
	case '{':
		r.flush()
		if len(r.outer) == maxRTFDepth {
			r.extra++
			return
		}
		r.outer = append(r.outer, r.group)
		r.group.aside, r.group.starred, r.skip = rtfNoAside, false, 0
	case '}':
		r.flush()
		r.endGroup()
	case '\\':
		r.control()
	case '\r', '\n', 0:
	default:
		r.char(c)
	}
}

func (r *rtf) endGroup() {
	switch {
	case r.extra > 0:
		r.extra--
		return
	case len(r.outer) == 0:
		return
	case r.group.aside != rtfNoAside:
		r.endAside()
	case r.group.into == rtfStyles:
		r.endStyle()
	}
	last := len(r.outer) - 1
	r.group, r.outer = r.outer[last], r.outer[:last]
	r.skip = 0
}

// char adds a byte of text in the code page that holds.
func (r *rtf) char(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	page := r.page
	if p := r.charsets[r.group.font]; p != 0 {
		page = p
	}
	if page != r.bytesPage {
		r.flush()
		r.bytesPage = page
	}
	r.bytes = append(r.bytes, c)
}

// flush decodes the bytes that wait.
func (r *rtf) flush() {
	if len(r.bytes) == 0 {
		return
	}
	data := r.bytes
	r.bytes = nil
	if enc := codePage(r.bytesPage); enc != nil {
		r.write(convert(data, enc))
	} else {
		r.write(decode(data, ""))
	}
}

// write adds text to where the group's text goes.
func (r *rtf) write(s string) {
	if r.group.hidden {
		return
	}
	switch r.group.into {
	case rtfBody:
		r.text.WriteString(s)
	case rtfStyles:
		r.called.WriteString(s)
	case rtfTitle:
		r.title.WriteString(s)
	case rtfAuthor:
		r.author.WriteString(s)
	}
}

// control reads what follows a backslash.
func (r *rtf) control() {
	if r.at == len(r.data) {
		return
	}
	c := r.data[r.at]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		r.at++
		r.symbol(c)
		return
	}
	from := r.at
	for r.at < len(r.data) && r.data[r.at]|0x20 >= 'a' && r.data[r.at]|0x20 <= 'z' {
		r.at++
	}
	word := string(r.data[from:min(r.at, from+32)])
	from = r.at
	if r.at < len(r.data) && r.data[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.data) && r.data[r.at] >= '0' && r.data[r.at] <= '9' {
		r.at++
	}
	number, err := strconv.Atoi(string(r.data[from:min(r.at, from+11)]))
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	r.word(word, number, err == nil)
}

func (r *rtf) symbol(c byte) {
	switch c {
	case '\'':
		if r.at+2 <= len(r.data) && unhex(r.data[r.at]) >= 0 && unhex(r.data[r.at+1]) >= 0 {
			r.char(byte(unhex(r.data[r.at])<<4 | unhex(r.data[r.at+1])))
			r.at += 2
		}
	case '\\', '{', '}':
		r.char(c)
	case '*':
		r.group.starred = true
	case '\r', '\n':
		r.word("par", 0, false)
	case '~':
		r.special("\u00a0")
	case '_':
		r.special("\u2011")
	case '-':
		r.special("\u00ad")
	}
}

// special adds a character that has a control of its own.
func (r *rtf) special(s string) {
	if r.skip > 0 {
		r.skip--
		return
	}
	r.flush()
	r.write(s)
}

// unicode adds a character by its number, which is that of a half for characters beyond 16 bits.
func (r *rtf) unicode(n int) {
	r.flush()
	c := rune(n)
	if n < 0 {
		c = rune(n + 1<<16)
	}
	switch {
	case c >= 0xd800 && c < 0xdc00:
		r.high = c
	case c >= 0xdc00 && c < 0xe000:
		r.write(string(utf16.DecodeRune(r.high, c))) // a half alone becomes the sign of a fault
		r.high = 0
	default:
		r.write(string(c))
		r.high = 0
	}
	r.skip = r.group.unicodeSkip
}

func (r *rtf) endParagraph() {
	r.flush()
	text := clean(r.text.String())
	r.text.Reset()
	switch {
	case text == "":
	case r.level > 0:
		r.out.heading(r.level, text, domain.Place{})
	case r.list:
		r.out.add(domain.KindListItem, text, domain.Place{})
	default:
		r.out.add(domain.KindParagraph, text, domain.Place{})
	}
	r.list = false
	r.endNotes()
}

func (r *rtf) endCell() {
	r.flush()
	r.cells = append(r.cells, strings.Join(strings.Fields(clean(r.text.String())), " "))
	r.text.Reset()
}

func (r *rtf) endRow() {
	if len(r.cells) == 0 {
		return
	}
	text := strings.Join(r.cells, cellSeparator)
	r.cells = nil
	if strings.Trim(text, " |") != "" {
		r.out.add(domain.KindTableRow, text, domain.Place{})
	}
	r.endNotes()
}

// binary passes over bytes that are no text.
func (r *rtf) binary(n int) {
	if n > 0 {
		r.at = min(r.at+n, len(r.data))
	}
}

// codePage gives the encoding of a number of Windows; nil: none is known.
func codePage(n int) encoding.Encoding {
	label := ""
	switch n {
	case 932:
		label = "shift_jis"
	case 936:
		label = "gbk"
	case 949:
		label = "euc-kr"
	case 950:
		label = "big5"
	case 866:
		label = "ibm866"
	case 10000:
		label = "macintosh"
	case 65001:
		label = "utf-8"
	default:
		label = "windows-" + strconv.Itoa(n)
	}
	enc, _ := charset.Lookup(label)
	return enc
}
