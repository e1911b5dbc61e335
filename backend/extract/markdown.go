package extract

import (
	"context"
	"html"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"fanous/backend/domain"
)

const (
	// maxContainers is how many quotes and lists may open in one line.
	maxContainers = 64
	// maxBrackets is how many links may open in one paragraph.
	maxBrackets = 2000
)

// readMarkdown reads CommonMark with tables, strikethrough, task lists and footnotes. What nests
// deeper than anybody writes is read as plain text: the parser's time grows with its square.
func readMarkdown(ctx context.Context, s string) (domain.Content, error) {
	if nestsTooDeep(s) {
		return readText(ctx, s)
	}
	front, body := frontMatter(s)
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList)).Parser()
	m := markdown{source: []byte(body), offset: strings.Count(s[:len(s)-len(body)], "\n")}
	m.lines = lineStarts(m.source)
	root := parser.Parse(text.NewReader(m.source))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if err := ctx.Err(); err != nil {
			return ast.WalkStop, err
		}
		if !entering {
			return ast.WalkContinue, nil
		}
		return m.block(n), nil
	})
	if err != nil {
		return domain.Content{}, err
	}
	return domain.Content{Title: front["title"], Author: front["author"], Dated: firstDate(front["date"]), Blocks: m.out.blocks}, nil
}

func nestsTooDeep(s string) bool {
	brackets := 0
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" {
			brackets = 0
			continue
		}
		containers := 0
		for _, c := range line {
			if c != ' ' && c != '\t' && (c < '0' || c > '9') {
				if !strings.ContainsRune(">-+*.)", c) {
					break
				}
				containers++
			}
		}
		brackets += strings.Count(line, "[")
		if containers > maxContainers && !isRule(line) || brackets > maxBrackets {
			return true
		}
	}
	return false
}

// isRule says that a line is one sign over and over, which opens nothing.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	return strings.ContainsAny(line[:1], "-*") && strings.Trim(line, line[:1]) == ""
}

type markdown struct {
	source []byte
	lines  []int // byte offsets at which lines start
	offset int   // lines in front of source
	out    outline
}

// block adds the block that n is, if it is one that holds text itself.
func (m *markdown) block(n ast.Node) ast.WalkStatus {
	place := domain.Place{Line: m.line(n)}
	switch n := n.(type) {
	case *ast.Heading:
		if text := m.inline(n); text != "" {
			m.out.heading(n.Level, text, place)
		}
	case *ast.Paragraph, *ast.TextBlock, *east.DefinitionTerm:
		kind := domain.KindParagraph
		if inList(n) {
			kind = domain.KindListItem
		}
		m.out.add(kind, m.inline(n), place)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		m.out.add(domain.KindCode, strings.Trim(string(n.Lines().Value(m.source)), "\n"), place)
	case *east.TableHeader, *east.TableRow:
		var cells []string
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, m.inline(c))
		}
		m.out.add(domain.KindTableRow, strings.Join(cells, cellSeparator), place)
	case *ast.HTMLBlock:
		m.html(n, place)
	default:
		return ast.WalkContinue
	}
	return ast.WalkSkipChildren
}

// html adds what a piece of HTML shows, under the headings of the document.
func (m *markdown) html(n *ast.HTMLBlock, place domain.Place) {
	raw := string(n.Lines().Value(m.source))
	if n.HasClosure() {
		raw += string(n.ClosureLine.Value(m.source))
	}
	page := htmlPage{}
	if err := page.read(context.Background(), raw); err != nil {
		return
	}
	for _, b := range page.out.blocks {
		if b.Kind == domain.KindHeading {
			m.out.heading(b.Level, b.Text, place)
		} else {
			m.out.add(b.Kind, b.Text, place)
		}
	}
}

func inList(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindListItem {
			return true
		}
	}
	return false
}

// inline is the text that n shows, line ends kept.
func (m *markdown) inline(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			value := c.Segment.Value(m.source)
			if c.IsRaw() || c.Parent().Kind() == ast.KindCodeSpan {
				b.Write(value)
			} else {
				b.WriteString(html.UnescapeString(string(util.UnescapePunctuations(value))))
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(m.source))
		case *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// line is the 1-based line of the file on which the text of n starts; 0 where n has none.
func (m *markdown) line(n ast.Node) int {
	start := -1
	switch {
	case n.Type() == ast.TypeBlock && n.Lines().Len() > 0:
		start = n.Lines().At(0).Start
	case n.Type() == ast.TypeBlock:
		_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
			if t, ok := c.(*ast.Text); ok && entering {
				start = t.Segment.Start
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
	if start < 0 {
		return 0
	}
	return m.offset + sort.SearchInts(m.lines, start+1)
}

func lineStarts(source []byte) []int {
	starts := []int{0}
	for i, b := range source {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// frontMatter splits off the block of YAML or TOML that may open a file, and reads its plain `key: value` lines. Those
// that are indented, or items of a list, belong to a key and say nothing that is asked for.
func frontMatter(s string) (map[string]string, string) {
	mark, pair := "---\n", ":"
	if strings.HasPrefix(s, "+++\n") {
		mark, pair = "+++\n", "="
	}
	rest, ok := strings.CutPrefix(s, mark)
	if !ok {
		return nil, s
	}
	head, body, ok := strings.Cut(rest, "\n"+mark)
	if !ok {
		return nil, s
	}
	values := map[string]string{}
	for l := range strings.Lines(head) {
		if strings.TrimSpace(l) == "" || strings.ContainsRune(" \t-#[]", rune(l[0])) {
			continue
		}
		key, value, ok := strings.Cut(l, pair)
		if !ok {
			return nil, s // a rule and a paragraph, not front matter
		}
		values[strings.ToLower(strings.TrimSpace(key))] = strings.Trim(strings.TrimSpace(value), `"'`)
	}
	return values, body
}
