package pipeline

import (
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
)

// TestSettling waits for what is left of the time only, says so, and never where nothing is reranked.
func TestSettling(t *testing.T) {
	const settle = 150 * time.Millisecond
	for _, c := range []struct {
		name    string
		rerank  domain.RerankMode
		passed  time.Duration // when the fused order is there
		waits   time.Duration
		entries int
	}{
		{"early", domain.RerankAuto, 40 * time.Millisecond, 110 * time.Millisecond, 1},
		{"late", domain.RerankAuto, 200 * time.Millisecond, 0, 1},
		{"not reranked", domain.RerankOff, 0, 0, 1},
		{"nothing found", domain.RerankAuto, 0, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := Ranking{Entries: make([]Entry, c.entries)}
			start := time.Now()
			time.Sleep(c.passed)
			fused := time.Now()
			if err := r.settle(t.Context(), start, domain.SearchRequest{Rerank: c.rerank, SettleMS: int(settle.Milliseconds())}); err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(fused); waited != c.waits || (len(r.Stages) == 1) != (c.waits > 0) {
				t.Errorf("%s: waited %v, said as %+v", c.name, waited, r.Stages)
			}
		})
	}
}
