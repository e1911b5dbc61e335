package chunk

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"fanous/backend/domain"
)

// TestRepeated: what is left of every chunk without what it repeats is the text of the document, each sentence once.
func TestRepeated(t *testing.T) {
	many := func(sentence string) []domain.Block {
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, sentence, i)
		}
		return []domain.Block{{Text: b.String()}}
	}
	for name, blocks := range map[string][]domain.Block{
		"English": many("On night %d the keeper lit the lamp. "),
		"Persian": many("نگهبان در شب %d چراغ را روشن کرد! "),
		"Chinese": many("守护人在第%d夜点亮了灯。"),
		"rows": {{Text: "12 | 7", Kind: domain.KindTableRow}, {Text: "12 | 8", Kind: domain.KindTableRow},
			{Text: strings.Repeat("word ", 300)}, {Text: "A line"}},
	} {
		t.Run(name, func(t *testing.T) {
			chunks := Split(blocks, Options{MaxTokens: 120, Count: utf8.RuneCountInString})
			var got strings.Builder
			repeats := 0
			for i, c := range chunks {
				n := 0
				if i > 0 {
					n = Repeated(chunks[i-1], c)
				}
				if n > 0 {
					repeats++
				}
				got.WriteString(c.Text[n:])
			}
			var want strings.Builder
			for _, b := range blocks {
				want.WriteString(b.Text)
			}
			if strip(got.String()) != strip(want.String()) {
				t.Errorf("got %.500q, want %.500q", got.String(), want.String())
			}
			if name != "rows" && repeats == 0 {
				t.Error("nothing was repeated: the test says nothing")
			}
		})
	}
	before := domain.Chunk{Text: "One. Two.", Place: domain.Place{Page: 1}}
	for name, next := range map[string]domain.Chunk{
		"another page":    {Ordinal: 1, Text: "Two. Three.", Place: domain.Place{Page: 2}},
		"not the next":    {Ordinal: 2, Text: "Two. Three.", Place: domain.Place{Page: 1}},
		"recognised":      {Ordinal: 1, Text: "Two. Three.", Place: domain.Place{Page: 1}, OCR: 0.5},
		"half a sentence": {Ordinal: 1, Text: "o. Three.", Place: domain.Place{Page: 2}},
	} {
		if n := Repeated(before, next); n != 0 {
			t.Errorf("%s: %d", name, n)
		}
	}
	if n := Repeated(before, domain.Chunk{Ordinal: 1, Text: "Two. Three.", Place: before.Place}); n != len("Two.") {
		t.Errorf("%d", n)
	}
}

func strip(text string) string { return strings.Join(strings.Fields(text), "") }
