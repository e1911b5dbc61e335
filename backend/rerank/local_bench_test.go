package rerank_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
	"fanous/backend/store"
	"fanous/models"
	"fanous/models/madeupxlmr"
	"fanous/models/onnxgraph"
)

// benchModel opens the cross-encoder of the benchmarks: the small one of the tests, or with FANOUS_BENCH_SHAPE=mini
// or bge one of the size of a real one, kept in the cache folder. All have made-up weights.
func benchModel(b *testing.B) (c *rerank.CrossEncoder, full bool) {
	b.Helper()
	var shape madeupxlmr.Shape
	switch os.Getenv("FANOUS_BENCH_SHAPE") {
	case "mini":
		shape = madeupxlmr.Mini
	case "bge":
		shape = madeupxlmr.BGE
	default:
		return openTiny(b), false
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		b.Fatal(err)
	}
	form := onnxgraph.Form{Precision: onnxgraph.Int8, Layout: onnxgraph.Fast}
	dir, err := madeupxlmr.Folder(filepath.Join(cache, "fanous", "bench"), filepath.Join(starterDir(), models.TokenizerFile), shape, form)
	if err != nil {
		b.Fatal(err)
	}
	if c, err = rerank.OpenCrossEncoder(loadRuntime(b), dir); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	return c, true
}

// benchPool is n different passages of about 80 to 400 tokens, in no order of length.
func benchPool(n int) rerank.Request {
	req := rerank.Request{Query: "when was the lantern of the harbour lit"}
	for i := range n {
		words := 10 + (i*7)%50
		req.Passages = append(req.Passages, fmt.Sprintf("Crate %d: ", i)+strings.Repeat("the lantern of the harbour فانوس دریایی ", words/2))
	}
	return req
}

// BenchmarkCachedRepeat asks the same question twice of a pool of 40. Metric "cold/cached" is how many times as
// long the first takes as the second, whose scores come out of the index file.
func BenchmarkCachedRepeat(b *testing.B) {
	c, _ := benchModel(b)
	req := benchPool(40)
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "index.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	req.Chunks = storeChunks(b, s, req.Passages)

	ask := func(query string) time.Duration {
		scores := s.Scores() // as a process that has just started
		cached := rerank.NewCached(c, rerank.Kept{Get: scores.Get, Put: scores.Put}, rerank.NormalizeLogit)
		req := req
		req.Query = query
		start := time.Now()
		if result, err := cached.Rerank(b.Context(), req); err != nil || count(result.Scored) != len(req.Passages) {
			b.Fatalf("%d scored, %v", count(result.Scored), err)
		}
		took := time.Since(start)
		if err := scores.Close(); err != nil {
			b.Fatal(err)
		}
		return took
	}
	ask("a first one, for what is slow only once")
	var cold, cached time.Duration
	for round := 0; b.Loop(); round++ {
		query := fmt.Sprintf("%s (%d)", req.Query, round)
		cold += ask(query)
		cached += ask(query)
	}
	b.ReportMetric(float64(cold)/float64(cached), "cold/cached")
}

// storeChunks stores the passages and gives their identifiers.
func storeChunks(b *testing.B, s *store.Store, passages []string) []int64 {
	b.Helper()
	c, err := s.AddCollection(b.Context(), "bench", domain.PolicyNever)
	if err != nil {
		b.Fatal(err)
	}
	w, err := s.Writer(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	if err := w.SetStamp(b.Context(), store.Stamp{Analyser: "bench", Chunker: "bench"}); err != nil {
		b.Fatal(err)
	}
	doc := store.DocumentRows{Document: domain.Document{CollectionID: c.ID, Path: "/bench", State: domain.StateIndexed}}
	for i, p := range passages {
		doc.Chunks = append(doc.Chunks, store.ChunkRow{Chunk: domain.Chunk{Ordinal: i, Text: p}})
	}
	if err := w.Put(b.Context(), doc); err != nil {
		b.Fatal(err)
	}
	var ids []int64
	for i := range passages { // the first document of a new file
		ids = append(ids, int64(i+1))
	}
	return ids
}

// BenchmarkBudget reranks more than the budget allows. Metric "spent" is the time taken as a share of the budget,
// which is 4 s for a model of a real size.
func BenchmarkBudget(b *testing.B) {
	c, full := benchModel(b)
	req := benchPool(3000)
	req.Budget = 200 * time.Millisecond
	if full {
		req.Budget = 4 * time.Second
	}
	var spent time.Duration
	scored, rounds := 0, 0
	for b.Loop() {
		start := time.Now()
		result, err := c.Rerank(b.Context(), req)
		spent += time.Since(start)
		if err != nil || count(result.Scored) == len(req.Passages) {
			b.Fatalf("%d scored, %v", count(result.Scored), err)
		}
		scored += count(result.Scored)
		rounds++
	}
	b.ReportMetric(float64(spent)/float64(time.Duration(rounds)*req.Budget), "spent")
	b.ReportMetric(float64(scored)/float64(rounds), "scored")
}

// BenchmarkFirstOrder reranks a pool of 40. Metric "first-order" is when the first order that has a score for
// each core could be shown, as a share of the whole.
func BenchmarkFirstOrder(b *testing.B) {
	c, _ := benchModel(b)
	req := benchPool(40)
	cores := runtime.GOMAXPROCS(0)
	var first, whole time.Duration
	for b.Loop() {
		start := time.Now()
		told := 0
		req.OnScore = func(int, rerank.Score) {
			if told++; told == min(cores, len(req.Passages)) {
				first += time.Since(start)
			}
		}
		if _, err := c.Rerank(b.Context(), req); err != nil {
			b.Fatal(err)
		}
		whole += time.Since(start)
	}
	b.ReportMetric(float64(first)/float64(whole), "first-order")
}
