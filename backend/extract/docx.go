package extract

import (
	"bytes"
	"context"
	"io"

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

	chunks    map[string]string // parts that are documents of other formats, by the ids that the body calls them
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
	d.chunks = relations.byID
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
	for _, kind := range []string{"diagramData", "chart"} {
		for _, name := range relations.byKind[kind] {
			drawing := shapeText{cached: true, emit: func(text string) { body.out.add(domain.KindParagraph, text, domain.Place{}) }}
			if err := d.walk(name, &drawing); err != nil {
				d.warn("a drawing could not be read")
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

// chunk adds what stands in a part of another format, as programs that make documents of web pages leave it to Word to
// read. A document in a document is left out: it may hold itself.
func (w *wordBody) chunk(id string) {
	blocks, err := w.doc.readChunk(w.doc.chunks[id])
	if err != nil {
		w.doc.warn("a part in another format could not be read")
	}
	for _, b := range blocks {
		if b.Kind == domain.KindHeading {
			w.out.heading(b.Level, b.Text, domain.Place{})
		} else {
			w.out.add(b.Kind, b.Text, domain.Place{})
		}
	}
}

func (d *docx) readChunk(name string) ([]domain.Block, error) {
	part, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer part.Close()
	data, err := io.ReadAll(part)
	if err != nil {
		return nil, d.broken(err)
	}
	format, err := detect(source{ReaderAt: bytes.NewReader(data), name: name, size: int64(len(data))})
	if err != nil {
		return nil, err
	}
	var content domain.Content
	switch format {
	case formatHTML:
		content, err = readMarked(d.ctx, data, "")
	case formatMHTML, formatEML: // a saved page has the fields of a message
		content, err = readMHTML(d.ctx, data)
	case formatRTF:
		content, err = readRTF(d.ctx, data)
	case formatText:
		content, err = readText(d.ctx, decodeText(data))
	default:
		err = unsupported(string(format))
	}
	return content.Blocks, err
}
