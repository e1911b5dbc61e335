package judgements

import (
	"fmt"

	"fanous/backend/domain"
)

// Names say which judged document a document of the collection is. The zero value knows none.
type Names struct {
	byContent, byPlace map[string]string
}

// NamesOf gives every document of the judgements one name, whether it is found by its bytes or by its path.
func NamesOf(all []Judgement) Names {
	n := Names{byContent: map[string]string{}, byPlace: map[string]string{}}
	for _, j := range all {
		name := n.of(j.Content, j.Place)
		if name == "" {
			name = fmt.Sprintf("judged %d", len(n.byPlace))
		}
		if _, known := n.byPlace[j.Place]; !known {
			n.byPlace[j.Place] = name
		}
		if j.Content != "" {
			n.byContent[j.Content] = name
		}
	}
	return n
}

func (n Names) of(content, place string) string {
	if name, known := n.byContent[content]; known && content != "" {
		return name
	}
	return n.byPlace[place]
}

// Judged is the name of a judgement's document.
func (n Names) Judged(j Judgement) string { return n.of(j.Content, j.Place) }

// Document is the name of a document of the collection; one that nobody has judged has one of its own.
func (n Names) Document(d domain.Document) string {
	if name := n.of(d.Hash, Place(d.Path, d.Member)); name != "" {
		return name
	}
	return fmt.Sprintf("document %d", d.ID)
}
