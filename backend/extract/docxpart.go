package extract

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// style is what a paragraph style says about its place in the outline.
type style struct {
	name    string // "heading 1": the same in every language of Word, unlike the style's id
	basedOn string
	level   int // outline level + 1; 0: none said
	list    bool
}

// wordStyles collects the paragraph styles.
type wordStyles struct {
	byID map[string]style
	id   string
	open style
}

func (s *wordStyles) start(e xml.StartElement) bool {
	switch e.Name.Local {
	case "style":
		s.id, s.open = attr(e, "styleId"), style{}
	case "name":
		s.open.name = strings.ToLower(attr(e, "val"))
	case "basedOn":
		s.open.basedOn = attr(e, "val")
	case "outlineLvl":
		s.open.level = outlineLevel(attr(e, "val"))
	case "numId":
		s.open.list = attr(e, "val") != "0"
	case "rPr", "tblPr", "tblStylePr":
		return true
	}
	return false
}
func (s *wordStyles) text(string) {}
func (s *wordStyles) end(name string) {
	if name == "style" {
		s.byID[s.id] = s.open
	}
}

// bodyText is the level of a style or paragraph that says it is no heading.
const bodyText = -1

func outlineLevel(val string) int {
	n, err := strconv.Atoi(val)
	switch {
	case err != nil || n < 0:
		return 0
	case n > 8:
		return bodyText
	}
	return n + 1
}

func (d *docx) readStyles(names []string) {
	s := wordStyles{byID: map[string]style{}}
	for _, name := range names {
		if err := d.walk(name, &s); err != nil {
			d.warn("the styles could not be read: headings may be missing")
		}
	}
	d.styles = s.byID
}

const titleStyle = "title"

// outlineOf gives the heading level that a style means, 0 for none, and whether it is the title
// or that of list items.
func (d *docx) outlineOf(id string) (level int, title, list bool) {
	for range 16 { // styles may be based on one another in a circle
		s, ok := d.styles[id]
		if !ok {
			// No style sheet: the id is all there is.
			return headingName(strings.ToLower(id)), strings.EqualFold(id, titleStyle), list
		}
		list = list || s.list
		if s.level != 0 {
			return max(s.level, 0), false, list
		}
		if n := headingName(s.name); n > 0 {
			return n, false, list
		}
		if s.name == titleStyle {
			return 1, true, false
		}
		if id = s.basedOn; id == "" {
			break
		}
	}
	return 0, false, list
}

// headingName reads "heading 2", and the id "heading2".
func headingName(name string) int {
	rest, ok := strings.CutPrefix(name, "heading")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(rest))
	if err != nil || n < 1 || n > 9 {
		return 0
	}
	return n
}
