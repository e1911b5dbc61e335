package extract

import (
	"context"
	"strings"

	"fanous/backend/domain"
)

// readXLSX reads a workbook: every sheet in order under its name, each row as the sheet shows it,
// then the remarks on its cells and the text of its shapes.
func readXLSX(ctx context.Context, src source) (domain.Content, error) {
	c, err := openContainer(ctx, src)
	if err != nil {
		return domain.Content{}, err
	}
	return (&xlsx{container: c}).read()
}

// xlsx is a workbook being read.
type xlsx struct {
	*container
	strings []string // shared ones
	formats numberFormats
	tables  tables
}

func (x *xlsx) read() (domain.Content, error) {
	main, err := x.main("xl/workbook.xml")
	if err != nil {
		return domain.Content{}, err
	}
	if strings.HasSuffix(main, ".bin") {
		return domain.Content{}, unsupported("it is a binary workbook (.xlsb); saved as .xlsx it is read")
	}
	relations, err := x.relations(main)
	if err != nil {
		return domain.Content{}, err
	}
	var book workbook
	if err := x.walk(main, &book); err != nil && (len(book.sheets) == 0 || x.fatal(err)) {
		return domain.Content{}, err
	}
	if err := x.readShared(relations, book.date1904); err != nil {
		return domain.Content{}, err
	}
	var hidden []string
	for _, s := range book.sheets {
		part := relations.byID[s.relation]
		if !x.has(part) {
			continue
		}
		if s.hidden {
			hidden = append(hidden, s.name)
		}
		if err := x.readSheet(s.name, part); x.fatal(err) {
			return domain.Content{}, err
		} else if err != nil {
			x.warn("the workbook is damaged: a sheet was read only up to the damage")
		}
	}
	if len(hidden) > 0 {
		x.warn("sheets that the workbook hides were read, too: " + strings.Join(hidden, ", "))
	}
	if x.tables.full {
		x.warn(x.tables.warning())
	}
	content := x.properties(x.target("core-properties"))
	content.Blocks, content.Warnings = x.tables.out.blocks, x.warnings
	return content, nil
}

// readShared reads what all sheets share: strings and number formats.
func (x *xlsx) readShared(r relations, date1904 bool) error {
	var all sharedStrings
	for _, part := range r.byKind["sharedStrings"] {
		if err := x.walk(part, &all); x.fatal(err) {
			return err
		} else if err != nil {
			x.warn("texts of the workbook are missing: the part that holds them is damaged")
		}
	}
	x.strings = all.list
	styles := sheetStyles{codes: map[int]string{}}
	for _, part := range r.byKind["styles"] {
		if err := x.walk(part, &styles); x.fatal(err) {
			return err
		} else if err != nil {
			x.warn("the formats of numbers could not all be read")
		}
	}
	x.formats = numberFormats{date1904: date1904, codes: styles.codes, ids: styles.ids}
	return nil
}

// readSheet adds one sheet. It stands in the outline only if something does under it.
func (x *xlsx) readSheet(name, part string) error {
	out := &x.tables.out
	out.leave()
	out.heading(1, name, domain.Place{})
	before := len(out.blocks)
	v := sheetRows{book: x, sheet: sheet{tables: &x.tables, level: 2}}
	err := x.walk(part, &v)
	if x.fatal(err) {
		return err
	}
	v.endRow() // of a sheet that breaks off
	relations, _ := x.relations(part)
	for _, comments := range relations.byKind["comments"] {
		if e := x.walk(comments, &sheetComments{out: out}); e != nil {
			err = e
		}
	}
	for _, drawing := range relations.byKind["drawing"] {
		shapes := shapeText{emit: func(text string) { out.add(domain.KindParagraph, text, domain.Place{}) }}
		within, _ := x.relations(drawing)
		for _, part := range append(append([]string{drawing}, within.byKind["chart"]...), within.byKind["diagramData"]...) {
			if e := x.walk(part, &shapes); e != nil {
				err = e
			}
		}
	}
	if len(out.blocks) == before {
		out.blocks = out.blocks[:before-1]
	}
	return err
}
