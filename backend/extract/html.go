package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"fanous/backend/domain"
)

// readHTML reads a web page as it would be shown: without scripts, styles, navigation and what is
// hidden. If nothing is left that way, navigation and hidden parts count as text, and what a page of frames has for those
// who see none.
func readHTML(ctx context.Context, text string) (domain.Content, error) {
	page := htmlPage{}
	if err := page.read(ctx, text); err != nil {
		return domain.Content{}, err
	}
	if len(page.out.blocks) == 0 {
		page = htmlPage{showAll: true}
		if err := page.read(ctx, text); err != nil {
			return domain.Content{}, err
		}
	}
	return domain.Content{Title: page.title, Author: page.author, Dated: firstDate(page.published, page.changed), Blocks: page.out.blocks}, nil
}

// htmlPage turns the tokens of a page into blocks. It keeps no tree: memory and time are linear in
// the page, however its tags are nested.
type htmlPage struct {
	out           outline
	title, author string
	showAll       bool // navigation and hidden parts too

	published, changed string // as the page writes the dates

	open   []htmlElement
	opened map[atom.Atom]int // how many of each are in open
	hidden int               // 1 + index in open of the outermost hidden element; 0: none

	text  inlineText
	rows  []*htmlRow // of the tables that are open, innermost last
	items int        // open list items
	pre   int        // open pre elements
	level int        // of the open heading, 0: none
}

type htmlElement struct {
	tag atom.Atom
	row bool // it opened a row
}

// htmlRow is a table row being read.
type htmlRow struct{ cells []string }

func (p *htmlPage) read(ctx context.Context, text string) error {
	p.opened = map[atom.Atom]int{}
	z := html.NewTokenizer(strings.NewReader(text))
	z.AllowCDATA(strings.HasPrefix(strings.TrimSpace(text[:min(len(text), 200)]), "<?xml"))
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return fmt.Errorf("the page could not be read to its end: %w", err)
			}
			p.closeTo(0)
			p.flush()
			return nil
		case html.TextToken:
			if p.hidden == 0 {
				p.text.write(p.inLine(string(z.Text())), p.pre > 0)
			} else if p.open[len(p.open)-1].tag == atom.Title && p.title == "" {
				p.title = strings.Join(strings.Fields(html.UnescapeString(string(z.Raw()))), " ")
			}
		case html.StartTagToken:
			t := z.Token()
			if p.showAll && t.DataAtom == atom.Noframes {
				z.NextIsNotRawText() // as which it would be left out
			}
			p.start(t)
		case html.SelfClosingTagToken:
			z.NextIsNotRawText() // <title/> in XHTML
			p.start(z.Token())
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(atom.Lookup(name))
		}
	}
}

func (p *htmlPage) start(t html.Token) {
	p.closeImplied(t.DataAtom)
	if t.DataAtom == atom.Meta {
		p.meta(t)
	}
	shown := p.hidden == 0
	if shown {
		p.boundary(t.DataAtom)
	}
	switch t.DataAtom {
	case atom.Br:
		if shown {
			p.text.newline()
		}
	case atom.Img, atom.Area:
		if alt := attribute(t, "alt"); shown && alt != "" {
			p.text.write(" "+alt+" ", false)
		}
	}
	closed := t.Type == html.SelfClosingTagToken && (selfClosing[t.DataAtom] || neverShown[t.DataAtom])
	if closed || voidElements[t.DataAtom] || t.DataAtom == 0 {
		return
	}
	p.open = append(p.open, htmlElement{tag: t.DataAtom})
	p.opened[t.DataAtom]++
	if !shown {
		return
	}
	if neverShown[t.DataAtom] || !p.showAll && (t.DataAtom == atom.Nav || t.DataAtom == atom.Noframes || isHidden(t)) {
		p.hidden = len(p.open)
		return
	}
	switch t.DataAtom {
	case atom.Tr:
		p.rows = append(p.rows, &htmlRow{})
		p.open[len(p.open)-1].row = true
	case atom.Li, atom.Dd, atom.Dt:
		p.items++
	case atom.Pre:
		p.pre++
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.level = int(t.Data[1] - '0')
	}
}

// end closes an element and those still open inside it; an end tag of nothing open is ignored.
func (p *htmlPage) end(tag atom.Atom) {
	if p.opened[tag] == 0 {
		if tag == atom.P && p.hidden == 0 {
			p.flush()
		}
		return
	}
	for i := len(p.open) - 1; ; i-- {
		if p.open[i].tag == tag {
			p.closeTo(i)
			return
		}
	}
}

// closeTo closes all open elements but the first n.
func (p *htmlPage) closeTo(n int) {
	for len(p.open) > n {
		last := len(p.open) - 1
		e := p.open[last]
		if p.hidden == 0 {
			p.close(e)
		}
		p.open = p.open[:last]
		p.opened[e.tag]--
		if p.hidden > last {
			p.hidden = 0
		}
	}
}

