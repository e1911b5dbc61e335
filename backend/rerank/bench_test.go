package rerank_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fanous/backend/rerank"
)

// BenchmarkLateInteraction reranks a pool of 40 passages of about 90 tokens that was never seen, and
// then again for another query. Metric "again" is the time of the second over that of the first:
// what search-as-you-type pays for a pool that stays.
func BenchmarkLateInteraction(b *testing.B) {
	e := openEmbedder(b)
	var pool []string
	for i := range 40 {
		pool = append(pool, fmt.Sprintf("Crate %d: ", i)+strings.Repeat("the lantern of the harbour فانوس دریایی ", 8))
	}
	rerankPool := func(l *rerank.LateInteraction, query string) time.Duration {
		start := time.Now()
		if _, err := l.Rerank(b.Context(), rerank.Request{Query: query, Passages: pool}); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	var first, again time.Duration
	for b.Loop() {
		l := rerank.NewLateInteraction(tokenModel(e))
		first += rerankPool(l, "who lit the lantern of the harb")
		again += rerankPool(l, "who lit the lantern of the harbour")
	}
	b.ReportMetric(float64(again)/float64(first), "again")
}
