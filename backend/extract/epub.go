package extract

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"

	"fanous/backend/domain"
)

// readEPUB reads an e-book: its chapters in the order of reading.
func readEPUB(ctx context.Context, src source) (domain.Content, error) {
	c, err := openContainer(ctx, src)
	if err != nil {
		return domain.Content{}, err
	}
	return readBook(c)
}

func readBook(c *container) (domain.Content, error) {
	var root epubRoot
	if err := c.walk("META-INF/container.xml", &root); err != nil && (root.path == "" || c.fatal(err)) {
		return domain.Content{}, err
	}
	book := epubPackage{of: root.path, items: map[string]string{}}
	if err := c.walk(root.path, &book); err != nil && (len(book.spine) == 0 || c.fatal(err)) {
		return domain.Content{}, err
	}
	locked := epubLocks{}
	if c.has("META-INF/encryption.xml") {
		if err := c.walk("META-INF/encryption.xml", locked); c.fatal(err) {
			return domain.Content{}, err
		}
	}
	var out outline
	for _, id := range book.spine {
		part := book.items[id]
		if locked[part] { // fonts may be, which is common and does not matter
			return domain.Content{}, ErrNeedsPassword
		}
		blocks, err := readChapter(c, part)
		if c.fatal(err) {
			return domain.Content{}, err
		}
		if err != nil {
			c.warn("a chapter of the book is missing or damaged")
		}
		out.leave()
		out.nest(0, blocks)
	}
	return domain.Content{Title: strings.TrimSpace(book.title), Author: strings.Join(book.authors, ", "),
		Dated: firstDate(book.date), Blocks: out.blocks, Warnings: c.warnings}, nil
}

// emptyElement is one that XHTML closes in its start tag, and of which HTML would read all that
// follows as its content.
var emptyElement = regexp.MustCompile(`(?i)<(title|script|style|iframe|template|noscript|object|textarea)(\s[^<>]*)?/>`)

func readChapter(c *container, part string) ([]domain.Block, error) {
	r, err := c.open(part)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxTextFile+1))
	switch {
	case c.left <= 0:
		return nil, errInflated
	case len(data) > maxTextFile:
		return nil, tooLarge(maxTextFile)
	case err != nil && len(data) == 0:
		return nil, fmt.Errorf("a chapter could not be read: %w", err)
	}
	content, failed := readHTML(c.ctx, emptyElement.ReplaceAllString(decodeHTML(data), "<$1></$1>"))
	if failed != nil {
		return nil, failed
	}
	return content.Blocks, err
}

// epubRoot finds the package document.
type epubRoot struct{ path string }

func (r *epubRoot) start(e xml.StartElement) bool {
	if e.Name.Local == "rootfile" && r.path == "" {
		r.path = resolve("", attr(e, "full-path"))
	}
	return false
}
func (r *epubRoot) text(string) {}
func (r *epubRoot) end(string)  {}

// epubPackage collects what the book is made of and in which order it is read.
type epubPackage struct {
	of      string            // the package document's own name
	items   map[string]string // parts by id
	spine   []string          // ids
	at      string
	title   string
	date    string // of publication
	authors []string
}

func (p *epubPackage) start(e xml.StartElement) bool {
	p.at = e.Name.Local
	switch e.Name.Local {
	case "item":
		href := attr(e, "href")
		if plain, err := url.PathUnescape(href); err == nil {
			href = plain
		}
		p.items[attr(e, "id")] = resolve(p.of, href)
	case "itemref":
		p.spine = append(p.spine, attr(e, "idref"))
	case "title":
		return p.title != "" // the first is the book's
	case "date":
		return p.date != "" || strings.EqualFold(attr(e, "event"), "modification")
	}
	return false
}
func (p *epubPackage) text(s string) {
	switch s = strings.TrimSpace(s); {
	case s == "":
	case p.at == "title":
		p.title += s
	case p.at == "date":
		p.date += s
	case p.at == "creator":
		p.authors = append(p.authors, s)
	}
}
func (p *epubPackage) end(string) { p.at = "" }

// epubLocks are the parts that are encrypted.
type epubLocks map[string]bool

func (l epubLocks) start(e xml.StartElement) bool {
	if e.Name.Local == "CipherReference" {
		l[resolve("", attr(e, "URI"))] = true
	}
	return false
}
func (l epubLocks) text(string) {}
func (l epubLocks) end(string)  {}
