package pipeline

import (
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// TestDoubted: a page of a PDF whose letters were exchanged is marked and offered to OCR, its neighbours are not.
func TestDoubted(t *testing.T) {
	right := strings.Repeat("The bridge over the river was closed because of the storm, and nobody could cross it. ", 6)
	wrong := strings.Map(func(r rune) rune {
		if at := strings.IndexRune("abcdefghijklmnopqrstuvwxyz", r); at >= 0 {
			return rune("qzxjkvwpygbfmhucrldtnsoiea"[at])
		}
		return r
	}, strings.ToLower(right))
	content := func(format string) domain.Content {
		c := domain.Content{Format: format, Unreliable: []int{5}, Warnings: []string{"page 5: text unreliable"}}
		for i, text := range []string{right, wrong[:len(wrong)/2], wrong, right, wrong, "9 18 27"} {
			c.Blocks = append(c.Blocks, domain.Block{Text: text, Place: domain.Place{Page: i + 1}})
		}
		c.Blocks = append(c.Blocks, domain.Block{Text: wrong[len(wrong)/2:], Place: domain.Place{Page: 2}})
		return c
	}
	got := doubted(content("pdf"))
	if want := []int{2, 3, 5}; !slices.Equal(got.Unreliable, want) {
		t.Errorf("unreliable %d, want %d", got.Unreliable, want)
	}
	if want := []string{"page 5: text unreliable", "pages 2 to 3: text unreliable"}; !slices.Equal(got.Warnings, want) {
		t.Errorf("warnings %q, want %q", got.Warnings, want)
	}
	if got := doubted(content("text")); !slices.Equal(got.Unreliable, []int{5}) {
		t.Errorf("a text file: unreliable %d", got.Unreliable)
	}
}
