package ocr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fanous/backend/domain"
)

// Page is what was read of one page: paragraphs in reading order, words in logical order.
type Page struct {
	Paragraphs []Paragraph
}

// Paragraph is lines that are read on.
type Paragraph struct {
	Lines [][]Word
}

// Word is a word where it stands, with how sure the program is of it, in [0,1].
type Word struct {
	Text       string
	Box        domain.Box
	Confidence float64
}

const (
	// leastParagraph is the mean confidence below which a paragraph is no text: stamps, pictures, dirt.
	leastParagraph = 0.40
	// leastWord is the confidence below which a word without a letter or a digit is dirt.
	leastWord = 0.60
)

// columns of a row that stands for a word.
const (
	colLevel = iota
	colPage
	colBlock
	colParagraph
	colLine
	colWord
	colLeft
	colTop
	colWidth
	colHeight
	colConfidence
	colText
	numColumns

	levelWord = "5"
)

// parse reads the program's table of words of an image of a size in pixels.
func parse(table []byte, width, height int) (Page, error) {
	var page Page
	var paragraph, line string // keys of those that are open
	first := true
	for row := range strings.SplitSeq(string(table), "\n") {
		row = strings.TrimSuffix(row, "\r")
		fields := strings.SplitN(row, "\t", numColumns)
		if first {
			if len(fields) != numColumns || fields[colLevel] != "level" {
				return Page{}, fmt.Errorf("%w: it wrote no table of words", ErrFailed)
			}
			first = false
			continue
		}
		if len(fields) != numColumns || fields[colLevel] != levelWord {
			continue
		}
		w, ok := word(fields, width, height)
		if !ok {
			continue
		}
		par := strings.Join(fields[colPage:colLine], " ")
		if len(page.Paragraphs) == 0 || par != paragraph {
			page.Paragraphs = append(page.Paragraphs, Paragraph{})
			paragraph, line = par, ""
		}
		p := &page.Paragraphs[len(page.Paragraphs)-1]
		if len(p.Lines) == 0 || fields[colLine] != line {
			p.Lines = append(p.Lines, nil)
			line = fields[colLine]
		}
		p.Lines[len(p.Lines)-1] = append(p.Lines[len(p.Lines)-1], w)
	}
	kept := page.Paragraphs[:0]
	for _, p := range page.Paragraphs {
		if p.confidence() >= leastParagraph {
			kept = append(kept, p)
		}
	}
	page.Paragraphs = kept
	return page, nil
}

// word reads a row; it is none where it has no text, or is dirt.
func word(fields []string, width, height int) (Word, bool) {
	var box [4]float64
	for i := range box {
		v, err := strconv.Atoi(fields[colLeft+i])
		if err != nil {
			return Word{}, false
		}
		size := width
		if i%2 == 1 {
			size = height
		}
		box[i] = min(max(float64(v)/float64(size), 0), 1)
	}
	confidence, err := strconv.ParseFloat(fields[colConfidence], 64)
	if err != nil || !(confidence >= 0) {
		return Word{}, false
	}
	w := Word{
		Text:       clean(fields[colText]),
		Box:        domain.Box{X: box[0], Y: box[1], W: box[2], H: box[3]},
		Confidence: min(confidence/100, 1),
	}
	says := strings.ContainsFunc(w.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	return w, w.Text != "" && (says || w.Confidence >= leastWord)
}

// clean takes out what is no character of the page: the program marks where it changes direction.
func clean(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r), r == 0x200e, r == 0x200f, r == 0x061c,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return -1
		}
		return r
	}, text))
}

func (p Paragraph) confidence() float64 {
	var sum, n float64
	for _, line := range p.Lines {
		for _, w := range line {
			letters := float64(utf8.RuneCountInString(w.Text))
			sum, n = sum+letters*w.Confidence, n+letters
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// Blocks are the paragraphs as blocks of the page with this number, 0 for an image that has none.
func (p Page) Blocks(number int) []domain.Block {
	blocks := make([]domain.Block, 0, len(p.Paragraphs))
	for _, par := range p.Paragraphs {
		if text := par.text(); text != "" {
			blocks = append(blocks, domain.Block{Text: text, Place: domain.Place{Page: number}, OCR: par.confidence()})
		}
	}
	return blocks
}

// text joins words and lines; a word that is parted at the end of a line is made whole.
func (p Paragraph) text() string {
	var b strings.Builder
	for _, line := range p.Lines {
		for i, w := range line {
			if b.Len() > 0 {
				if i > 0 || !parted(b.String(), w.Text) {
					b.WriteByte(' ')
				} else {
					whole := b.String()
					_, size := utf8.DecodeLastRuneInString(whole)
					b.Reset()
					b.WriteString(whole[:len(whole)-size])
				}
			}
			b.WriteString(w.Text)
		}
	}
	return b.String()
}

// parted says whether the line that ends with before was cut within a word that next goes on with.
func parted(before, next string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	if !strings.ContainsRune("-‐\u00ad¬", last) {
		return false
	}
	letter, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	first, _ := utf8.DecodeRuneInString(next)
	return unicode.IsLetter(letter) && unicode.IsLower(first)
}

// Placed are the words where they stand, in reading order.
func (p Page) Placed() []domain.Placed {
	var out []domain.Placed
	for _, par := range p.Paragraphs {
		for _, line := range par.Lines {
			for _, w := range line {
				out = append(out, domain.Placed{Text: w.Text, Box: w.Box})
			}
		}
	}
	return out
}
