package extract

import (
	"context"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"fanous/backend/domain"
)

const (
	// wrapColumn is more characters than a line has that was wrapped by hand: a longer line is a
	// paragraph of its own.
	wrapColumn = 120
	// maxTextLines is how many lines a paragraph may have; a log file has no empty lines at all.
	maxTextLines = 200
)

// readText makes a block of every paragraph of a plain text file: lines up to an empty one.
func readText(ctx context.Context, text string) (domain.Content, error) {
	var out outline
	var paragraph []string
	text = unescape(terminalCodes.ReplaceAllString(text, ""))
	escaped := strings.HasPrefix(text, "<?xml")
	line, first := 0, 0
	flush := func() {
		out.add(domain.KindParagraph, strings.Join(paragraph, "\n"), domain.Place{Line: first})
		paragraph = nil
	}
	for l := range strings.Lines(text) {
		line++
		l = strings.TrimSpace(l)
		if escaped {
			l = html.UnescapeString(l)
		}
		if l == "" {
			flush()
			continue
		}
		if startsItem(l) || len(paragraph) == maxTextLines {
			flush()
		}
		if len(paragraph) == 0 {
			first = line
			if err := ctx.Err(); err != nil {
				return domain.Content{}, err
			}
		}
		paragraph = append(paragraph, l)
		if utf8.RuneCountInString(l) > wrapColumn {
			flush()
		}
	}
	flush()
	return domain.Content{Blocks: out.blocks}, nil
}

// terminalCodes are what programs write into their logs to colour a word.
var terminalCodes = regexp.MustCompile("\x1b\\[[0-9;?]{0,40}[A-Za-z]")

// startsItem says whether a line opens with the mark of a list item.
func startsItem(line string) bool {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– ", "— ", "● ", "▪ ", "◦ "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}
