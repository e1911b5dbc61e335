package madeup

import (
	"math/rand/v2"
	"strings"
)

// Source makes documents and queries. Its methods give the same for the same number.
type Source struct {
	seed      uint64
	languages []lexicon
	ranks     *zipf
	space     *space
}

// NewSource makes the vocabularies and the space of a seed.
func NewSource(seed uint64) *Source {
	rng := rand.New(rand.NewPCG(seed, 0))
	return &Source{seed, makeLanguages(rng), newZipf(vocabulary), newSpace(rng)}
}

// Document is what the words and vectors of one document are drawn from, one after the other.
type Document struct {
	src    *Source
	rng    *rand.Rand
	words  []string
	topic  []string
	about  []float32 // the middle of its topic
	centre []float32 // its own
}

// Document begins the document of a number.
func (s *Source) Document(number int) *Document {
	rng := rand.New(rand.NewPCG(s.seed, 1+uint64(number)))
	l := s.languages[rng.IntN(len(s.languages))]
	d := &Document{src: s, rng: rng, words: l.words, about: s.space.topic(rng)}
	d.centre = s.space.near(rng, d.about, docSpread)
	for len(d.topic) < topicWords {
		if rank := s.ranks.draw(rng); rank >= l.first {
			d.topic = append(d.topic, l.words[rank])
		}
	}
	return d
}

// Text gives the next n words, in sentences.
func (d *Document) Text(n int) string {
	var b strings.Builder
	for i := range n {
		switch {
		case i == 0:
		case d.rng.IntN(15) == 0:
			b.WriteString(". ")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(d.word())
	}
	return b.String()
}

func (d *Document) word() string {
	if d.rng.Float64() < topicShare {
		return d.topic[d.rng.IntN(len(d.topic))]
	}
	return d.words[d.src.ranks.draw(d.rng)]
}

// Vector gives the vector of the next passage.
func (d *Document) Vector() []float32 { return d.src.space.near(d.rng, d.centre, passageSpread) }

// Query gives a question of so many words about a document, and its vector, which is near all that is about the
// same topic.
func (s *Source) Query(document, words int) (string, []float32) {
	d := s.Document(document)
	d.rng = rand.New(rand.NewPCG(s.seed, 1<<63+uint64(document)))
	return d.Text(words), s.space.near(d.rng, d.about, querySpread)
}
