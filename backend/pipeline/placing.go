package pipeline

import (
	"strings"
	"unicode"

	"fanous/backend/domain"
)

// placing finds passages among the characters or words of a page. What is compared is letters, numbers and signs: spaces,
// hyphens at the ends of lines and brackets come out otherwise in a passage than they stand on the page.
type placing struct {
	text   string // the page's letters
	boxes  []domain.Box
	pieces []int // for each byte of text, its piece
}

func newPlacing(page []domain.Placed) placing {
	var p placing
	var text strings.Builder
	for _, piece := range page {
		n := text.Len()
		for _, r := range piece.Text {
			if tells(r) {
				text.WriteRune(r)
			}
		}
		if text.Len() == n {
			continue
		}
		for range text.Len() - n {
			p.pieces = append(p.pieces, len(p.boxes))
		}
		p.boxes = append(p.boxes, piece.Box)
	}
	p.text = text.String()
	return p
}

func tells(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.Sc, unicode.So) }

// passage gives a box for each line on which a passage stands, and for each line of each of its marks, which are byte ranges
// of it. What is not found on the page has none. A line of a passage is a paragraph, which the page has in one piece.
func (p placing) passage(text string, marks [][2]int) (whole, marked []domain.Box) {
	from, start := 0, 0 // where the next paragraph is looked for; its place in text
	for paragraph := range strings.Lines(text) {
		letters, places := lettersOf(paragraph)
		at := p.find(letters, from)
		if at >= 0 {
			from = at + len(letters)
			whole = append(whole, p.lines(at, from)...)
			for _, m := range marks {
				if a, b := cut(places, m[0]-start, m[1]-start); a < b {
					marked = append(marked, p.lines(at+a, at+b)...)
				}
			}
		}
		start += len(paragraph)
	}
	return whole, marked
}

// find looks for letters from a place on, and then from the beginning: a sentence that two passages share comes twice.
func (p placing) find(letters string, from int) int {
	if letters == "" {
		return -1
	}
	if at := strings.Index(p.text[from:], letters); at >= 0 {
		return from + at
	}
	return strings.Index(p.text, letters)
}

// lettersOf gives what tells of a text, and for each byte of it its place in text.
func lettersOf(text string) (string, []int) {
	var letters strings.Builder
	var places []int
	for i, r := range text {
		if tells(r) {
			letters.WriteRune(r)
			for len(places) < letters.Len() {
				places = append(places, i)
			}
		}
	}
	return letters.String(), places
}

// cut gives the range of letters whose places are in [from, to).
func cut(places []int, from, to int) (a, b int) {
	for a < len(places) && places[a] < from {
		a++
	}
	for b = a; b < len(places) && places[b] < to; b++ {
	}
	return a, b
}

// lines gives a box for each line of a range of the page's letters.
func (p placing) lines(from, to int) []domain.Box {
	var out []domain.Box
	last := -1
	for i := from; i < to; i++ {
		if p.pieces[i] == last {
			continue
		}
		last = p.pieces[i]
		box := p.boxes[last]
		if box.W == 0 && box.H == 0 {
			continue
		}
		if n := len(out) - 1; n >= 0 && sameLine(out[n], box) {
			out[n] = out[n].Union(box)
		} else {
			out = append(out, box)
		}
	}
	return out
}

// sameLine says whether two boxes overlap by half of the lower one's height or more.
func sameLine(a, b domain.Box) bool {
	common := min(a.Y+a.H, b.Y+b.H) - max(a.Y, b.Y)
	return common*2 >= min(a.H, b.H)
}
