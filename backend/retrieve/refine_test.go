package retrieve

import (
	"testing"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// filler are passages in which no query of these tests finds anything.
var filler = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// TestRefine: how the words of a query order what they find.
func TestRefine(t *testing.T) {
	for _, c := range []struct {
		kind, query string
		texts       []string
		want        string
	}{
		{"a form that no stemmer joins stands for the word", "آزمایشگاه کتاب", []string{"کتاب خوب بود", "کتاب آزمایش بود"}, "1 0"},
		{"the same word is before one like it", "آزمایشگاه کتاب", []string{"کتاب آزمایش بود", "کتاب آزمایشگاه بود"}, "1 0"},
		{"the same word is before one of its stem", "Häuser und alte Straßen", []string{"und die Stadt alte Haus hat", "und die Stadt alte Häuser hat"}, "1 0"},
		{"a word that several terms find counts once", "e-mail lantern rope", []string{"an e-mail was sent there", "lantern and rope were there"}, "1 0"},
		{"all words are more than one of them often", "lantern bridge", []string{"lantern lantern lantern lantern", "a bridge and a lantern"}, "1 0"},
		{"a rare word is more than a common one", "lantern bridge", []string{"a bridge here", "a bridge there", "a bridge too", "a lantern too"}, "3 0 1 2"},
	} {
		r, id := index(t, append(c.texts, filler...), nil)
		res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery(c.query), Method: domain.BM25})
		if got := paths(res); got != c.want {
			t.Errorf("%s: %q finds %s, want %s", c.kind, c.query, got, c.want)
		}
	}
}

// TestRefineLooksFurther: of the passages that words find more than are asked for are read.
func TestRefineLooksFurther(t *testing.T) {
	texts := []string{"کتاب کتاب", "کتاب آزمایش بود که رفت", "کتاب"}
	r, id := index(t, append(texts, filler...), nil)
	res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery("کتاب آزمایشگاه"), Method: domain.BM25, K: 1})
	if got := paths(res); got != "1" {
		t.Errorf("found %s", got)
	}
}

// TestTrust: the words count little in the fused order where what they find has but the small ones among them.
func TestTrust(t *testing.T) {
	texts := []string{"the boat and the sea", "a recipe for cakes", "the bread of the house"}
	vectors := [][]float32{{0.6, 0.8}, {1, 0}, {0.8, 0.6}}
	for range 10 {
		texts = append(texts, "the other one")
		vectors = append(vectors, []float32{0, 1})
	}
	r, id := index(t, texts, vectors)
	for query, want := range map[string]string{"the grandmother": "1", "bread of the house": "2"} {
		res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery(query), Method: domain.Hybrid, Embed: vector(1, 0)})
		if got := res.Candidates[0].Document.Path; got != want {
			t.Errorf("%q finds %s first, want %s", query, got, want)
		}
	}
}
