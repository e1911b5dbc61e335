package pipeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/retrieve"
	"fanous/backend/store"
)

// BenchmarkGroups folds 80 passages of 150 words, a quarter of them near-duplicates, and says what that costs
// in terms of analysing the same text once.
func BenchmarkGroups(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	var entries []Entry
	for i := range 80 {
		var text []string
		for range 150 {
			text = append(text, fmt.Sprintf("word%c%c", 'a'+random.IntN(26), 'a'+random.IntN(26)))
		}
		if i%4 == 3 {
			text = strings.Fields(entries[i-3].Chunk.Text)
			text[70] = "exchanged"
		}
		entries = append(entries, Entry{Candidate: retrieve.Candidate{Passage: store.Passage{
			Chunk:    domain.Chunk{ID: int64(i), Text: strings.Join(text, " ")},
			Document: domain.Document{ID: int64(i)},
		}}})
	}
	var grouping, analysing time.Duration
	for b.Loop() {
		start := time.Now()
		if n := len(groups(entries, 80, 1)); n != 60 {
			b.Fatalf("%d groups", n)
		}
		grouping += time.Since(start)
		start = time.Now()
		for _, e := range entries {
			fingerprintOf(e.Chunk.Text)
		}
		analysing += time.Since(start)
	}
	b.ReportMetric(float64(grouping)/float64(analysing), "x-analysing")
}
