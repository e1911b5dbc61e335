package extract

import (
	"strings"

	"fanous/backend/domain"
	"fanous/backend/extract/pdfium"
)

// bookmark is an entry of a PDF's outline.
type bookmark struct {
	page, level int // both from 1
	title       string
}

const (
	// maxBookmarks is how many entries of an outline are read; a damaged file may have it go round in a circle.
	maxBookmarks     = 10_000
	maxBookmarkLevel = 12
)

// bookmarks reads the outline, in its order.
func (d *pdfDocument) bookmarks() []bookmark {
	var out []bookmark
	seen := 0
	var walk func(parent pdfium.Bookmark, level int)
	walk = func(parent pdfium.Bookmark, level int) {
		if level > maxBookmarkLevel {
			return
		}
		for at, ok := parent.Child(); ok && seen < maxBookmarks && d.ctx.Err() == nil; at, ok = at.Next() {
			seen++
			if b, ok := read(at); ok {
				b.level = level
				out = append(out, b)
			}
			walk(at, level+1)
		}
	}
	walk(d.Outline(), 1)
	return out
}

// read reads one entry; it is of no use without a title and a page.
func read(entry pdfium.Bookmark) (bookmark, bool) {
	title, err := entry.Title()
	if err != nil || strings.TrimSpace(title) == "" {
		return bookmark{}, false
	}
	page, ok := entry.Page()
	return bookmark{page: page + 1, title: strings.Join(strings.Fields(title), " ")}, ok
}

// underBookmarks puts the titles of the outline before the headings of blocks. A title holds from the block that says it;
// where none on its page does, from the top of the page. The headings before it end there.
func underBookmarks(blocks []domain.Block, marks []bookmark) {
	var out outline
	before, ended := "", "" // the headings of the block before, and those that a title has ended
	for i := 0; i < len(blocks) && (len(marks) > 0 || len(out.path) > 0); {
		page, end := blocks[i].Place.Page, i
		for end < len(blocks) && blocks[end].Place.Page == page {
			end++
		}
		left := out.turnTo(page, blocks[i:end], marks)
		for ; i < end; i++ {
			own := blocks[i].Place.Heading
			for len(left) > 0 && left[0].page == page && says(blocks[i].Text, left[0].title) {
				out.open(left[0])
				left = left[1:]
			}
			if len(left) < len(marks) {
				marks, ended = left, before
			}
			before = own
			blocks[i].Place.Heading = out.above(withoutEnded(own, ended))
		}
	}
}

// withoutEnded is a path without the headings that have ended.
func withoutEnded(path, ended string) string {
	if rest, ok := strings.CutPrefix(path, ended); ok && (rest == "" || strings.HasPrefix(rest, headingSeparator)) {
		return strings.TrimPrefix(rest, headingSeparator)
	}
	return path
}

// turnTo opens the entries of earlier pages, and of this one the first and those below it that no block says. It returns
// the others.
func (o *outline) turnTo(page int, blocks []domain.Block, marks []bookmark) []bookmark {
	level := 0
	for len(marks) > 0 && (marks[0].page < page || marks[0].page == page && marks[0].level > level) {
		if marks[0].page == page {
			for _, b := range blocks {
				if says(b.Text, marks[0].title) {
					return marks
				}
			}
			level = marks[0].level
		}
		o.open(marks[0])
		marks = marks[1:]
	}
	return marks
}

func (o *outline) open(b bookmark) {
	o.climb(b.level)
	o.path = append(o.path, heading{b.level, b.title})
	o.join()
}

// above is a path of headings under those that are open, each named once.
func (o *outline) above(path string) string {
	all := o.joined
	for _, h := range strings.Split(path, headingSeparator) {
		named := h == ""
		for _, open := range o.path {
			named = named || says(h, open.text)
		}
		if !named && all != "" {
			all += headingSeparator
		}
		if !named {
			all += h
		}
	}
	return all
}

// says reports whether a text is a title, perhaps with its number before it.
func says(text, title string) bool {
	const number = 12 // bytes
	if len(text) > 2*len(title)+number {
		return false
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	title = strings.ToLower(title)
	return strings.HasSuffix(text, title) && len(text) <= len(title)+number
}
