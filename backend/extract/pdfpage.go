package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fanous/backend/domain"
)

// sizedBlock is a block of a page with the size of its font, by which headings are found once
// the whole document has been read.
type sizedBlock struct {
	domain.Block
	size float64
	// mayHead says that the block is short and stands alone, as a heading does.
	mayHead bool
}

// blocks gives the paragraphs of a page in the order in which they are read.
func (p *pageText) blocks(number int) []sizedBlock {
	var out []sizedBlock
	for i := range p.layers {
		out = append(out, p.layers[i].blocks(number)...)
	}
	return out
}

func (l *layer) blocks(number int) []sizedBlock {
	all, dir := l.paragraphs()
	rtl := dir.rtl()
	var out []sizedBlock
	read := func(mirror bool) int {
		out = out[:0]
		score := 0
		for i := range all {
			text := all[i].text(rtl, mirror)
			score += facing(text)
			if text == "" {
				continue
			}
			b := domain.Block{Text: text, Place: domain.Place{Page: number}}
			switch {
			case all[i].row:
				b.Kind = domain.KindTableRow
			case all[i].lines[0].startsItem(rtl):
				b.Kind = domain.KindListItem
			}
			out = append(out, sizedBlock{Block: b, size: all[i].size, mayHead: mayHead(&all[i], text)})
		}
		return score
	}
	// One writer made the page, so its brackets are all of one kind.
	if asIs := read(false); dir.left > 0 && asIs < 0 {
		read(true)
	}
	return out
}

// paragraphs gives those of a layer in the order in which they are read, and which way its letters run.
func (l *layer) paragraphs() (all []paragraph, dir direction) {
	if len(l.glyphs) == 0 {
		return nil, dir
	}
	fragments := l.fragments()
	for _, f := range fragments {
		dir.left += f.dir.left
		dir.right += f.dir.right
	}
	rtl := dir.rtl()
	for _, group := range columns(fragments, rtl) {
		c := newColumn(lines(group), rtl)
		found := c.paragraphs()
		if n := len(all) - 1; n >= 0 && all[n].goesOn(&found[0], rtl) {
			for _, l := range found[0].lines {
				all[n].add(l)
			}
			found = found[1:]
		}
		all = append(all, found...)
	}
	return all, dir
}

const (
	headingLines  = 3
	headingLength = 200 // characters
	headingRatio  = 1.2 // to the size of most of the text
	headingLevels = 4
	headingShare  = 5 // at most one in so many characters stands in headings
)

func mayHead(p *paragraph, text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return !p.row && len(p.lines) <= headingLines && utf8.RuneCountInString(text) <= headingLength &&
		!strings.ContainsRune(".،,;؛", last) && !strings.Contains(text, "....") && strings.ContainsFunc(text, unicode.IsLetter)
}

// headings gives the sizes that make a block a heading, the largest first; none where the sizes
// of a document do not tell.
func headings(blocks []sizedBlock) []float64 {
	weight := map[float64]int{}
	total := 0
	for i := range blocks {
		n := utf8.RuneCountInString(blocks[i].Text)
		weight[round(blocks[i].size)] += n
		total += n
	}
	body, most := 0.0, 0
	for size, n := range weight {
		if n > most || n == most && size < body {
			body, most = size, n
		}
	}
	inHeadings := 0
	var sizes []float64
	for i := range blocks {
		size := round(blocks[i].size)
		if blocks[i].mayHead && size >= headingRatio*body {
			inHeadings += utf8.RuneCountInString(blocks[i].Text)
			if !slices.Contains(sizes, size) {
				sizes = append(sizes, size)
			}
		}
	}
	if inHeadings*headingShare > total || len(sizes) > headingLevels {
		return nil
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	return sizes
}

// round makes sizes comparable: half points.
func round(size float64) float64 { return float64(int(size*2+0.5)) / 2 }
