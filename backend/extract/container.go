package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"fanous/backend/domain"
)

const (
	// maxInflated is how many bytes one archive may inflate to, counted as they come: what its
	// directory claims is not believed.
	maxInflated = 512 << 20
	// maxEntries is how many files an archive may have.
	maxEntries = 100_000
	// maxXMLDepth is how deep the elements of a part may nest: deeper than the deepest that anybody
	// writes, yet the memory for it is small.
	maxXMLDepth = 1_000_000
)

var (
	errInflated = fmt.Errorf("the document inflates to more than the %d MiB that are read", maxInflated>>20)
	errDepth    = errors.New("a part of the document is nested deeper than anybody writes")
)

// container is a document that is an archive of parts: those of Office, OpenDocument and EPUB. Names
// in it lead to parts of it and nowhere else.
type container struct {
	ctx      context.Context
	parts    map[string]*zip.File // by lower-case name, for names in an archive differ in case
	flat     *io.SectionReader    // a document that is one part, which stands for all of them; nil: an archive
	left     int64                // bytes that may still be inflated
	warnings []string
}

func openContainer(ctx context.Context, src source) (*container, error) {
	archive, err := zip.NewReader(src, src.size)
	if err != nil {
		return nil, fmt.Errorf("the document is a damaged archive: %w", err)
	}
	if len(archive.File) > maxEntries {
		return nil, fmt.Errorf("the document holds %d files, more than the %d that are read", len(archive.File), maxEntries)
	}
	return newContainer(ctx, archive, maxInflated), nil
}

func newContainer(ctx context.Context, archive *zip.Reader, limit int64) *container {
	c := &container{ctx: ctx, parts: map[string]*zip.File{}, left: limit}
	for _, f := range archive.File {
		c.parts[strings.ToLower(partName(f.Name))] = f
	}
	return c
}

// partName is what an archive calls a part; some programs of Windows write backslashes.
func partName(name string) string {
	return strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/")
}

func (c *container) has(name string) bool {
	return c.parts[strings.ToLower(name)] != nil || c.flat != nil && !strings.Contains(name, "/")
}

func (c *container) warn(sentence string) {
	for _, w := range c.warnings {
		if w == sentence {
			return
		}
	}
	c.warnings = append(c.warnings, sentence)
}

// fatal says that what was read before err is not worth keeping: the reader was stopped, or the
// document would not end.
func (c *container) fatal(err error) bool { return c.ctx.Err() != nil || errors.Is(err, errInflated) }

// open gives a part's bytes, as far as the document may still inflate.
func (c *container) open(name string) (io.ReadCloser, error) {
	if c.flat != nil && c.has(name) {
		r := io.NewSectionReader(c.flat, 0, c.flat.Size())
		return io.NopCloser(&metered{r: r, left: &c.left, over: errInflated}), nil
	}
	file := c.parts[strings.ToLower(name)]
	if file == nil {
		return nil, fmt.Errorf("the document lacks its part %q", name)
	}
	r, err := file.Open()
	if err != nil {
		return nil, fmt.Errorf("a part of the document could not be opened: %w", err)
	}
	return struct {
		io.Reader
		io.Closer
	}{&metered{r: r, left: &c.left, over: errInflated}, r}, nil
}

// visitor sees the elements and the text of one XML part. start returns true for an element that
// is to be passed over with all that is in it.
type visitor interface {
	start(e xml.StartElement) (skip bool)
	text(s string)
	end(name string)
}

// walk shows a part to v. Memory grows with the depth of the part, not with its size. Entities
// that a part defines itself are an error, and nothing outside of it is ever fetched.
func (c *container) walk(name string, v visitor) error {
	r, err := c.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	z := xml.NewDecoder(decodedXML(r))
	// The decoder wants UTF-8 and gets it, whatever the declaration says.
	z.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	depth, skipped := 0, 0 // skipped is the depth of the element that is passed over; 0: none
	for n := 0; ; n++ {
		if n%4096 == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		t, err := z.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return c.broken(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			switch {
			case depth > maxXMLDepth:
				return errDepth
			case skipped == 0 && v.start(t):
				skipped = depth
			}
		case xml.CharData:
			if skipped == 0 {
				v.text(string(t))
			}
		case xml.EndElement:
			switch skipped {
			case 0:
				v.end(t.Name.Local)
			case depth:
				skipped = 0
			}
			depth--
		}
	}
}

