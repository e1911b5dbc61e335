package pipeline_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// listening is a reranker that notes what it is asked.
type listening struct {
	fixedReranker
	asked *[]string
}

func (r listening) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	*r.asked = append(*r.asked, req.Query)
	return r.fixedReranker.Rerank(ctx, req)
}

// Models get words; the syntax is for the search.
func TestModelsGetTheWordsOfAQuery(t *testing.T) {
	f := fruit(t)
	var asked, embedded []string
	s := f.searcher(listening{fixedReranker{score: func(string) float64 { return 0.7 }, reaches: 10}, &asked})
	s.Embed = func(_ context.Context, query string) ([]float32, error) {
		embedded = append(embedded, query)
		return nil, context.DeadlineExceeded
	}
	resp := f.search(s, domain.SearchRequest{Query: `fruit OR wine "and bread" -table type:text before:2100`, Top: 10})
	f.want("hits", titles(resp.Hits), "b")
	f.want("asked", strings.Join(asked, ";"), "fruit wine and bread")
	f.want("embedded", strings.Join(embedded, ";"), "fruit wine and bread")
	f.want("filters", len(resp.Filters), 5)

	asked, embedded = nil, nil
	resp = f.search(s, domain.SearchRequest{Query: "type:text -bread", Top: 10, MMR: new(0.5)})
	f.want("listed", len(resp.Hits), 2)
	f.want("method", resp.Method, domain.Listed)
	f.want("score", resp.Hits[0].ScoreKind, domain.ScoreNone)
	f.want("date", resp.Hits[0].Date.IsZero(), false)
	f.want("degraded", len(resp.Degraded), 0)
	f.want("models asked", len(asked)+len(embedded), 0)
	f.want("searchable", resp.Searchable, true)
}

// A file that is in several places is shown where the query looks for it.
func TestHitsAreShownWhereTheQueryLooks(t *testing.T) {
	f := newFixture(t, map[string]string{"a/plan.txt": "lantern", "b/old plan.txt": "lantern", "c/note.txt": "lantern"})
	f.run(t.Context(), nil)
	for query, want := range map[string]string{
		"lantern":                   "a/plan.txt",
		"lantern file:old":          "b/old plan.txt",
		"lantern file:note.*":       "c/note.txt",
		"lantern -file:plan":        "c/note.txt",
		"file:nowhere OR file:note": "c/note.txt",
	} {
		resp := f.search(f.searcher(nil), domain.SearchRequest{Query: query, Rerank: domain.RerankOff})
		if len(resp.Hits) != 1 {
			t.Errorf("%s: %d hits", query, len(resp.Hits))
			continue
		}
		f.want(query, resp.Hits[0].Path, filepath.Join(f.dir, want))
		f.want("other places", len(resp.Hits[0].Also), 2)
	}
}
