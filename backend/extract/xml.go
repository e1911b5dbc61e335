package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"fanous/backend/domain"
)

// xmlDocuments are the outermost elements of what is written to be read, whose attributes only steer how it looks.
// Everything else is data: names of elements and attributes stand before their values.
var xmlDocuments = setOf("FictionBook article book chapter section topic TEI TEI.2 tt svg html document wordDocument package")

// readXML reads XML without its tags, as lines of what its elements hold. What is no XML is plain text.
func readXML(ctx context.Context, text string) (domain.Content, error) {
	r := xmlReader{ctx: ctx, mixed: map[string]bool{}}
	err := r.tokens(text, r.learn)
	if err == nil {
		err = r.tokens(text, r.token)
	}
	if ctx.Err() != nil || errors.Is(err, errDepth) {
		return domain.Content{}, err
	}
	if err != nil {
		return readText(ctx, text)
	}
	r.flush()
	return domain.Content{Title: r.title, Blocks: r.out.blocks}, nil
}

// xmlReader turns tokens into blocks: one for each child of the outermost element, or less where that is long.
type xmlReader struct {
	ctx   context.Context
	out   outline
	title string

	// mixed are the names of the elements that hold text and elements side by side somewhere: elements in these run on
	// within a line, all others begin one.
	mixed map[string]bool
	open  []xmlElement

	text   inlineText
	aside  []string // attributes of elements that run on, which come behind the line
	lines  []string
	first  int  // line of the file where lines begin
	tagged bool // nothing stands between a start tag and here
}

type xmlElement struct {
	name     string
	inline   bool
	children bool
	texts    bool
	begins   int // length of the text that is collected, at its start
}

// tokens hands on each token with the line where it begins.
func (r *xmlReader) tokens(text string, each func(xml.Token, int)) error {
	r.open = nil
	z := xml.NewDecoder(strings.NewReader(text))
	z.Strict, z.Entity = false, xml.HTMLEntity
	z.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // it is decoded already
	for n := 0; ; n++ {
		if n%4096 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		line, _ := z.InputPos()
		t, err := z.Token()
		switch {
		case errors.Is(err, io.EOF) && len(r.open) == 0:
			return nil
		case err != nil:
			return err
		case len(r.open) > maxXMLDepth:
			return errDepth
		}
		each(t, line)
	}
}

// learn notes which elements are mixed.
func (r *xmlReader) learn(t xml.Token, _ int) {
	last := len(r.open) - 1
	switch t := t.(type) {
	case xml.StartElement:
		if last >= 0 {
			r.open[last].children = true
		}
		r.open = append(r.open, xmlElement{name: t.Name.Local})
	case xml.CharData:
		if last >= 0 && strings.TrimSpace(string(t)) != "" {
			r.open[last].texts = true
		}
	case xml.EndElement:
		if e := r.open[last]; e.children && e.texts {
			r.mixed[e.name] = true
		}
		r.open = r.open[:last]
	}
}

func (r *xmlReader) token(t xml.Token, line int) {
	switch t := t.(type) {
	case xml.StartElement:
		r.start(t, line)
	case xml.CharData:
		r.characters(string(t), line)
	case xml.EndElement:
		r.end()
	}
}

func (r *xmlReader) start(t xml.StartElement, line int) {
	e := xmlElement{name: t.Name.Local, inline: r.runsOn(t)}
	if !e.inline {
		r.endLine(line)
	}
	e.begins = r.text.b.Len()
	r.open = append(r.open, e)
	r.tagged = true
	for _, a := range t.Attr {
		if a.Name.Local == "break" && a.Value == "no" {
			r.tagged = false // of TEI: the word goes on behind the end of a line
		}
		if r.isDocument() || a.Name.Space == "xmlns" || a.Name.Local == "xmlns" || strings.TrimSpace(a.Value) == "" {
			continue
		}
		if value := a.Name.Local + ": " + strings.TrimSpace(a.Value); e.inline {
			r.aside = append(r.aside, value)
		} else {
			r.line(value, line)
		}
	}
}

