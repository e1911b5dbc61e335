package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// letter is a passage of some length about the fruit trade; its words are all different.
const letter = `The fruit harbour of the northern province received seventeen barges before sunset, and the customs
officer counted crates while dockers argued over missing invoices, broken seals, a delayed ferry, spoiled
oranges, two unpaid guards, wet ledgers and an old agreement signed by nobody present that evening. Upstream, merchants
blamed the flood for rotten apricots, broken carts, empty granaries, lost letters and a bridge which engineers had
promised to repair since spring; villagers simply waited, sold their goats and watched strangers measure the bank.`

func TestWhatSaysTheSameIsOneHit(t *testing.T) {
	for name, tt := range map[string]struct {
		a, b string
		same bool
	}{
		"the same text":              {letter, letter + "\n", true},
		"other spaces and capitals":  {letter, strings.ToUpper(strings.ReplaceAll(letter, " ", "  ")), true},
		"a word exchanged":           {letter, strings.Replace(letter, "sunset", "noon", 1), true},
		"many words exchanged":       {letter, strings.NewReplacer("sunset", "noon", "dockers", "sailors", "wet", "dry", "ferry", "train").Replace(letter), false},
		"another number":             {letter + " The sum was 1402 rials.", letter + " The sum was 1403 rials.", false},
		"the number in other digits": {letter + " The sum was 1402 rials.", letter + " The sum was ۱۴۰۲ rials.", true},
		"the numbers exchanged":      {letter + " From 1402 until 1403.", letter + " From 1403 until 1402.", false},
		"marks":                      {"fruit کتاب محمد روی میز است", "fruit کتاب مُحَمَّد روی میز است", true},
		"short and different":        {"fruit of the north", "fruit of the south", false},
		"the words in another order": {"fruit north west sea", "west sea fruit north", false},
		"a part of the other":        {"fruit harbour", letter, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.txt": tt.a, "b.txt": tt.b})
			f.run(t.Context(), nil)
			resp := f.search(f.searcher(nil), domain.SearchRequest{Query: "fruit"})
			if got := len(resp.Hits) == 1; got != tt.same {
				t.Fatalf("one hit: %v, want %v", got, tt.same)
			}
			if !tt.same {
				return
			}
			h := resp.Hits[0]
			if len(h.Duplicates) != 1 || h.MoreInDocument != 0 {
				t.Fatalf("the hit has the duplicates %+v and %d more", h.Duplicates, h.MoreInDocument)
			}
			d := h.Duplicates[0]
			if d.ChunkID == h.ChunkID || d.Path == h.Path || d.DocumentID == h.DocumentID || d.Title == "" {
				t.Errorf("the duplicate is %+v, of %s", d, h.Path)
			}
			if exact := d.Similarity == 1; exact != (name != "a word exchanged") || d.Similarity < 0.9 {
				t.Errorf("the similarity is %v", d.Similarity)
			}
		})
	}
}

// TestTheListIsFilledThoughTheBestAreTheSame: duplicates take no place of another.
func TestTheListIsFilledThoughTheBestAreTheSame(t *testing.T) {
	files := map[string]string{"z.txt": "fruit and a long list of other things that one may buy at the market on Fridays"}
	for i := range 8 {
		files[fmt.Sprintf("%d.txt", i)] = "fruit" + strings.Repeat("\n", i)
	}
	f := newFixture(t, files)
	f.run(t.Context(), nil)
	resp := f.search(f.searcher(nil), domain.SearchRequest{Query: "fruit", Top: 2})
	f.want("hits", len(resp.Hits), 2)
	f.want("duplicates", len(resp.Hits[0].Duplicates), 7)
	f.want("second", resp.Hits[1].Title, "z")
}
