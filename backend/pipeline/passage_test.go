package pipeline

import (
	"testing"

	"fanous/backend/domain"
	"fanous/backend/store"
)

func TestPassageText(t *testing.T) {
	for name, tt := range map[string]struct{ title, heading, text, want string }{
		"nothing known":            {"", "", "text", "text"},
		"title":                    {"Report", "", "text", "Report — text"},
		"title and headings":       {"Report", "One › Two", "text", "Report › One › Two — text"},
		"the title is a heading":   {"Report", "Report › Two", "text", "Report › Two — text"},
		"begins with its headings": {"Report", "One › Two", "One\nTwo\ntext", "Report — One\nTwo\ntext"},
		"begins with all":          {"Report", "Report", "Report\ntext", "Report\ntext"},
		"the heading in mid-text":  {"Report", "Two", "a\nb\nc\nTwo", "Report › Two — a\nb\nc\nTwo"},
	} {
		p := store.Passage{Document: domain.Document{Title: tt.title}}
		p.Chunk = domain.Chunk{Text: tt.text, Place: domain.Place{Heading: tt.heading}}
		if got := passageText(p); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
