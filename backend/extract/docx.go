package extract

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
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
)

// readDOCX reads a Word document: its body in order, each note and comment after the paragraph
// that refers to it, headers and footers at the end.
func readDOCX(ctx context.Context, src source) (domain.Content, error) {
	archive, err := zip.NewReader(src.File, src.size)
	if err != nil {
		return domain.Content{}, fmt.Errorf("the document is a damaged archive: %w", err)
	}
	return newDOCX(ctx, archive, maxInflated).read()
}

func newDOCX(ctx context.Context, archive *zip.Reader, limit int64) *docx {
	d := &docx{ctx: ctx, parts: map[string]*zip.File{}, left: limit}
	for _, f := range archive.File {
		d.parts[strings.ToLower(strings.TrimPrefix(f.Name, "/"))] = f
	}
	return d
}

// docx is a document being read.
type docx struct {
	ctx   context.Context
	parts map[string]*zip.File // by lower-case name, for names in an archive differ in case
	left  int64                // bytes that may still be inflated

	styles    map[string]style
	footnotes map[string][]string // paragraphs by id
	endnotes  map[string][]string
	comments  map[string][]string
	warnings  []string
}

func (d *docx) read() (domain.Content, error) {
	if len(d.parts) > maxEntries {
		return domain.Content{}, fmt.Errorf("the document holds %d files, more than the %d that are read", len(d.parts), maxEntries)
	}
	main := d.target("_rels/.rels", "officeDocument")
	if main == "" {
		main = "word/document.xml"
	}
	if d.parts[strings.ToLower(main)] == nil {
		return domain.Content{}, errors.New("the document has no main part")
	}
	relations, err := d.relations(relationsOf(main))
	if err != nil {
		return domain.Content{}, err
	}
	byKind := func(kind string) []string { return resolve(main, relations[kind]) }

	d.readStyles(byKind("styles"))
	d.footnotes = d.notes(byKind("footnotes"), "footnote")
	d.endnotes = d.notes(byKind("endnotes"), "endnote")
	d.comments = d.notes(byKind("comments"), "comment")

	body := wordBody{doc: d}
	if err := d.walk(main, &body); err != nil {
		if len(body.out.blocks) == 0 || d.ctx.Err() != nil || errors.Is(err, errInflated) {
			return domain.Content{}, err
		}
		d.warn("the document is damaged: only the text before the damage was read")
	}
	body.out.leave()
	said := map[string]bool{} // every section may repeat the same header
	for _, kind := range []string{"header", "footer"} {
		for _, name := range byKind(kind) {
			part := wordBody{doc: d}
			if err := d.walk(name, &part); err != nil {
				d.warn("a header or footer could not be read")
			}
			for _, b := range part.out.blocks {
				if !said[b.Text] {
					said[b.Text] = true
					body.out.add(domain.KindParagraph, b.Text, domain.Place{})
				}
			}
		}
	}
	if err := d.ctx.Err(); err != nil {
		return domain.Content{}, err
	}
	title, author := d.properties()
	if title == "" {
		title = body.title
	}
	return domain.Content{Title: title, Author: author, Blocks: body.out.blocks, Warnings: d.warnings}, nil
}

func (d *docx) warn(sentence string) {
	for _, w := range d.warnings {
		if w == sentence {
			return
		}
	}
	d.warnings = append(d.warnings, sentence)
}

// notes reads a part of footnotes, endnotes or comments: the paragraphs of each by its id.
func (d *docx) notes(names []string, element string) map[string][]string {
	all := map[string][]string{}
	for _, name := range names {
		n := wordNotes{body: wordBody{doc: d}, element: element, texts: all}
		if err := d.walk(name, &n); err != nil {
			d.warn("the notes or comments could not all be read")
		}
	}
	return all
}

// relations gives the targets of a part's relations by the last word of their type.
func (d *docx) relations(name string) (map[string][]string, error) {
	r := wordRelations{}
	if d.parts[strings.ToLower(name)] == nil {
		return r, nil
	}
	if err := d.walk(name, r); err != nil {
		return nil, err
	}
	return r, nil
}

func (d *docx) target(name, kind string) string {
	relations, err := d.relations(name)
	if err != nil || len(relations[kind]) == 0 {
		return ""
	}
	return resolve("", relations[kind])[0]
}

func relationsOf(part string) string {
	return path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
}

// resolve makes targets, relative to the part that names them, names in the archive. A target
// that climbs out of the archive names nothing.
func resolve(part string, targets []string) []string {
	var names []string
	for _, t := range targets {
		if !strings.HasPrefix(t, "/") {
			t = path.Join("/", path.Dir(part), t)
		}
		names = append(names, strings.TrimPrefix(path.Clean(t), "/"))
	}
	return names
}
