package retrieve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/language/languagetest"
	"fanous/backend/store"
)

// index makes a store with one collection of one-chunk documents, their paths being their places in texts.
// vectors may be shorter than texts, or nil.
func index(t testing.TB, texts []string, vectors [][]float32) (*Retriever, int64) {
	t.Helper()
	docs := make([]store.DocumentRows, len(texts))
	for i, text := range texts {
		docs[i].Path, docs[i].Chunks = fmt.Sprint(i), []store.ChunkRow{{Chunk: domain.Chunk{Text: text}}}
		if i < len(vectors) {
			docs[i].Chunks[0].Vector = vectors[i]
		}
	}
	return stored(t, docs)
}

// stored makes a store with one collection of these documents.
func stored(t testing.TB, docs []store.DocumentRows) (*Retriever, int64) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c, err := s.AddCollection(t.Context(), "c", domain.PolicyAsk)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Writer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.SetStamp(t.Context(), store.Stamp{Embedder: "made-up", Dim: 2}); err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		docs[i].CollectionID, docs[i].State = c.ID, domain.StateIndexed
	}
	if err := w.Put(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
	return New(s), c.ID
}

func retrieve(t testing.TB, r *Retriever, req Request) Result {
	t.Helper()
	if req.K == 0 {
		req.K = 40
	}
	res, err := r.Retrieve(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// paths names the candidates in order by their places in the texts.
func paths(res Result) string {
	var list []string
	for _, c := range res.Candidates {
		list = append(list, c.Document.Path)
	}
	return strings.Join(list, " ")
}

func vector(v ...float32) func(context.Context) ([]float32, error) {
	return func(context.Context) ([]float32, error) { return v, nil }
}

func TestWordsAreFoundThroughTheStore(t *testing.T) {
	cases := languagetest.Words()
	texts := make([]string, len(cases))
	for i, c := range cases {
		texts[i] = c.Doc
	}
	r, id := index(t, texts, nil)
	for i, c := range cases {
		res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery(c.Query), Method: domain.BM25, K: domain.MaxCandidates})
		found := slices.ContainsFunc(res.Candidates, func(k Candidate) bool { return k.Document.Path == fmt.Sprint(i) })
		if found != c.Found {
			t.Errorf("%s: %q by %q: found is %v", c.Kind, c.Doc, c.Query, found)
		}
	}
}

func TestDeliberateSyntaxThroughTheStore(t *testing.T) {
	for _, c := range languagetest.Syntaxes() {
		r, id := index(t, c.Docs, nil)
		res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery(c.Query), Method: domain.BM25})
		found := []int{}
		for i := range c.Docs {
			if slices.Contains(strings.Fields(paths(res)), fmt.Sprint(i)) {
				found = append(found, i)
			}
		}
		if !slices.Equal(found, c.Found) {
			t.Errorf("%s: %q finds %v of %q, want %v", c.Kind, c.Query, found, c.Docs, c.Found)
		}
	}
}

// No string that anybody types is an error, by any method.
func TestNoQueryIsAnError(t *testing.T) {
	texts := []string{"what's up with C++ and foo?", "foo AND bar", "word a many words", "می‌خواهم", "中文", "x"}
	r, id := index(t, texts, [][]float32{{1, 0}, {0, 1}})
	for _, c := range languagetest.Odds() {
		q := language.ParseQuery(c.Query)
		for _, method := range []domain.Method{domain.BM25, domain.Semantic, domain.Hybrid} {
			res, err := r.Retrieve(t.Context(), Request{
				CollectionID: id, Query: q, Method: method, K: 10, Embed: vector(1, 1),
			})
			if err != nil {
				t.Errorf("%.60q, %s: %v", c.Query, method, err)
			}
			if c.Empty && len(res.Candidates) > 0 {
				t.Errorf("%.60q, %s: nothing to search for, yet it finds %s", c.Query, method, paths(res))
			}
		}
	}
}

func TestEveryCandidateCarriesItsTrace(t *testing.T) {
	texts := []string{"lantern lantern", "lantern of the river", "boat"}
	r, id := index(t, texts, [][]float32{{0, 1}, {1, 0}, {0.8, 0.6}})
	q := language.ParseQuery("lantern")
	res := retrieve(t, r, Request{CollectionID: id, Query: q, Method: domain.Hybrid, K: 2, Embed: vector(1, 0)})
	if res.Method != domain.Hybrid || res.EmbedError != nil || res.NoVectors {
		t.Errorf("result: %+v", res)
	}
	// By words: 0 1. By vector: 1 2.
	want := []string{"1 bm25 2 dense 1 fused 1", "0 bm25 1 dense - fused 2", "2 bm25 - dense 2 fused 3"}
	for i, c := range res.Candidates {
		got := fmt.Sprintf("%s bm25 %s dense %s fused %s", c.Document.Path, show(c.Ranks.BM25), show(c.Ranks.Dense), show(c.Ranks.Fused))
		if got != want[i] {
			t.Errorf("candidate %d: %s, want %s", i, got, want[i])
		}
		if (c.Ranks.BM25 == nil) != (c.Scores.BM25 == nil) || (c.Ranks.Dense == nil) != (c.Scores.Dense == nil) || c.Scores.Fused == nil {
			t.Errorf("candidate %d: ranks and scores disagree about the arms: %+v %+v", i, c.Ranks, c.Scores)
		}
		if c.Ranks.Final != nil || c.Scores.Rerank != nil {
			t.Errorf("candidate %d has a rerank: %+v", i, c)
		}
	}
	if cos := *res.Candidates[0].Scores.Dense; cos < 0.999 || cos > 1.001 {
		t.Errorf("cosine %v", cos)
	}
	var stages []string
	for _, st := range res.Stages {
		stages = append(stages, fmt.Sprintf("%s %d>%d", st.Name, st.In, st.Out))
	}
	if want := []string{"embed 1>1", "bm25 2>2", "dense 2>2", "fuse 4>3"}; !reflect.DeepEqual(stages, want) {
		t.Errorf("stages %v, want %v", stages, want)
	}
}

