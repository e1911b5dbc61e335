package extract

import (
	"strings"

	"fanous/backend/domain"
)

// slide collects what stands on a slide; its title may come last, for the order in the file is that
// of drawing.
type slide struct {
	number int
	title  string
	blocks []domain.Block
}

func (s *slide) add(b domain.Block) {
	if b.Text != "" {
		s.blocks = append(s.blocks, b)
	}
}

// put writes the slide, its title as a heading, and empties it.
func (s *slide) put(out *outline) {
	place := domain.Place{Page: s.number}
	out.leave()
	if s.title != "" {
		out.heading(1, strings.Join(strings.Fields(s.title), " "), place)
	}
	for _, b := range s.blocks {
		out.add(b.Kind, b.Text, place)
	}
	s.title, s.blocks = "", nil
}
