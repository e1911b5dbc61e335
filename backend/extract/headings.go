package extract

import (
	"strings"

	"fanous/backend/domain"
)

// headingSeparator joins the headings of a path.
const headingSeparator = " › "

// outline collects blocks and keeps the path of headings that each stands under.
type outline struct {
	blocks []domain.Block
	path   []heading
	joined string // path as Place.Heading has it
}

type heading struct {
	level int
	text  string
}

// heading adds a heading block; a level below 1 counts as 1.
func (o *outline) heading(level int, text string, place domain.Place) {
	level = max(level, 1)
	o.climb(level)
	o.path = append(o.path, heading{level, strings.Join(strings.Fields(text), " ")})
	o.join()
	place.Heading = o.joined
	o.blocks = append(o.blocks, domain.Block{Kind: domain.KindHeading, Level: level, Text: text, Place: place})
}

// climb leaves the headings of a level and those below them.
func (o *outline) climb(level int) {
	n := len(o.path)
	for n > 0 && o.path[n-1].level >= level {
		n--
	}
	if n < len(o.path) {
		o.path = o.path[:n]
		o.join()
	}
}

// nest adds the blocks of a document below a heading of this level, 0: below none.
func (o *outline) nest(level int, blocks []domain.Block) {
	for _, b := range blocks {
		if b.Kind == domain.KindHeading {
			o.heading(level+b.Level, b.Text, b.Place)
			continue
		}
		if b.Place.Heading == "" {
			o.climb(level + 1)
		}
		o.add(b.Kind, b.Text, b.Place)
	}
}

func (o *outline) join() {
	texts := make([]string, len(o.path))
	for i, h := range o.path {
		texts[i] = h.text
	}
	o.joined = strings.Join(texts, headingSeparator)
}

// add adds a block that is not a heading, unless it has no text.
func (o *outline) add(kind domain.BlockKind, text string, place domain.Place) {
	if text == "" {
		return
	}
	place.Heading = o.joined
	o.blocks = append(o.blocks, domain.Block{Kind: kind, Text: text, Place: place})
}

// leave forgets the path: what follows stands under no heading.
func (o *outline) leave() { o.path, o.joined = nil, "" }
