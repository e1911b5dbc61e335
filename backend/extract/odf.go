package extract

import (
	"context"
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"fanous/backend/domain"
)

// readODF reads an OpenDocument text, spreadsheet, presentation or drawing: an archive of parts, or one part (flat XML).
func readODF(ctx context.Context, src source) (domain.Content, error) {
	var sign [2]byte
	if _, err := src.ReadAt(sign[:], 0); err == nil && string(sign[:]) != "PK" {
		return readOpenDocument(&container{ctx: ctx, left: maxInflated, flat: io.NewSectionReader(src, 0, src.size)})
	}
	c, err := openContainer(ctx, src)
	if err != nil {
		return domain.Content{}, err
	}
	return readOpenDocument(c)
}

func readOpenDocument(c *container) (domain.Content, error) {
	var manifest odfManifest
	if c.has("META-INF/manifest.xml") {
		if err := c.walk("META-INF/manifest.xml", &manifest); c.fatal(err) {
			return domain.Content{}, err
		}
	}
	if manifest.encrypted {
		return domain.Content{}, ErrNeedsPassword
	}
	body := odfBody{styles: map[string]odfStyle{}}
	if err := c.walk("content.xml", &body); err != nil {
		if len(body.tables.out.blocks) == 0 && len(body.slide.blocks) == 0 || c.fatal(err) {
			return domain.Content{}, err
		}
		c.warn("the document is damaged: only the text before the damage was read")
	}
	body.endSheet()
	body.slide.put(&body.tables.out)
	if body.tables.full {
		c.warn(body.tables.warning())
	}
	if len(body.hidden) > 0 {
		c.warn("sheets that the document hides were read, too: " + strings.Join(body.hidden, ", "))
	}
	if body.isText && c.has("styles.xml") {
		margins := odfMargins{said: map[string]bool{}, out: &body.tables.out}
		if err := c.walk("styles.xml", &margins); c.fatal(err) {
			return domain.Content{}, err
		} else if err != nil {
			c.warn("a header or footer could not be read")
		}
	}
	content := c.properties("meta.xml")
	if content.Title == "" {
		content.Title = body.title
	}
	content.Blocks, content.Warnings = body.tables.out.blocks, c.warnings
	return content, nil
}

func isOffice(e xml.StartElement) bool {
	return strings.Contains(e.Name.Space, "opendocument:xmlns:office")
}

// odfManifest finds out whether parts are encrypted.
type odfManifest struct{ encrypted bool }

func (m *odfManifest) start(e xml.StartElement) bool {
	m.encrypted = m.encrypted || e.Name.Local == "encryption-data"
	return false
}
func (m *odfManifest) text(string) {}
func (m *odfManifest) end(string)  {}

// odfMargins adds the headers and footers of the pages, each text once.
type odfMargins struct {
	body odfBody
	open bool
	said map[string]bool
	out  *outline
}

func isMargin(name string) bool {
	return strings.HasPrefix(name, "header") || strings.HasPrefix(name, "footer")
}

func (m *odfMargins) start(e xml.StartElement) bool {
	if isMargin(e.Name.Local) && strings.Contains(e.Name.Space, "style") {
		// header-style and its like say only how it looks.
		m.open = !strings.HasSuffix(e.Name.Local, "-style")
		return !m.open
	}
	return m.open && m.body.start(e)
}

func (m *odfMargins) text(s string) {
	if m.open {
		m.body.text(s)
	}
}

func (m *odfMargins) end(name string) {
	if !m.open {
		return
	}
	if !isMargin(name) {
		m.body.end(name)
		return
	}
	m.open = false
	m.out.leave()
	for _, b := range m.body.tables.out.blocks {
		if !m.said[b.Text] {
			m.said[b.Text] = true
			m.out.add(domain.KindParagraph, b.Text, domain.Place{})
		}
	}
	m.body = odfBody{}
}

// odfStyle is what a style says about the text in it.
type odfStyle struct {
	parent string
	hidden bool // of a sheet
}

// role says what a style is, or is made from: that of the document's title, or of a heading of a level.
func (b *odfBody) role(style string) (level int, title bool) {
	for range 16 { // styles may be made from one another in a circle
		if style == "Title" {
			return 1, true
		}
		if number, ok := strings.CutPrefix(style, "Heading_20_"); ok {
			if n, err := strconv.Atoi(number); err == nil && n > 0 {
				return min(n, 10), false
			}
		}
		if style = b.styles[style].parent; style == "" {
			break
		}
	}
	return 0, false
}

// times reads how often a row or cell is repeated; limit keeps what a file says from being believed.
func times(e xml.StartElement, name string, limit int) int {
	n, err := strconv.Atoi(attr(e, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, limit)
}
