package pipeline

import (
	"fmt"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/retrieve"
	"fanous/backend/store"
)

// TestGroups writes an entry as document.content.text, and a group as its first entry, +those of the same
// document and =those of others.
func TestGroups(t *testing.T) {
	for name, tt := range map[string]struct {
		entries          string
		top, perDocument int
		want             string
	}{
		"nothing":                          {"", 5, 1, ""},
		"one each":                         {"A.a.x B.b.y C.c.z", 5, 1, "0 1 2"},
		"the list is full":                 {"A.a.x B.b.y C.c.z", 2, 1, "0 1"},
		"of one document":                  {"A.a.x A.a.y B.b.z A.a.w", 5, 1, "0+1+3 2"},
		"two of one document":              {"A.a.x A.a.y B.b.z A.a.w", 5, 2, "0+3 1 2"},
		"the same text":                    {"A.a.x B.b.x C.c.y D.d.x", 5, 1, "0=1=3 2"},
		"the same text in one document":    {"A.a.x A.a.x B.b.y", 5, 3, "0+1 2"},
		"the same as a folded one":         {"A.a.x A.a.y B.b.y B.b.z", 5, 1, "0+1=2 3"},
		"copies, by different passages":    {"A.a.x B.a.y A.a.y B.a.x", 5, 1, "0=1+2=3"},
		"copies, two of each":              {"A.a.x B.a.y A.a.y B.a.x", 5, 2, "0=3 1=2"},
		"an unread file is nobody's copy":  {"A..x B..y", 5, 1, "0 1"},
		"folded though the list is full":   {"A.a.x B.b.y A.a.z C.c.x D.d.w", 1, 1, "0+2=3"},
		"the same as one below":            {"A.a.x B.b.y C.c.y A.a.y", 1, 1, "0+3"},
		"of another document, not its own": {"A.a.x B.b.y A.a.y", 5, 1, "0 1=2"},
		"duplicates take nobody's place":   {"A.a.x B.b.x C.c.x D.d.y", 2, 1, "0=1=2 3"},
	} {
		t.Run(name, func(t *testing.T) {
			var entries []Entry
			for i, field := range strings.Fields(tt.entries) {
				part := strings.Split(field, ".")
				entries = append(entries, Entry{Candidate: retrieve.Candidate{Passage: store.Passage{
					Chunk:    domain.Chunk{ID: int64(100 + i), Text: part[2]},
					Document: domain.Document{ID: int64(part[0][0]), Hash: part[1]},
				}}})
			}
			var got []string
			for _, g := range groups(entries, tt.top, tt.perDocument) {
				text := fmt.Sprint(g.first)
				folded := map[int]string{}
				for _, m := range g.more {
					folded[m] = "+"
				}
				for _, d := range g.duplicates {
					folded[d.entry] = "="
				}
				for i := range entries {
					if sign := folded[i]; sign != "" {
						text += fmt.Sprint(sign, i)
					}
				}
				got = append(got, text)
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("%s is grouped as %s, want %s", tt.entries, text, tt.want)
			}
		})
	}
}
