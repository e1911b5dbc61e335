package retrieve

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
)

func TestSteps(t *testing.T) {
	in := map[string]int{
		"the": 320_000, "of": 310_000, "year": 110_000, "report": 60_000, "river": 20_000, "boat": 9_000, "lantern": 3, "nowhere": 0,
	}
	for query, want := range map[string]string{
		"lantern boat river":    ``,
		"nowhere":               ``,
		"the lantern":           `("lantern") / ("the")`,
		"the of":                `(("the" AND "of")) / ("the" OR "of")`,
		"the report of lantern": `("lantern") AND ("lantern" OR "report") / (("report" AND "of")) / ("report" OR "of")`,
		"the of report year":    `(("report" AND "year")) / ("report" OR "year")`,
		`"river boat"`:          ``,
		`"of the" -boat`:        `(("of" + "the")) NOT ("boat") / (("of" + "the")) NOT ("boat")`,
		`"of the" lantern`:      `("of" + "the") AND ("lantern") / ("of" + "the") AND ("lantern" OR ("of" + "the"))`,
	} {
		t.Run(query, func(t *testing.T) {
			var got []string
			q := language.ParseQuery(query)
			for _, step := range defaultLimits().steps(q, in) {
				got = append(got, withoutGuesses(q.Match(step.of)))
			}
			if got := strings.Join(got, " / "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// withoutGuesses takes the spellings out of an expression that the analyser guesses for words of no known language.
func withoutGuesses(match string) string {
	return regexp.MustCompile(` OR "~[^"]*"`).ReplaceAllString(match, "")
}

// commonTexts are 400 passages: each has "common", every second one "frequent", every tenth "usual", every fiftieth "rare".
// "never" and "apart" are common too and never stand together.
func commonTexts() []string {
	var texts []string
	for i := range 400 {
		words := []string{"common", []string{"never", "apart"}[i%2]}
		for every, word := range map[int]string{2: "frequent", 10: "usual", 50: "rare"} {
			if i%every == 0 {
				words = append(words, word)
			}
		}
		slices.Sort(words)
		texts = append(texts, strings.Join(words, " "))
	}
	return texts
}

// With limits a tenth of the passages wide, every query finds what it asks for, the rare first.
func TestCommonWordsAreBounded(t *testing.T) {
	r, id := index(t, commonTexts(), nil)
	r.limits = limits{rows: 40, sample: 20, counted: 3, countedRows: 220, joined: 2, frequency: 1000}
	for query, c := range map[string]struct {
		must  string // in every passage that is found
		first string // in the first ones
		found int
	}{
		"rare":                     {"rare", "rare", 8},
		"rare common":              {"common", "rare", 20},
		"rare nothing":             {"rare", "rare", 8},
		"common frequent usual":    {"usual", "frequent", 20},
		"usual rare":               {"usual", "rare", 20},
		"common":                   {"common", "common", 20},
		"common frequent":          {"frequent", "common", 20},
		"never apart":              {"common", "", 20},
		`"common frequent" rare`:   {"frequent", "rare", 20},
		`"common frequent" -usual`: {"frequent", "common", 20},
		"nothing common":           {"common", "common", 20},
	} {
		t.Run(query, func(t *testing.T) {
			req := Request{CollectionID: id, Query: language.ParseQuery(query), K: 20}
			list, err := r.byWords(t.Context(), req, r.store.Everything(id))
			if err != nil {
				t.Fatal(err)
			}
			again, err := r.byWords(t.Context(), req, r.store.Everything(id))
			if err != nil || !slices.Equal(list, again) {
				t.Errorf("another list the second time: %v", err)
			}
			var ids []int64
			for _, s := range list {
				ids = append(ids, s.ChunkID)
			}
			passages, err := r.store.Passages(t.Context(), ids)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range passages {
				if !strings.Contains(p.Chunk.Text, c.must) || i == 0 && !strings.Contains(p.Chunk.Text, c.first) {
					t.Errorf("place %d: %s", i, p.Chunk.Text)
				}
			}
			if query == `"common frequent" rare` {
				rare := slices.IndexFunc(passages, func(p store.Passage) bool { return !strings.Contains(p.Chunk.Text, "rare") })
				if rare != 8 {
					t.Errorf("%d rare ones come first, want all 8", rare)
				}
			}
			if strings.Contains(query, "-usual") && slices.ContainsFunc(ids, func(id int64) bool { return (id-1)%10 == 0 }) {
				t.Error("what was excluded is there")
			}
			if len(list) < c.found/2 || len(list) > 2*c.found {
				t.Errorf("%d found, want about %d", len(list), c.found)
			}
		})
	}
}

func TestWordsTakeLessBesideTheVectors(t *testing.T) {
	l := limits{rows: 40, rowsBeside: 20}
	embed := func(context.Context) ([]float32, error) { return nil, nil }
	for name, test := range map[string]struct {
		req  Request
		want int
	}{
		"hybrid":                     {Request{Method: domain.Hybrid, Embed: embed}, 20},
		"hybrid without an embedder": {Request{Method: domain.Hybrid}, 40},
		"words alone":                {Request{Method: domain.BM25, Embed: embed}, 40},
		"no vectors to search":       {Request{Method: domain.Semantic, Embed: embed}, 40},
	} {
		if got := l.of(test.req).rows; got != test.want {
			t.Errorf("%s: %d rows, want %d", name, got, test.want)
		}
	}
}