// broken is what an error in a part comes to.
func (c *container) broken(err error) error {
	if c.left <= 0 {
		return errInflated
	}
	return fmt.Errorf("a part of the document is damaged: %w", err)
}

// metered stops a reader when what all of them share is used up.
type metered struct {
	r    io.Reader
	left *int64
	over error // what it stops with
}

func (m *metered) Read(p []byte) (int, error) {
	if *m.left <= 0 {
		return 0, m.over
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

// relations are what a part of an Office document says about others.
type relations struct {
	of     string              // the part
	byKind map[string][]string // targets by the last word of their type, the same in both forms of the format
	byID   map[string]string
}

func (r relations) start(e xml.StartElement) bool {
	if e.Name.Local == "Relationship" && !strings.EqualFold(attr(e, "TargetMode"), "External") {
		kind := attr(e, "Type")
		kind = kind[strings.LastIndexByte(kind, '/')+1:]
		target := resolve(r.of, attr(e, "Target"))
		r.byKind[kind] = append(r.byKind[kind], target)
		r.byID[attr(e, "Id")] = target
	}
	return false
}
func (r relations) text(string) {}
func (r relations) end(string)  {}

// relations reads the relations of a part, "" being the document as a whole.
func (c *container) relations(part string) (relations, error) {
	r := relations{of: part, byKind: map[string][]string{}, byID: map[string]string{}}
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if part == "" {
		name = "_rels/.rels"
	}
	if !c.has(name) {
		return r, nil
	}
	return r, c.walk(name, r)
}

// target is the first part that the document as a whole has a relation of this kind to.
func (c *container) target(kind string) string {
	r, err := c.relations("")
	if err != nil || len(r.byKind[kind]) == 0 {
		return ""
	}
	return r.byKind[kind][0]
}

// main is the document's main part: the one it names, or else the usual one.
func (c *container) main(usual string) (string, error) {
	main := c.target("officeDocument")
	if main == "" {
		main = usual
	}
	if !c.has(main) {
		return "", errors.New("the document has no main part")
	}
	return main, nil
}

// resolve makes a target, relative to the part that names it, a name in the archive. One that
// climbs out of the archive names nothing.
func resolve(part, target string) string {
	if !strings.HasPrefix(target, "/") {
		target = path.Join("/", path.Dir(part), target)
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}

// properties are what a document says about itself: in docProps/core.xml or meta.xml.
type properties struct {
	at, title, author string
	starter           string // of OpenDocument, whose creator is who changed the document last
	changed, created  string
}

func (p *properties) start(e xml.StartElement) bool {
	p.at = e.Name.Local
	return isOffice(e) && p.at != "meta" && strings.TrimSuffix(p.at, "-meta") != "document" // where a document is one part
}
func (p *properties) end(string) { p.at = "" }
func (p *properties) text(s string) {
	switch p.at {
	case "title":
		p.title += s
	case "creator":
		p.author += s
	case "initial-creator":
		p.starter += s
	case "modified", "date":
		p.changed += s
	case "created", "creation-date":
		p.created += s
	}
}

// properties reads what the part of this name says, as content without text.
func (c *container) properties(name string) domain.Content {
	if name == "" || !c.has(name) {
		return domain.Content{}
	}
	var p properties
	if err := c.walk(name, &p); err != nil {
		c.warn("title and author could not be read")
	}
	if p.starter != "" {
		p.author = p.starter
	}
	return domain.Content{Title: strings.TrimSpace(p.title), Author: strings.TrimSpace(p.author), Dated: firstDate(p.changed, p.created)}
}
