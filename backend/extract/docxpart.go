package extract

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var errInflated = fmt.Errorf("the document inflates to more than the %d MiB that are read", maxInflated>>20)

// visitor sees the elements and the text of one XML part. start returns true for an element that
// is to be passed over with all that is in it.
type visitor interface {
	start(e xml.StartElement) (skip bool)
	text(s string)
	end(name string)
}

// walk shows a part to v. Memory grows with the depth of the part, not with its size.
func (d *docx) walk(name string, v visitor) error {
	file := d.parts[strings.ToLower(name)]
	if file == nil {
		return fmt.Errorf("the document lacks its part %q", name)
	}
	r, err := file.Open()
	if err != nil {
		return fmt.Errorf("a part of the document could not be opened: %w", err)
	}
	defer r.Close()
	// A part may be UTF-16: the decoder wants UTF-8 and gets it, whatever the declaration says.
	in := bufio.NewReader(&metered{r: r, left: &d.left})
	utf8 := transform.NewReader(in, xunicode.BOMOverride(transform.Nop))
	z := xml.NewDecoder(utf8)
	z.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return input, nil
		}
		return charset.NewReaderLabel(label, input)
	}
	for n := 0; ; n++ {
		if n%4096 == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		t, err := z.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			if d.left <= 0 {
				return errInflated
			}
			return fmt.Errorf("a part of the document is damaged: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if v.start(t) {
				if err := z.Skip(); err != nil {
					return fmt.Errorf("a part of the document is damaged: %w", err)
				}
			}
		case xml.CharData:
			v.text(string(t))
		case xml.EndElement:
			v.end(t.Name.Local)
		}
	}
}

// metered stops a reader when what all of them share is used up.
type metered struct {
	r    io.Reader
	left *int64
}

func (m *metered) Read(p []byte) (int, error) {
	if *m.left <= 0 {
		return 0, errInflated
	}
	n, err := m.r.Read(p)
	*m.left -= int64(n)
	return n, err
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// wordRelations collects targets by the last word of the relation's type, which is the same in
// the transitional and the strict form of the format.
type wordRelations map[string][]string

func (r wordRelations) start(e xml.StartElement) bool {
	if e.Name.Local == "Relationship" && !strings.EqualFold(attr(e, "TargetMode"), "External") {
		kind := attr(e, "Type")
		kind = kind[strings.LastIndexByte(kind, '/')+1:]
		r[kind] = append(r[kind], attr(e, "Target"))
	}
	return false
}
func (r wordRelations) text(string) {}
func (r wordRelations) end(string)  {}

// style is what a paragraph style says about its place in the outline.
type style struct {
	name    string // "heading 1": the same in every language of Word, unlike the style's id
	basedOn string
	level   int // outline level + 1; 0: none said
	list    bool
}

// wordStyles collects the paragraph styles.
type wordStyles struct {
	byID map[string]style
	id   string
	open style
}

func (s *wordStyles) start(e xml.StartElement) bool {
	switch e.Name.Local {
	case "style":
		s.id, s.open = attr(e, "styleId"), style{}
	case "name":
		s.open.name = strings.ToLower(attr(e, "val"))
	case "basedOn":
		s.open.basedOn = attr(e, "val")
	case "outlineLvl":
		s.open.level = outlineLevel(attr(e, "val"))
	case "numId":
		s.open.list = attr(e, "val") != "0"
	case "rPr", "tblPr", "tblStylePr":
		return true
	}
	return false
}
func (s *wordStyles) text(string) {}
func (s *wordStyles) end(name string) {
	if name == "style" {
		s.byID[s.id] = s.open
	}
}

// bodyText is the level of a style or paragraph that says it is no heading.
const bodyText = -1

func outlineLevel(val string) int {
	n, err := strconv.Atoi(val)
	switch {
	case err != nil || n < 0:
		return 0
	case n > 8:
		return bodyText
	}
	return n + 1
}

func (d *docx) readStyles(names []string) {
	s := wordStyles{byID: map[string]style{}}
	for _, name := range names {
		if err := d.walk(name, &s); err != nil {
			d.warn("the styles could not be read: headings may be missing")
		}
	}
	d.styles = s.byID
}

const titleStyle = "title"

// outlineOf gives the heading level that a style means, 0 for none, and whether it is the title
// or that of list items.
func (d *docx) outlineOf(id string) (level int, title, list bool) {
	for range 16 { // styles may be based on one another in a circle
		s, ok := d.styles[id]
		if !ok {
			// No style sheet: the id is all there is.
			return headingName(strings.ToLower(id)), strings.EqualFold(id, titleStyle), list
		}
		list = list || s.list
		if s.level != 0 {
			return max(s.level, 0), false, list
		}
		if n := headingName(s.name); n > 0 {
			return n, false, list
		}
		if s.name == titleStyle {
			return 1, true, false
		}
		if id = s.basedOn; id == "" {
			break
		}
	}
	return 0, false, list
}

// headingName reads "heading 2", and the id "heading2".
func headingName(name string) int {
	rest, ok := strings.CutPrefix(name, "heading")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(rest))
	if err != nil || n < 1 || n > 9 {
		return 0
	}
	return n
}

// wordProperties reads the title and author of docProps/core.xml.
type wordProperties struct{ at, title, author string }

func (p *wordProperties) start(e xml.StartElement) bool { p.at = e.Name.Local; return false }
func (p *wordProperties) end(string)                    { p.at = "" }
func (p *wordProperties) text(s string) {
	switch p.at {
	case "title":
		p.title += s
	case "creator":
		p.author += s
	}
}

func (d *docx) properties() (title, author string) {
	name := d.target("_rels/.rels", "core-properties")
	if name == "" {
		return "", ""
	}
	var p wordProperties
	if err := d.walk(name, &p); err != nil {
		d.warn("title and author could not be read")
	}
	return strings.TrimSpace(p.title), strings.TrimSpace(p.author)
}
