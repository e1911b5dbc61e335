package madeup

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"fanous/backend/store"
)

// BenchmarkDelete is what it costs to delete from a collection of FANOUS_BENCH_CHUNKS chunks (2,000 where it is not set): ten
// documents, the twentieth part, and the collection with the rest. It is meant for -benchtime 1x.
func BenchmarkDelete(b *testing.B) {
	chunks, _ := strconv.Atoi(os.Getenv("FANOUS_BENCH_CHUNKS"))
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "index.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	c, err := Collection{Chunks: max(chunks, 2000), Seed: 1}.Fill(b.Context(), s, "made up", nil)
	if err != nil {
		b.Fatal(err)
	}
	files, err := s.Files(b.Context(), c.ID)
	if err != nil {
		b.Fatal(err)
	}
	var ids []int64
	for _, d := range files {
		ids = append(ids, d.ID)
	}
	remove := func(n int, unit string) {
		w, err := s.Writer(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := w.Delete(b.Context(), ids[:n]...); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		ids = ids[n:]
		b.ReportMetric(float64(time.Since(start).Milliseconds()), unit)
	}
	remove(10, "ms/10-documents")
	remove(len(ids)/20, "ms/twentieth")
	start := time.Now()
	if err := s.RemoveCollection(b.Context(), "made up", nil); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms/collection")
	b.ReportMetric(float64(len(files)), "documents")
}