func show(rank *int) string {
	if rank == nil {
		return "-"
	}
	return fmt.Sprint(*rank)
}

func TestMethods(t *testing.T) {
	texts := []string{"lantern", "river", "lantern boat"}
	vectors := [][]float32{{1, 0}, {0, 1}, {0.6, 0.8}}
	broken := errors.New("no model")
	failing := func(context.Context) ([]float32, error) { return nil, broken }
	for name, c := range map[string]struct {
		method    domain.Method
		vectors   [][]float32
		embed     func(context.Context) ([]float32, error)
		found     string
		ran       domain.Method
		embedErr  error
		noVectors bool
	}{
		"bm25":                         {domain.BM25, vectors, vector(0, 1), "0 2", domain.BM25, nil, false},
		"semantic":                     {domain.Semantic, vectors, vector(0, 1), "1 2 0", domain.Semantic, nil, false},
		"hybrid":                       {domain.Hybrid, vectors, vector(0, 1), "1 2 0", domain.Hybrid, nil, false},
		"hybrid without an embedder":   {domain.Hybrid, vectors, nil, "0 2", domain.BM25, nil, false},
		"hybrid, embedder fails":       {domain.Hybrid, vectors, failing, "0 2", domain.BM25, broken, false},
		"hybrid, nothing embedded":     {domain.Hybrid, nil, vector(0, 1), "0 2", domain.BM25, nil, true},
		"semantic without an embedder": {domain.Semantic, vectors, nil, "0 2", domain.BM25, nil, false},
		"semantic, embedder fails":     {domain.Semantic, vectors, failing, "0 2", domain.BM25, broken, false},
		"semantic, nothing embedded":   {domain.Semantic, nil, vector(0, 1), "0 2", domain.BM25, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			r, id := index(t, texts, c.vectors)
			res := retrieve(t, r, Request{CollectionID: id, Query: language.ParseQuery("lantern"), Method: c.method, Embed: c.embed})
			if paths(res) != c.found || res.Method != c.ran || !errors.Is(res.EmbedError, c.embedErr) || res.NoVectors != c.noVectors {
				t.Errorf("found %q by %s, embed error %v, no vectors %v", paths(res), res.Method, res.EmbedError, res.NoVectors)
			}
		})
	}
}

func TestFusionIsChosen(t *testing.T) {
	// By words: 0 far before 1. By vector: 1 a little before 0.
	r, id := index(t, []string{"lantern lantern lantern", "lantern and much else besides it", "x"}, [][]float32{{0.98, 0.199}, {1, 0}, {0, 1}})
	req := Request{CollectionID: id, Query: language.ParseQuery("lantern"), Method: domain.Hybrid, Embed: vector(1, 0)}
	scores := map[domain.Fusion]float64{}
	for _, f := range []domain.Fusion{domain.FusionConvex, domain.FusionRRF} {
		req.Fusion = f
		scores[f] = *retrieve(t, r, req).Candidates[0].Scores.Fused
	}
	if scores[domain.FusionConvex] == scores[domain.FusionRRF] {
		t.Errorf("both fusions give %v", scores)
	}
}

func TestCancelledRetrievalSaysSo(t *testing.T) {
	r, id := index(t, []string{"lantern"}, [][]float32{{1, 0}})
	ctx, cancel := context.WithCancel(t.Context())
	embed := func(ctx context.Context) ([]float32, error) {
		cancel() // while the query is being embedded
		return nil, ctx.Err()
	}
	_, err := r.Retrieve(ctx, Request{CollectionID: id, Query: language.ParseQuery("lantern"), Method: domain.Hybrid, K: 5, Embed: embed})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("have %v", err)
	}
}

// The frequencies that decide are those of the collection that is searched.
func TestFrequenciesComeFromTheCollection(t *testing.T) {
	r, id := index(t, []string{"lantern", "lantern boat", "x"}, nil)
	in, err := r.store.TermFrequency(t.Context(), id, []string{"lantern", "boat", "nowhere"}, 10)
	if want := map[string]int{"lantern": 2, "boat": 1, "nowhere": 0}; err != nil || !reflect.DeepEqual(in, want) {
		t.Errorf("have %v, %v", in, err)
	}
}

// TestPassagesThatWereReadAreNotReadAgain: what ordering has read is handed on, the rest is read, and what is gone is left out.
func TestPassagesThatWereReadAreNotReadAgain(t *testing.T) {
	r, _ := index(t, []string{"lantern", "harbour"}, nil)
	read := store.Passage{Chunk: domain.Chunk{ID: 1, Text: "as it was read"}}
	list, err := r.passages(t.Context(), []Fused{{ChunkID: 2}, {ChunkID: 999}, {ChunkID: 1}}, []store.Passage{read})
	if err != nil || len(list) != 2 || list[0].Chunk.Text != "harbour" || list[1].Chunk.Text != "as it was read" {
		t.Errorf("%+v, %v", list, err)
	}
}
