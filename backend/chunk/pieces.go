package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"fanous/backend/domain"
)

const (
	// longToken is more bytes than any vocabulary gives one token on average: a text of more
	// than longToken*MaxTokens bytes is cut without asking how many tokens it has.
	longToken = 32
	// longWord is how many bytes of a text without spaces are counted at a time.
	longWord = 256
)

// pieces cuts a block into sentences (a code block into lines), each with its tokens counted, and
// cuts further where one alone exceeds the limit. Spaces around a piece become its glue. They are good until the next call.
func (s *splitter) pieces(b *domain.Block) []piece {
	out := s.pieceRoom[:0]
	end := 0 // of the last piece in b.Text
	line := b.Place.Line
	add := func(from, to, tokens int) {
		place := b.Place
		glue := b.Text[end:from]
		if place.Line > 0 {
			line += strings.Count(glue, "\n")
			place.Line = line
			line += strings.Count(b.Text[from:to], "\n")
		}
		if len(out) == 0 {
			glue = "\n"
		}
		out = append(out, piece{text: b.Text[from:to], tokens: tokens, place: place, ocr: b.OCR, glue: glue})
		end = to
	}
	next := nextSentence
	if b.Kind == domain.KindCode {
		next = nextLine
	}
	start := 0
	segmented := b.Text
	if b.Kind != domain.KindCode {
		segmented = oneLine(b.Text)
	}
	for start < len(segmented) {
		n := next(segmented[start:])
		from, to := trim(b.Text, start, start+n)
		start += n
		if from == to {
			continue
		}
		if to-from <= longToken*s.opt.MaxTokens {
			if tokens := s.opt.Count(b.Text[from:to]); tokens <= s.opt.MaxTokens {
				add(from, to, tokens)
				continue
			}
		}
		s.words(b.Text, from, to, add)
	}
	s.pieceRoom = out
	return out
}

// oneLine is text with its line ends as spaces, byte for byte: in Unicode's rules a line end ends
// a sentence, but in a wrapped paragraph it is a space.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\n\r") {
		return text
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
}

func trim(text string, from, to int) (int, int) {
	t := strings.TrimLeftFunc(text[from:to], unicode.IsSpace)
	from = to - len(t)
	return from, from + len(strings.TrimRightFunc(t, unicode.IsSpace))
}

func nextLine(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end + 1
	}
	return len(text)
}

// words adds text[from:to], one sentence, as runs of words that each fit.
func (s *splitter) words(text string, from, to int, add func(from, to, tokens int)) {
	runFrom, runTo, run := from, from, 0
	put := func(from, to, tokens int) {
		if runTo > runFrom && run+tokens > s.opt.MaxTokens {
			add(runFrom, runTo, run)
			runFrom, run = from, 0
		}
		runTo = to
		run += tokens
	}
	for from < to {
		n := strings.IndexFunc(text[from:to], unicode.IsSpace)
		if n < 0 {
			n = to - from
		}
		if n > 0 {
			s.graphemes(text, from, from+n, put)
		}
		from += n
		_, size := utf8.DecodeRuneInString(text[from:to])
		from += size
	}
	add(runFrom, runTo, run)
}

// graphemes puts one word, cut between grapheme clusters as often as it takes to fit.
func (s *splitter) graphemes(text string, from, to int, put func(from, to, tokens int)) {
	state := -1
	for from < to {
		n := 0
		for from+n < to && (n == 0 || n < longWord) {
			var cluster string
			cluster, _, _, state = uniseg.FirstGraphemeClusterInString(text[from+n:to], state)
			n += len(cluster)
		}
		s.halve(text, from, from+n, put)
		from += n
	}
}

func (s *splitter) halve(text string, from, to int, put func(from, to, tokens int)) {
	tokens := s.opt.Count(text[from:to])
	if tokens <= s.opt.MaxTokens {
		put(from, to, tokens)
		return
	}
	// The end of the first cluster that reaches the middle, or the start of the last one.
	mid, last, state := from, from, -1
	for mid-from < (to-from)/2 {
		last = mid
		var cluster string
		cluster, _, _, state = uniseg.FirstGraphemeClusterInString(text[mid:to], state)
		mid += len(cluster)
	}
	if mid == to {
		mid = last
	}
	if mid == from {
		put(from, to, tokens)
		return
	}
	s.halve(text, from, mid, put)
	s.halve(text, mid, to, put)
}
