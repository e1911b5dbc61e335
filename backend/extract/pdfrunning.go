package extract

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	runningLength = 120 // characters of a running head, at most
	runningPages  = 3   // pages on which it stands, at least
	runningShare  = 3   // and at least on one in so many pages
)

// dropRunning removes the lines that stand at the head or foot of page after page, page numbers
// and running heads, from all pages but the first that has them.
func dropRunning(blocks []sizedBlock, pages int) []sizedBlock {
	keys := make([][]string, len(blocks)) // of the blocks at the edge of their page
	count := map[string]int{}
	for i := range blocks {
		first := i == 0 || blocks[i-1].Place.Page != blocks[i].Place.Page
		last := i == len(blocks)-1 || blocks[i+1].Place.Page != blocks[i].Place.Page
		if first == last || utf8.RuneCountInString(blocks[i].Text) > runningLength {
			continue // also what is all of its page
		}
		keys[i] = runningKeys(blocks[i].Text, blocks[i].Place.Page)
		for _, k := range keys[i] {
			count[k]++
		}
	}
	least := max(runningPages, pages/runningShare)
	seen := map[string]bool{}
	kept := blocks[:0]
	for i := range blocks {
		drop := false
		for _, k := range keys[i] {
			if count[k] >= least {
				drop = drop || seen[k]
				seen[k] = true
			}
		}
		if !drop {
			kept = append(kept, blocks[i])
		}
	}
	return kept
}

// runningKeys are what is the same of a running head on all its pages: its text, with the first
// or the last number in it counted from that of the page. A number that does not go with the
// pages, a total at the foot of each, makes every page's key another.
func runningKeys(text string, page int) []string {
	parts := splitNumbers(text)
	numbers := 0
	for _, p := range parts {
		if p.number >= 0 {
			numbers++
		}
	}
	key := func(which int) string {
		var b strings.Builder
		n := 0
		for _, p := range parts {
			if p.number < 0 {
				b.WriteString(p.text)
				continue
			}
			if n == which {
				fmt.Fprintf(&b, "\x00%d", p.number-page)
			} else {
				fmt.Fprint(&b, p.number)
			}
			n++
		}
		return b.String()
	}
	switch numbers {
	case 0, 1:
		return []string{key(0)}
	}
	return []string{key(0), key(numbers - 1)}
}

// part is a stretch of text without spaces, or a number; number is -1 for text.
type part struct {
	text   string
	number int
}

func splitNumbers(text string) []part {
	var parts []part
	for _, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		n := len(parts) - 1
		value := digitValue(r)
		switch {
		case value >= 0 && n >= 0 && parts[n].number >= 0 && parts[n].number < 1e6:
			parts[n].number = 10*parts[n].number + value
		case value >= 0:
			parts = append(parts, part{number: value})
		case n >= 0 && parts[n].number < 0:
			parts[n].text += string(r)
		default:
			parts = append(parts, part{text: string(r), number: -1})
		}
	}
	return parts
}

// digitValue reads Western, Arabic and Persian digits; -1 for anything else.
func digitValue(r rune) int {
	for _, zero := range []rune{'0', '٠', '۰'} {
		if r >= zero && r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}