// runsOn says that an element stands within a line.
func (r *xmlReader) runsOn(t xml.StartElement) bool {
	if strings.Contains(t.Name.Space, "wordprocessingml") || strings.Contains(t.Name.Space, "/wordml") {
		return t.Name.Local != "p" && t.Name.Local != "tc"
	}
	if len(r.open) == 0 || !r.mixed[r.open[len(r.open)-1].name] {
		return false
	}
	if t.Name.Local == "tspan" { // lines of a drawing are pieces of one text
		for _, a := range t.Attr {
			if a.Name.Local == "dy" || a.Name.Local == "y" && a.Value != "0" {
				return false
			}
		}
	}
	return true
}

func (r *xmlReader) isDocument() bool { return len(r.open) > 0 && xmlDocuments[r.open[0].name] }

func (r *xmlReader) characters(s string, line int) {
	if len(r.open) == 0 || isEncoded(s) {
		return
	}
	last := r.open[len(r.open)-1]
	if strings.Contains(s, "</") || strings.Contains(s, "<br") { // a page within it
		if page, err := readHTML(r.ctx, s); err == nil {
			r.flush()
			for i := range page.Blocks {
				page.Blocks[i].Place.Line = line
			}
			r.out.nest(0, page.Blocks)
			return
		}
	}
	if strings.TrimSpace(s) == "" {
		if r.mixed[last.name] {
			r.text.space()
		}
		return
	}
	r.tagged = false
	if r.text.b.Len() == 0 {
		r.begin(line)
		if !r.isDocument() && !last.inline && len(r.open) > 1 {
			r.text.write(last.name+": ", false)
		}
	}
	for i, l := range strings.Split(s, "\n") {
		if i > 0 {
			r.text.newline()
		}
		r.text.write(l, false)
	}
}

func (r *xmlReader) end() {
	last := len(r.open) - 1
	e := r.open[last]
	switch e.name {
	case "title", "book-title":
		if r.title == "" && r.isDocument() && e.begins <= r.text.b.Len() {
			r.title = strings.Join(strings.Fields(r.text.b.String()[e.begins:]), " ")
		}
	}
	if r.tagged && e.inline {
		r.text.space() // an empty element: the end of a line, a picture
	}
	r.tagged = false
	r.open = r.open[:last]
	if !e.inline {
		r.endLine(0)
	}
	if last <= 1 {
		r.flush()
	}
}

// endLine ends the line that is collected; line is where the next begins.
func (r *xmlReader) endLine(line int) {
	text := r.text.take()
	aside := r.aside
	r.aside = nil
	for _, s := range append([]string{text}, aside...) {
		r.line(s, line)
	}
}

func (r *xmlReader) begin(line int) {
	if len(r.lines) == 0 {
		r.first = line
	}
}

func (r *xmlReader) line(s string, line int) {
	if s = clean(s); s == "" {
		return
	}
	if len(r.lines) == 0 && r.text.b.Len() == 0 && r.first == 0 {
		r.first = line
	}
	r.lines = append(r.lines, s)
	if len(r.lines) >= jsonLines || len(s) > wrapColumn {
		r.flush()
	}
}

func (r *xmlReader) flush() {
	if text := r.text.take(); text != "" {
		r.lines = append(r.lines, text)
	}
	r.out.add(domain.KindParagraph, strings.Join(r.lines, "\n"), domain.Place{Line: r.first})
	r.lines, r.first = nil, 0
}

// isEncoded says that a long value is a picture or another file written in letters, which nobody reads.
func isEncoded(s string) bool {
	const least, breaks = 512, 8 // bytes; white space in so many of them is that of lines
	if len(s) < least {
		return false
	}
	spaces, capitals := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n' || c == '\r' || c == ' ' || c == '\t':
			spaces++
		case 'A' <= c && c <= 'Z':
			capitals++
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '+', c == '/', c == '=', c == '-', c == '_':
		default:
			return false
		}
	}
	return spaces < len(s)/breaks && capitals > 0
}
