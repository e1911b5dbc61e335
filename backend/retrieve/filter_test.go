package retrieve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
)

// shelf makes a store with documents of one passage each, whose vectors turn from the first to the last.
func shelf(t testing.TB, docs ...store.DocumentRows) (*Retriever, int64) {
	t.Helper()
	for i := range docs {
		docs[i].Hash, docs[i].Chunks[0].Vector = fmt.Sprint(i), []float32{float32(len(docs)), float32(i)}
	}
	return stored(t, docs)
}

func written(path, format, lang, dated, heading, text string) store.DocumentRows {
	at, err := time.ParseInLocation(time.DateOnly, dated, time.Local)
	if err != nil {
		panic(err)
	}
	return store.DocumentRows{
		Document: domain.Document{Path: path, Format: format, Dated: at},
		Chunks:   []store.ChunkRow{{Chunk: domain.Chunk{Text: text, Language: lang, Place: domain.Place{Heading: heading}}}},
	}
}

// Whatever retrieves, all that is found meets the filters, and all that meets them is found.
func TestEveryMethodKeepsToTheFilters(t *testing.T) {
	r, id := shelf(t,
		written("a", "pdf", "en", "2020-05-01", "Annual report", "the quick brown lantern"),
		written("b", "docx", "en", "2021-05-01", "Draft › Annual plan", "a brown quick lantern"),
		written("c", "eml", "fa", "2023-07-22", "", "فانوس روشن lantern"),
		written("d", "pdf", "fa", "2023-07-23", "Letters", "lantern draft"),
	)
	for _, c := range []struct{ query, found string }{
		{"lantern", "a b c d"},
		{"lantern type:pdf", "a d"},
		{"lantern type:pdf OR type:mail", "a c d"},
		{"lantern -type:pdf", "b c"},
		{"lantern lang:fa", "c d"},
		{"lantern lang:fa type:pdf", "d"},
		{"lantern after:۱۴۰۲/۵/۱", "d"},
		{"lantern before:1402-05-01", "a b c"},
		{"lantern after:2021 before:2022", "b"},
		{"lantern file:a", "a"},
		{"lantern file:z", ""},
		{"lantern in:heading annual", "a b"},
		{"in:heading annual lantern", "a b"},
		{"lantern in:heading annual in:heading plan", "b"},
		{"annual plan in:heading", "b"},
		{"lantern in:heading plan OR letters", "b d"},
		{"in:heading -draft lantern", "a c d"},
		{`lantern in:heading "annual report"`, "a"},
		{"lantern -in:heading draft", "a c d"},
		{"annual in:heading", "a b"},
		{`lantern "quick brown"`, "a"},
		{"lantern -brown", "c d"},
		{"lantern -draft type:pdf", "a"},
		{"quick OR روشن", "a b c"},
		{"type:pdf", "d a"},
		{"type:pdf -draft", "a"},
		{"after:2021", "d c b"},
		{`-file:a "quick"`, "b"},
		{"-in:heading annual", "d c"},
		{"file:z", ""},
	} {
		for _, m := range []domain.Method{domain.Hybrid, domain.BM25, domain.Semantic} {
			res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery(c.query), Method: m, Embed: vector(1, 0)})
			got := strings.Fields(paths(res))
			if res.Method != domain.Listed {
				slices.Sort(got)
			}
			if strings.Join(got, " ") == c.found && !res.NoVectors && (res.Method == m || res.Method == domain.Listed) {
				continue
			}
			t.Errorf("%s finds %q by %s (ran %s, no vectors %v), want %q", c.query, got, m, res.Method, res.NoVectors, c.found)
		}
	}
}

// Where words are common, a filter finds what a plain loop over what it leaves finds.
func TestFiltersAmongCommonWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	vocabulary := []string{"common", "frequent", "usual", "seldom", "rare"}
	var docs []store.DocumentRows
	for i := range 800 {
		var words []string
		letter := 'a' + rng.IntN(12)*rng.IntN(2)
		for w, word := range vocabulary {
			if rng.IntN(1+w*w*4) == 0 && (letter != 'a' || word != "frequent") { // common, but not there
				words = append(words, word)
			}
		}
		docs = append(docs, written(fmt.Sprintf("%c%d", letter, i), "text", "en", "2020-01-01", "", strings.Join(words, " ")))
	}
	r, id := shelf(t, docs...)
	r.limits = limits{rows: 30, sample: 60, counted: 3, countedRows: 220, joined: 1, frequency: 1000}
	for range 200 {
		var words []string
		for range 1 + rng.IntN(4) {
			words = append(words, vocabulary[rng.IntN(len(vocabulary))])
		}
		letter := string(rune('a' + rng.IntN(12)))
		left := 0
		for _, d := range docs {
			if strings.HasPrefix(d.Path, letter) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(d.Chunks[0].Text, w) }) {
				left++
			}
		}
		query := strings.Join(words, " ") + " file:" + letter + "*"
		res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery(query), Method: domain.BM25, K: 20})
		if n := len(res.Candidates); n != min(20, left) {
			t.Fatalf("%s finds %d of %d", query, n, left)
		}
	}
}
