package retrieve

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
	"fanous/backend/store/storetest"
)

// BenchmarkHybrid measures a whole retrieval, both arms, fusion and reading the passages, against one bare
// FTS5 query and one bare vec0 query on the same file, one after the other, for the same vector and the same
// terms: what we leave out is left out of the bare query too. Each search is timed beside its bare queries, so
// that a busy machine slows both.
func BenchmarkHybrid(b *testing.B) {
	const dim, chunks, words, k = 384, 10_000, 40, 40
	path := filepath.Join(b.TempDir(), "index.db")
	src := storetest.New(b, 1)
	r, collection := benchIndex(b, path, src, dim, chunks, words)
	bare, err := storetest.OpenBare(path)
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	ctx := b.Context()
	var ours, lexical, nearest time.Duration
	for b.Loop() {
		q := language.ParseQuery(src.Text(5))
		v := src.Vector(dim)
		start := time.Now()
		n, err := bare.Lexical(ctx, collection, q.Match(nil), k)
		lexical += time.Since(start)
		if err != nil {
			b.Fatal(err)
		}
		start = time.Now()
		m, err := bare.Nearest(ctx, collection, v, k)
		nearest += time.Since(start)
		if err != nil {
			b.Fatal(err)
		}
		start = time.Now()
		res, err := r.Retrieve(ctx, Request{
			CollectionID: collection, Query: q, Method: domain.Hybrid, K: k,
			Embed: func(context.Context) ([]float32, error) { return v, nil },
		})
		ours += time.Since(start)
		if err != nil {
			b.Fatal(err)
		}
		if len(res.Candidates) < max(n, m) {
			b.Fatalf("%d candidates of %d and %d", len(res.Candidates), n, m)
		}
	}
	searches := float64(b.N)
	b.ReportMetric(float64(ours)/float64(lexical+nearest), "ours/bare")
	b.ReportMetric(ours.Seconds()*1000/searches, "ours-ms")
	b.ReportMetric(lexical.Seconds()*1000/searches, "bare-fts5-ms")
	b.ReportMetric(nearest.Seconds()*1000/searches, "bare-vec0-ms")
}

func benchIndex(b *testing.B, path string, src *storetest.Source, dim, chunks, words int) (*Retriever, int64) {
	b.Helper()
	s, err := store.Open(b.Context(), path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	c, err := s.AddCollection(b.Context(), "c", domain.PolicyAsk)
	if err != nil {
		b.Fatal(err)
	}
	w, err := s.Writer(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	if err := w.SetStamp(b.Context(), store.Stamp{Embedder: "made-up", Dim: dim}); err != nil {
		b.Fatal(err)
	}
	const perDocument, perPut = 40, 2000
	for at := 0; at < chunks; at += perPut {
		var docs []store.DocumentRows
		for first := at; first < at+perPut; first += perDocument {
			d := store.DocumentRows{Document: domain.Document{
				CollectionID: c.ID, Path: fmt.Sprint(first), Title: src.Text(3), State: domain.StateIndexed,
			}}
			for i := range perDocument {
				d.Chunks = append(d.Chunks, store.ChunkRow{
					Chunk: domain.Chunk{Ordinal: i, Text: src.Text(words)}, Vector: src.Vector(dim),
				})
			}
			docs = append(docs, d)
		}
		if err := w.Put(b.Context(), docs...); err != nil {
			b.Fatal(err)
		}
	}
	return New(s), c.ID
}
