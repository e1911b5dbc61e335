package extract

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"fanous/backend/domain"
)

// readPPTX reads a presentation: its slides in the order in which they are shown, each with its
// title, text, tables, diagrams, notes and comments.
func readPPTX(ctx context.Context, src source) (domain.Content, error) {
	c, err := openContainer(ctx, src)
	if err != nil {
		return domain.Content{}, err
	}
	return (&pptx{container: c}).read()
}

// pptx is a presentation being read.
type pptx struct {
	*container
	out outline
}

func (p *pptx) read() (domain.Content, error) {
	main, err := p.main("ppt/presentation.xml")
	if err != nil {
		return domain.Content{}, err
	}
	relations, err := p.relations(main)
	if err != nil {
		return domain.Content{}, err
	}
	var order slideOrder
	if err := p.walk(main, &order); err != nil && (len(order) == 0 || p.fatal(err)) {
		return domain.Content{}, err
	}
	var hidden []string
	for i, id := range order {
		s := slideBody{slide: slide{number: i + 1}}
		err := p.readSlide(relations.byID[id], &s)
		s.put(&p.out)
		if p.fatal(err) {
			return domain.Content{}, err
		}
		if err != nil {
			p.warn(fmt.Sprintf("slide %d could not all be read", i+1))
		}
		if s.hidden {
			hidden = append(hidden, fmt.Sprint(i+1))
		}
	}
	if len(hidden) > 0 {
		p.warn("slides that the presentation hides were read, too: " + strings.Join(hidden, ", "))
	}
	content := p.properties(p.target("core-properties"))
	content.Blocks, content.Warnings = p.out.blocks, p.warnings
	return content, nil
}

// readSlide reads a slide and what belongs to it. It goes on past damage and gives the first.
func (p *pptx) readSlide(part string, s *slideBody) error {
	damage := p.walk(part, s)
	if p.fatal(damage) {
		return damage
	}
	relations, _ := p.relations(part)
	paragraph := func(text string) { s.add(domain.Block{Text: text}) }
	for _, kind := range []string{"diagramData", "chart", "notesSlide", "comments"} {
		for _, part := range relations.byKind[kind] {
			var v visitor = &shapeText{cached: true, emit: paragraph}
			switch kind {
			case "notesSlide":
				v = &slideBody{slide: s.slide, notes: true}
			case "comments":
				v = &slideComments{emit: paragraph}
			}
			err := p.walk(part, v)
			if notes, ok := v.(*slideBody); ok {
				s.blocks = notes.blocks
			}
			if p.fatal(err) {
				return err
			}
			if damage == nil {
				damage = err
			}
		}
	}
	return damage
}

// slideOrder collects the relations to the slides.
type slideOrder []string

func (o *slideOrder) start(e xml.StartElement) bool {
	if e.Name.Local == "sldId" {
		for _, a := range e.Attr {
			if a.Name.Local == "id" && a.Name.Space != "" { // the other one is a number
				*o = append(*o, a.Value)
			}
		}
	}
	return e.Name.Local == "extLst" // sections repeat the slides
}
func (o *slideOrder) text(string) {}
func (o *slideOrder) end(string)  {}

// slideBody collects the shapes of a slide or of its notes.
type slideBody struct {
	slide
	notes  bool
	hidden bool

	placeholder string // of the open shape
	paragraph   strings.Builder
	inText      bool
	tables      int      // open ones
	cells, cell []string // of the open row and cell
}

func (s *slideBody) start(e xml.StartElement) bool {
	s.inText = e.Name.Local == "t"
	switch e.Name.Local {
	case "sld":
		s.hidden = attr(e, "show") == "0" || attr(e, "show") == "false"
	case "sp":
		s.placeholder = ""
	case "ph":
		s.placeholder = attr(e, "type")
	case "tbl":
		s.tables++
	case "br":
		s.paragraph.WriteByte('\n')
	case "tab":
		s.paragraph.WriteByte('\t')
	case "txBody":
		switch s.placeholder { // what every slide repeats
		case "dt", "ftr", "sldNum", "hdr":
			return true
		}
	case "Fallback", "rPr", "pPr", "endParaRPr", "extLst":
		return true
	}
	return false
}

func (s *slideBody) text(t string) {
	if s.inText {
		s.paragraph.WriteString(t)
	}
}

func (s *slideBody) end(name string) {
	s.inText = false
	switch name {
	case "p":
		s.endParagraph()
	case "tc":
		s.cells = append(s.cells, strings.Join(s.cell, "\n"))
		s.cell = nil
	case "tr":
		text := strings.Join(s.cells, cellSeparator)
		s.cells = nil
		if strings.Trim(text, " |") != "" {
			s.add(domain.Block{Kind: domain.KindTableRow, Text: text})
		}
	case "tbl":
		s.tables--
	case "sp":
		s.placeholder = ""
	}
}

func (s *slideBody) endParagraph() {
	text := clean(s.paragraph.String())
	s.paragraph.Reset()
	switch {
	case text == "":
	case s.tables > 0:
		s.cell = append(s.cell, text)
	case !s.notes && (s.placeholder == "title" || s.placeholder == "ctrTitle"):
		s.title = strings.TrimSpace(s.title + " " + text)
	default:
		s.add(domain.Block{Text: text})
	}
}

// slideComments gives the comments of a slide, in the older form and in the newer.
type slideComments struct {
	emit   func(text string)
	b      strings.Builder
	inText bool
}

func (c *slideComments) start(e xml.StartElement) bool {
	c.inText = e.Name.Local == "text" || e.Name.Local == "t"
	return false
}
func (c *slideComments) text(s string) {
	if c.inText {
		c.b.WriteString(s)
	}
}
func (c *slideComments) end(name string) {
	c.inText = false
	if name == "text" || name == "p" {
		c.emit(clean(c.b.String()))
		c.b.Reset()
	}
}
