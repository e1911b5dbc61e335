package extract

import (
	"context"

	"fanous/backend/domain"
)

// readDOCX reads a Word document: its body in order, each note and comment after the paragraph
// that refers to it, headers and footers at the end.
func readDOCX(ctx context.Context, src source) (domain.Content, error) {
	c, err := openContainer(ctx, src)
	if err != nil {
		return domain.Content{}, err
	}
	return (&docx{container: c}).read()
}

// docx is a document being read.
type docx struct {
	*container

	styles    map[string]style
	footnotes map[string][]string // paragraphs by id
	endnotes  map[string][]string
	comments  map[string][]string
}

func (d *docx) read() (domain.Content, error) {
	main, err := d.main("word/document.xml")
	if err != nil {
		return domain.Content{}, err
	}
	relations, err := d.relations(main)
	if err != nil {
		return domain.Content{}, err
	}
	d.readStyles(relations.byKind["styles"])
	d.footnotes = d.notes(relations.byKind["footnotes"], "footnote")
	d.endnotes = d.notes(relations.byKind["endnotes"], "endnote")
	d.comments = d.notes(relations.byKind["comments"], "comment")

	body := wordBody{doc: d}
	if err := d.walk(main, &body); err != nil {
		if len(body.out.blocks) == 0 || d.fatal(err) {
			return domain.Content{}, err
		}
		d.warn("the document is damaged: only the text before the damage was read")
	}
	body.out.leave()
	said := map[string]bool{} // every section may repeat the same header
	for _, kind := range []string{"header", "footer"} {
		for _, name := range relations.byKind[kind] {
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
	content := d.properties(d.target("core-properties"))
	if content.Title == "" {
		content.Title = body.title
	}
	content.Blocks, content.Warnings = body.out.blocks, d.warnings
	return content, nil
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
