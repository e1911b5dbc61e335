package pipeline

import (
	"slices"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/language"
)

// doubted adds to the unreliable pages of a PDF those whose text is no writing, as where a font gives its letters wrong
// names: their characters are all known, and still no search finds a word of them.
func doubted(c domain.Content) domain.Content {
	if c.Format != "pdf" {
		return c
	}
	pages := map[int]*strings.Builder{}
	for _, b := range c.Blocks {
		if pages[b.Place.Page] == nil {
			pages[b.Place.Page] = &strings.Builder{}
		}
		pages[b.Place.Page].WriteString(b.Text + "\n")
	}
	var garbled []int
	for page, text := range pages {
		if !slices.Contains(c.Unreliable, page) && language.Garbled(text.String()) {
			garbled = append(garbled, page)
		}
	}
	if len(garbled) == 0 {
		return c
	}
	slices.Sort(garbled)
	c.Unreliable = slices.Concat(c.Unreliable, garbled)
	slices.Sort(c.Unreliable)
	c.Warnings = append(slices.Clone(c.Warnings), extract.PageWarnings(garbled, extract.TextUnreliable)...)
	return c
}
