package pipeline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
)

// fixedReranker scores by a rule; budget is how many passages it reaches. Its scores are made up.
type fixedReranker struct {
	score   func(passage string) float64
	reaches int
	fails   error
}

func (r fixedReranker) Info() rerank.Info {
	threshold := 0.5
	return rerank.Info{Backend: domain.BackendCrossEncoder, Model: "made-up", Device: "CPU", Threshold: &threshold}
}

func (r fixedReranker) Rerank(_ context.Context, req rerank.Request) (rerank.Result, error) {
	n := len(req.Passages)
	res := rerank.Result{Scores: make([]rerank.Score, n), Scored: make([]bool, n)}
	for i := range min(n, r.reaches) {
		raw := r.score(req.Passages[i])
		res.Scores[i], res.Scored[i] = rerank.Score{Raw: raw, Normalized: raw}, true
	}
	return res, r.fails
}

func (f *fixture) searcher(local rerank.Reranker) *pipeline.Searcher {
	return &pipeline.Searcher{
		Store: f.store, Retriever: retrieve.New(f.store), NoEmbedder: f.ingest.NoEmbedder,
		Chain: rerank.NewChain(rerank.Given(nil), local, "No local reranker is installed.", rerank.ChainOptions{}),
	}
}

func (f *fixture) search(s *pipeline.Searcher, req domain.SearchRequest) domain.SearchResponse {
	f.t.Helper()
	resp, err := s.Search(f.t.Context(), req, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return resp
}

func titles(hits []domain.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Title)
	}
	return strings.Join(out, " ")
}

// fruit has documents whose BM25 order for "fruit" is a, b, c: the shorter, the better.
func fruit(t *testing.T) *fixture {
	f := newFixture(t, map[string]string{
		"a.txt": "fruit",
		"b.txt": "fruit and bread",
		"c.txt": "fruit and bread and cheese and wine on the table",
		"d.txt": "something else",
	})
	f.run(t.Context(), nil)
	return f
}

func TestWithoutEmbedderAndRerankerTheSearchIsLexicalAndSaysSo(t *testing.T) {
	f := fruit(t)
	resp := f.search(f.searcher(nil), domain.SearchRequest{Query: "fruit"})
	f.want("hits", titles(resp.Hits), "a b c")
	f.want("method", resp.Method, domain.BM25)
	f.want("requested method", resp.Requested, domain.Hybrid)
	f.want("backend", resp.Rerank.Backend, domain.BackendNone)
	f.want("score kind", resp.Hits[0].ScoreKind, domain.ScoreRank)
	f.want("reranked", resp.Hits[0].RerankDelta == nil, true)
	f.want("dense rank", resp.Hits[0].Ranks.Dense == nil, true)
	said := strings.Join(resp.Degraded, " ")
	for _, want := range []string{"The embedder is not installed.", "keywords only", "No local reranker is installed."} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
}

func TestSemanticWithoutAnEmbedderIsLexical(t *testing.T) {
	f := fruit(t)
	resp := f.search(f.searcher(nil), domain.SearchRequest{Query: "fruit", Method: domain.Semantic})
	f.want("hits", titles(resp.Hits), "a b c")
	f.want("method", resp.Method, domain.BM25)
	f.want("said", len(resp.Degraded) > 0, true)
}

func TestRerankingOffIsNotADegradation(t *testing.T) {
	f := fruit(t)
	resp := f.search(f.searcher(nil), domain.SearchRequest{Query: "fruit", Method: domain.BM25, Rerank: domain.RerankOff})
	f.want("degraded", len(resp.Degraded), 0)
	f.want("fell back", resp.Rerank.FellBackFrom == nil, true)
}

func TestRerankingMovesAndExplains(t *testing.T) {
	f := fruit(t)
	longest := fixedReranker{score: func(p string) float64 { return float64(len(p)) / 200 }, reaches: 10}
	resp := f.search(f.searcher(longest), domain.SearchRequest{Query: "fruit"})
	f.want("hits", titles(resp.Hits), "c b a")
	c := resp.Hits[0]
	f.want("fused rank", *c.Ranks.Fused, 3)
	f.want("final rank", *c.Ranks.Final, 1)
	f.want("delta", *c.RerankDelta, 2)
	f.want("score", c.Score, 0.27)
	f.want("raw", *c.RawScore, 0.27)
	f.want("kind", c.ScoreKind, domain.ScoreRelevance)
	f.want("candidates", resp.Rerank.CandidatesOut, 3)
	f.want("clear", resp.Verdict.Clear, false)
	f.want("threshold", *resp.Verdict.Threshold, 0.5)
	f.want("verdict says", resp.Verdict.Message != "", true)
	var names []string
	for _, s := range resp.Stages {
		names = append(names, s.Name)
	}
	f.want("stages", strings.Join(names, " "), "bm25 fuse rerank group total")
}

func TestWhatWasNotReachedKeepsTheFusedOrderBelow(t *testing.T) {
	f := fruit(t)
	shortest := fixedReranker{score: func(p string) float64 { return 1 / float64(len(p)) }, reaches: 1}
	resp := f.search(f.searcher(shortest), domain.SearchRequest{Query: "fruit"})
	f.want("hits", titles(resp.Hits), "a b c")
	f.want("first", resp.Hits[0].ScoreKind, domain.ScoreRelevance)
	f.want("second", resp.Hits[1].ScoreKind, domain.ScoreRank)
	f.want("second's delta", resp.Hits[1].RerankDelta == nil, true)
	f.want("scored", resp.Rerank.CandidatesOut, 1)
}

