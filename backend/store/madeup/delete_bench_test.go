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
// documents, the twentieth part, and the collection with the rest. It is meant for -benchtime 1x. Beside the times stands what a
// chunk costs to delete against what it cost to store, which is about the same on any machine.
func BenchmarkDelete(b *testing.B) {
	chunks, _ := strconv.Atoi(os.Getenv("FANOUS_BENCH_CHUNKS"))
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "index.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	start := time.Now()
	c, err := Collection{Chunks: max(chunks, 2000), Seed: 1}.Fill(b.Context(), s, "made up", nil)
	if err != nil {
		b.Fatal(err)
	}
	stored := time.Since(start) / time.Duration(max(chunks, 2000))
	report := func(took time.Duration, chunks int, what string) {
		b.ReportMetric(float64(took.Milliseconds()), "ms/"+what)
		b.ReportMetric(float64(took)/float64(stored*time.Duration(chunks)), "of-storing/"+what)
	}
	files, err := s.Files(b.Context(), c.ID)
	if err != nil {
		b.Fatal(err)
	}
	var ids []int64
	for _, d := range files {
		ids = append(ids, d.ID)
	}
	remove := func(n int, what string) {
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
		report(time.Since(start), n*perDocument, what)
	}
	remove(10, "10-documents")
	remove(len(ids)/20, "twentieth")
	start = time.Now()
	if err := s.RemoveCollection(b.Context(), "made up", nil); err != nil {
		b.Fatal(err)
	}
	report(time.Since(start), len(ids)*perDocument, "collection")
	b.ReportMetric(float64(len(files)), "documents")
}
