package retrieve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
	"fanous/backend/store/madeup"
	"fanous/backend/store/storetest"
)

// chunksEnv is how many made-up chunks BenchmarkAtSize searches: 10,000, or 100000 and 1000000 for the figures of
// decisions/retrieval-at-size.md. A large collection is made once, in minutes, and kept in the user's cache folder.
const chunksEnv = "FANOUS_BENCH_CHUNKS"

// BenchmarkAtSize measures hybrid retrieval in a made-up collection, and beside each search, on the same connection
// settings, the vector arm alone and vec0's own scan of the floats, whose neighbours are the true ones.
func BenchmarkAtSize(b *testing.B) {
	r, c, src := atSize(b)
	bare, err := storetest.OpenBare(r.store.Path())
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	const k = 40
	var hybrid, vectors, scans []time.Duration
	var found, wanted int
	ask := func(i int) {
		text, v := src.Query(i*7919%(c.Chunks/40), 4+i%9)
		hybrid = append(hybrid, timed(b, func() error {
			_, err := r.Retrieve(b.Context(), Request{
				CollectionID: 1, Query: language.ParseQuery(text), Method: domain.Hybrid, K: k,
				Embed: func(context.Context) ([]float32, error) { return v, nil },
			})
			return err
		}))
		var near []store.Scored
		vectors = append(vectors, timed(b, func() (err error) {
			near, err = r.store.Nearest(b.Context(), 1, v, k)
			return err
		}))
		var exact []int64
		scans = append(scans, timed(b, func() (err error) {
			exact, err = bare.NearestIDs(b.Context(), 1, v, k)
			return err
		}))
		for _, s := range near {
			if slices.Contains(exact, s.ChunkID) {
				found++
			}
		}
		wanted += len(exact)
	}
	for b.Loop() {
		for i := range 20 {
			ask(i)
		}
	}
	b.ReportMetric(float64(found)/float64(wanted), "recall@40")
	b.ReportMetric(quantile(scans, 0.5)/quantile(vectors, 0.5), "vec0/vectors")
	b.ReportMetric(quantile(hybrid, 0.5), "hybrid-p50-ms")
	b.ReportMetric(quantile(hybrid, 0.95), "hybrid-p95-ms")
	b.ReportMetric(quantile(vectors, 0.5), "vectors-p50-ms")
	b.ReportMetric(quantile(scans, 0.5), "vec0-p50-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCommonWords measures the lexical arm where words are common: the made-up collection has each of these in
// up to a third of its passages.
func BenchmarkCommonWords(b *testing.B) {
	r, _, src := atSize(b)
	rare, _ := src.Query(11, 12)
	for _, query := range []string{
		"the of", "are this", "the", `"of the"`, "the -of", "the of and to in a is that for it was as", "the of and to " + rare,
	} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				list, err := r.byWords(b.Context(), Request{CollectionID: 1, Query: language.ParseQuery(query), K: 40}, r.store.Everything(1))
				if err != nil || len(list) != 40 {
					b.Fatal(len(list), err)
				}
			}
		})
	}
}

// atSize opens the made-up collection, which it makes where it must.
func atSize(b *testing.B) (*Retriever, madeup.Collection, *madeup.Source) {
	b.Helper()
	c := madeup.Collection{Chunks: 10_000, Seed: 1}
	path := filepath.Join(b.TempDir(), "index.db")
	if n := os.Getenv(chunksEnv); n != "" {
		cache, err := os.UserCacheDir()
		if err == nil {
			c.Chunks, err = strconv.Atoi(n)
		}
		if err != nil {
			b.Fatal(err)
		}
		path = filepath.Join(cache, "fanous", "bench", "retrieval", fmt.Sprintf("%d.db", c.Chunks))
	}
	s, err := store.Open(b.Context(), path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if n, err := s.Summaries(b.Context()); err != nil || len(n) == 0 || n[0].Chunks < c.Chunks {
		if _, err := c.Fill(b.Context(), s, "made up", nil); err != nil {
			b.Fatal(err)
		}
	}
	return New(s), c, madeup.NewSource(c.Seed)
}

func timed(b *testing.B, do func() error) time.Duration {
	b.Helper()
	start := time.Now()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// quantile is in milliseconds.
func quantile(times []time.Duration, q float64) float64 {
	slices.Sort(times)
	return float64(times[int(q*float64(len(times)-1))].Microseconds()) / 1000
}