func TestAFailingRerankerLeavesTheFusedOrder(t *testing.T) {
	f := fruit(t)
	broken := fixedReranker{fails: errors.New("made-up failure")}
	resp := f.search(f.searcher(broken), domain.SearchRequest{Query: "fruit"})
	f.want("hits", titles(resp.Hits), "a b c")
	f.want("backend", resp.Rerank.Backend, domain.BackendNone)
	f.want("fell back from", *resp.Rerank.FellBackFrom, domain.BackendCrossEncoder)
	f.want("said", len(resp.Degraded) > 0, true)
}

func TestThePartialAnswerIsTheFusedOrder(t *testing.T) {
	f := fruit(t)
	longest := fixedReranker{score: func(p string) float64 { return float64(len(p)) }, reaches: 10}
	var partial []domain.SearchResponse
	_, err := f.searcher(longest).Search(t.Context(), domain.SearchRequest{Query: "fruit"}, func(r domain.SearchResponse) {
		partial = append(partial, r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(partial) != 1 || !partial[0].Partial || titles(partial[0].Hits) != "a b c" {
		t.Errorf("partial answers: %+v", partial)
	}
}

// TestASearchThatIsTypedOnCostsNoRanker: the fused order is shown, and the next key ends the search before reranking.
func TestASearchThatIsTypedOnCostsNoRanker(t *testing.T) {
	f := fruit(t)
	asked := false
	ranker := fixedReranker{score: func(string) float64 { asked = true; return 0 }, reaches: 10}
	ctx, nextKey := context.WithCancel(t.Context())
	shown := 0
	req := domain.SearchRequest{Query: "fruit", SettleMS: 10_000}
	_, err := f.searcher(ranker).Search(ctx, req, func(domain.SearchResponse) { shown++; nextKey() })
	if !errors.Is(err, context.Canceled) || shown != 1 || asked {
		t.Errorf("it ended with %v after %d orders; the ranker was asked: %v", err, shown, asked)
	}
}

func TestPassagesOfADocumentAreFolded(t *testing.T) {
	f := newFixture(t, map[string]string{
		"long.md":  "# One\n\nfruit of the north\n\n# Two\n\nfruit of the south\n\n# Three\n\nfruit of the west",
		"other.md": "# Four\n\nfruit of the east which is described at some length here",
	})
	f.run(t.Context(), nil)
	for _, tt := range []struct {
		perDocument, top, hits, more int
	}{{1, 5, 2, 2}, {2, 5, 3, 1}, {9, 5, 4, 0}, {1, 1, 1, 2}} {
		resp := f.search(f.searcher(nil), domain.SearchRequest{Query: "fruit", PerDocument: tt.perDocument, Top: tt.top})
		f.want("hits", len(resp.Hits), tt.hits)
		f.want("folded", resp.Hits[0].MoreInDocument, tt.more)
		f.want("listed", len(resp.Hits[0].More), tt.more)
	}
}

func TestHighlightsAreRangesOfTheOriginalText(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "او مُحَمَّد را دید و کتاب‌هایش را گرفت"})
	f.run(t.Context(), nil)
	resp := f.search(f.searcher(nil), domain.SearchRequest{Query: "محمد كتاب"})
	if len(resp.Hits) != 1 {
		t.Fatalf("%d hits", len(resp.Hits))
	}
	var words []string
	for _, r := range resp.Hits[0].Highlights {
		words = append(words, resp.Hits[0].Text[r[0]:r[1]])
	}
	if want := []string{"مُحَمَّد", "کتاب‌هایش"}; !slices.Equal(words, want) {
		t.Errorf("highlighted %q, want %q", words, want)
	}
}

func TestNothingSearchableIsNotNothingFound(t *testing.T) {
	f := fruit(t)
	for query, searchable := range map[string]bool{"": false, "?!": false, "((((": false, "zebra": true} {
		resp := f.search(f.searcher(nil), domain.SearchRequest{Query: query})
		f.want("hits of "+query, len(resp.Hits), 0)
		f.want("searchable "+query, resp.Searchable, searchable)
	}
}

func TestBadRequestsNameTheirValues(t *testing.T) {
	f := fruit(t)
	for name, tt := range map[string]struct {
		req  domain.SearchRequest
		want []string
	}{
		"top above candidates": {domain.SearchRequest{Top: 9, Candidates: 3}, []string{"9", "3"}},
		"negative top":         {domain.SearchRequest{Top: -1}, []string{"-1", "40"}},
		"too many candidates":  {domain.SearchRequest{Candidates: 5000}, []string{"5000"}},
		"method":               {domain.SearchRequest{Method: "magic"}, []string{"magic"}},
		"reranking":            {domain.SearchRequest{Rerank: "magic"}, []string{"magic"}},
		"fusion":               {domain.SearchRequest{Fusion: "magic"}, []string{"magic"}},
		"per document":         {domain.SearchRequest{PerDocument: -2}, []string{"-2"}},
	} {
		tt.req.Query = "fruit"
		_, err := f.searcher(nil).Search(t.Context(), tt.req, nil)
		if domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) == "" {
			t.Errorf("%s: error %v with code %q", name, err, domain.CodeOf(err))
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not name %s", name, err, want)
			}
		}
	}
}

func TestAnUnknownCollectionIsNotFound(t *testing.T) {
	f := fruit(t)
	_, err := f.searcher(nil).Search(t.Context(), domain.SearchRequest{Query: "fruit", Collection: "nowhere"}, nil)
	f.want("code", domain.CodeOf(err), domain.CodeNotFound)
}
