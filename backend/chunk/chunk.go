// Package chunk cuts the blocks of a document into the pieces that are indexed, retrieved and
// reranked. It is pure: the same blocks and options give the same chunks.
//
// A chunk is made only of the document's own characters. It never crosses a heading or a page, nor
// from a file's own text to recognised text, so that what it says of itself is true for all of it. Paragraphs are packed
// together up to the token limit; a longer one is cut between sentences, a longer sentence
// between words, a longer word between grapheme clusters.
package chunk

import (
	"strings"

	"fanous/backend/domain"
)

// Version names how text is cut. Change it with every change of the cut: documents of another version
// are cut again.
const Version = "1"

// Defaults of Options.
const (
	DefaultMaxTokens = 200
	DefaultOverlap   = 1
)

// Options says how large chunks become. The zero value of every field means its default.
type Options struct {
	// MaxTokens is the most tokens a chunk may have. Only a single grapheme cluster that Count
	// gives more than that exceeds it.
	MaxTokens int
	// Overlap is how many sentences from the end of a chunk are repeated at the start of the
	// next one of the same section and page. They are left out where they would take more than
	// a third of MaxTokens. Negative means none.
	Overlap int
	// Count gives the tokens of a text. It is called about once a sentence and its results are
	// added up, so it must not include the special tokens that a model puts around a text. The
	// default counts words.
	Count func(text string) int
}

func (o Options) withDefaults() Options {
	if o.MaxTokens <= 0 {
		o.MaxTokens = DefaultMaxTokens
	}
	if o.Overlap == 0 {
		o.Overlap = DefaultOverlap
	}
	if o.Overlap < 0 {
		o.Overlap = 0
	}
	if o.Count == nil {
		o.Count = func(text string) int { return len(strings.Fields(text)) }
	}
	return o
}

// Split cuts blocks into chunks. Ordinals count from 0; the IDs are left to the store.
//
// The text of a heading is the first line of the first chunk under it. Headings that follow each
// other downwards ("Part 1", "Chapter 2") open one chunk together; a heading with nothing under
// it is a chunk of its own.
func Split(blocks []domain.Block, opt Options) []domain.Chunk {
	s := splitter{opt: opt.withDefaults()}
	for i := range blocks {
		s.add(&blocks[i])
	}
	s.flush()
	return s.chunks
}

// splitter packs pieces into the chunk that is open.
type splitter struct {
	opt    Options
	chunks []domain.Chunk

	open    []piece // what the open chunk holds, the repeated pieces first
	carried int     // how many of open were repeated from the chunk before
	tokens  int     // sum over open

	heading  string // path that the open chunk stands under
	page     int
	ocr      bool // its text was recognised
	level    int  // of the last heading, while open holds nothing but headings
	headings bool

	pieceRoom []piece // what pieces gave last
}

// piece is a part of a block that is not cut again: a sentence, or less where that is too long.
type piece struct {
	text   string
	tokens int
	place  domain.Place
	ocr    float64 // the block's
	glue   string  // what stands between the piece before and this one
}

func (s *splitter) add(b *domain.Block) {
	pieces := s.pieces(b)
	if len(pieces) == 0 {
		return
	}
	heading := b.Kind == domain.KindHeading
	switch {
	case heading && s.headings && b.Level > s.level && b.Place.Page == s.page:
		s.heading = b.Place.Heading
	case heading || b.Place.Heading != s.heading || b.Place.Page != s.page || (b.OCR > 0) != s.ocr:
		s.flush()
		s.heading, s.page, s.ocr = b.Place.Heading, b.Place.Page, b.OCR > 0
	}
	s.pack(pieces)
	s.headings, s.level = heading, b.Level
}

// pack appends the pieces of one block to the open chunk, opening new ones as they fill up.
func (s *splitter) pack(pieces []piece) {
	total := 0
	for i := range pieces {
		total += pieces[i].tokens
	}
	// A paragraph that fits into a chunk of its own is kept whole if the open chunk is already
	// of a fair size without it.
	if s.tokens+total > s.opt.MaxTokens && total <= s.opt.MaxTokens &&
		s.tokens >= s.opt.MaxTokens/2 && !s.headings {
		s.next(total)
	}
	for _, p := range pieces {
		if len(s.open) > 0 && s.tokens+p.tokens > s.opt.MaxTokens {
			s.next(p.tokens)
		}
		s.open = append(s.open, p)
		s.tokens += p.tokens
	}
}

// next closes the open chunk and opens one of the same section that begins with the overlap, as
// far as want tokens still fit behind it.
func (s *splitter) next(want int) {
	closed := s.open
	heading, page := s.heading, s.page
	s.flush()
	s.heading, s.page = heading, page
	from, tokens := len(closed), 0
	for from > 0 && len(closed)-from < s.opt.Overlap {
		t := tokens + closed[from-1].tokens
		if t > s.opt.MaxTokens/3 || t+want > s.opt.MaxTokens {
			break
		}
		from, tokens = from-1, t
	}
	if from == 0 { // never a chunk that repeats a whole chunk
		return
	}
	s.open = append(s.open, closed[from:]...) // to the front of the same memory
	s.carried, s.tokens = len(s.open), tokens
}

// flush closes the open chunk and leaves the section.
func (s *splitter) flush() {
	if len(s.open) > s.carried {
		var cells domain.Cells
		for i := range s.open {
			cells = cells.Union(domain.ParseCells(s.open[i].place.Cells))
		}
		s.chunks = append(s.chunks, domain.Chunk{
			Ordinal: len(s.chunks),
			Text:    join(s.open),
			OCR:     confidence(s.open),
			Place: domain.Place{
				Page:    s.page,
				Heading: s.heading,
				Line:    s.open[0].place.Line,
				Cells:   cells.String(),
			},
		})
	}
	s.open, s.carried, s.tokens = s.open[:0], 0, 0
	s.headings, s.level = false, 0
}

// confidence is the mean of the pieces', by their length.
func confidence(pieces []piece) float64 {
	var sum, length float64
	for i := range pieces {
		n := float64(len(pieces[i].text))
		sum, length = sum+n*pieces[i].ocr, length+n
	}
	return sum / length
}

func join(pieces []piece) string {
	size := 0
	for i := range pieces {
		size += len(pieces[i].glue) + len(pieces[i].text)
	}
	var b strings.Builder
	b.Grow(size)
	for i := range pieces {
		if i > 0 {
			b.WriteString(pieces[i].glue)
		}
		b.WriteString(pieces[i].text)
	}
	return b.String()
}