// close does what the end of a shown element means.
func (p *htmlPage) close(e htmlElement) {
	p.boundary(e.tag)
	switch e.tag {
	case atom.Tr:
		if e.row {
			p.endRow()
			p.rows = p.rows[:len(p.rows)-1]
		}
	case atom.Li, atom.Dd, atom.Dt:
		p.items--
	case atom.Pre:
		p.pre--
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.level = 0
	}
}

// closeImplied closes what the start of tag ends without an end tag of its own.
func (p *htmlPage) closeImplied(tag atom.Atom) {
	if len(p.open) == 0 {
		return
	}
	last := p.open[len(p.open)-1].tag
	switch {
	case last == atom.P && blockElements[tag],
		last == atom.Li && tag == atom.Li,
		(last == atom.Dt || last == atom.Dd) && (tag == atom.Dt || tag == atom.Dd),
		last == atom.Option && (tag == atom.Option || tag == atom.Optgroup),
		(last == atom.Rt || last == atom.Rp) && (tag == atom.Rt || tag == atom.Rp || tag == atom.Rb),
		last == atom.Head && tag == atom.Body:
		p.closeTo(len(p.open) - 1)
	case tag == atom.Td || tag == atom.Th:
		p.closeInTable(atom.Td, atom.Th)
	case tag == atom.Tr:
		p.closeInTable(atom.Tr)
	case tag == atom.Tbody || tag == atom.Thead || tag == atom.Tfoot:
		p.closeInTable(atom.Tbody, atom.Thead, atom.Tfoot)
	}
}

// closeInTable closes the innermost of tags and what is in it, within the innermost table.
func (p *htmlPage) closeInTable(tags ...atom.Atom) {
	// Only so far up: a table whose rows lie deeper than this is not a table that anybody made.
	for i, least := len(p.open)-1, max(0, len(p.open)-64); i >= least && p.open[i].tag != atom.Table; i-- {
		for _, t := range tags {
			if p.open[i].tag == t {
				p.closeTo(i)
				return
			}
		}
	}
}

// boundary ends the text before a tag where the tag does not run on in the same line.
func (p *htmlPage) boundary(tag atom.Atom) {
	switch {
	case tag == atom.Td || tag == atom.Th:
		p.endCell()
	case tag == atom.Table && len(p.rows) > 0:
		p.endRow() // a table in a cell: what stood before it is a row by itself
	case blockElements[tag] && len(p.rows) > 0 && p.level == 0 && !headingElements[tag]:
		p.text.space() // paragraphs of a cell stay together
	case blockElements[tag]:
		p.flush()
	case tag == atom.Svg || tag == atom.Math || tag == 0 && p.opened[atom.Svg] > 0: // the labels of a picture
		p.text.space()
	}
}

func (p *htmlPage) endCell() {
	if len(p.rows) == 0 {
		p.flush()
		return
	}
	if text := p.text.take(); text != "" {
		row := p.rows[len(p.rows)-1]
		row.cells = append(row.cells, strings.ReplaceAll(text, "\n", " "))
	}
}

func (p *htmlPage) endRow() {
	p.endCell()
	row := p.rows[len(p.rows)-1]
	kind := domain.KindTableRow
	if len(row.cells) == 1 { // tables that only lay out a page
		kind = domain.KindParagraph
	}
	p.out.add(kind, strings.Join(row.cells, cellSeparator), domain.Place{})
	row.cells = nil
}

// flush ends the block that is being read.
func (p *htmlPage) flush() {
	text := p.text.take()
	if text == "" {
		return
	}
	switch {
	case p.level > 0:
		p.out.heading(p.level, strings.ReplaceAll(text, "\n", " "), domain.Place{})
	case p.pre > 0:
		p.out.add(domain.KindCode, text, domain.Place{})
	case p.items > 0:
		p.out.add(domain.KindListItem, text, domain.Place{})
	default:
		p.out.add(domain.KindParagraph, text, domain.Place{})
	}
}

// meta reads what a page says about itself, in the words of several vocabularies; the first of each counts.
func (p *htmlPage) meta(t html.Token) {
	into := (*string)(nil)
	switch strings.ToLower(attribute(t, "name") + attribute(t, "property") + attribute(t, "http-equiv") + attribute(t, "itemprop")) {
	case "author", "dc.creator", "dcterms.creator":
		into = &p.author
	case "date", "created", "article:published_time", "datepublished", "dc.date", "dc.date.issued", "dcterms.date", "dcterms.created",
		"dcterms.issued", "pubdate", "publishdate", "publish_date", "citation_publication_date", "citation_date":
		into = &p.published
	case "changed", "article:modified_time", "datemodified", "dcterms.modified", "last-modified", "revised":
		into = &p.changed
	}
	if into != nil && *into == "" {
		*into = strings.TrimSpace(attribute(t, "content"))
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// isHidden says that an element is there but not shown.
func isHidden(t html.Token) bool {
	for _, a := range t.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			return strings.EqualFold(a.Val, "true")
		case "style":
			style := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
