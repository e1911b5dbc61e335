package pipeline

import (
	"slices"
	"strings"

	"fanous/backend/store"
)

// passageForm names what passageText makes. It is part of the index's stamp: vectors of another form are
// made again.
const passageForm = "place-1"

const (
	headingSeparator = " › "
	placeSeparator   = " — "
)

// passageText is what the embedder and the rerankers read of a passage: the title and the headings that it
// stands under, unless it begins with them, and then its own text. A sentence seldom says what its
// document is about; the title was worth more than all else that was tried (decisions/late-interaction.md).
func passageText(p store.Passage) string {
	place := []string{}
	for _, part := range append([]string{p.Document.Title}, strings.Split(p.Chunk.Place.Heading, headingSeparator)...) {
		if part != "" && !slices.Contains(place, part) {
			place = append(place, part)
		}
	}
	first := strings.SplitN(p.Chunk.Text, "\n", len(place)+1)
	place = slices.DeleteFunc(place, func(part string) bool { return slices.Contains(first, part) })
	if len(place) == 0 {
		return p.Chunk.Text
	}
	return strings.Join(place, headingSeparator) + placeSeparator + p.Chunk.Text
}
