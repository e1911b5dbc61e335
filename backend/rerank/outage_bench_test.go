package rerank_test

import (
	"fmt"
	"testing"
	"time"

	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// BenchmarkOutage reranks a pool of 20 passages, seen before, while Cohere hangs, with the starter model.
// All metrics are shares of what that may cost in the same run:
//
//	first   the search that meets the hang, of the deadline and the local ranker's own time
//	next    the one after it, of the local ranker's own time
//	hedged  one whose hedge starts after a tenth of the deadline, of that tenth and the local ranker's own time
func BenchmarkOutage(b *testing.B) {
	const deadline = time.Second
	local := rerank.NewLateInteraction(tokenModel(openEmbedder(b)))
	s := coheretest.Start()
	b.Cleanup(s.Close)
	s.Behave(coheretest.Hang())
	req := rerank.Request{Query: "who lit the lantern of the harbour"}
	for i := range 20 {
		req.Passages = append(req.Passages, fmt.Sprintf("Crate %d: the lantern of the harbour was lit at dusk.", i))
	}
	ask := func(chain *rerank.Chain, mode domain.RerankMode) time.Duration {
		start := time.Now()
		_, trace, err := chain.Rerank(b.Context(), mode, mayLeave, req)
		if err != nil || trace.Backend != domain.BackendLateInteraction {
			b.Fatalf("%+v, %v", trace, err)
		}
		return time.Since(start)
	}
	chain := func(hedge time.Duration) *rerank.Chain {
		return rerank.NewChain(rerank.Given(openCohere(b, s)), local, "", rerank.ChainOptions{
			CohereDeadline: deadline, LocalBudget: never, Hedge: hedge, StateDir: b.TempDir(),
		})
	}
	ask(chain(0), domain.RerankLocal) // reads the pool
	var alone, first, next, hedged, runs time.Duration
	for b.Loop() {
		c := chain(0)
		alone += ask(c, domain.RerankLocal)
		first += ask(c, domain.RerankAuto)
		next += ask(c, domain.RerankAuto)
		hedged += ask(chain(deadline/10), domain.RerankAuto)
		runs++
	}
	b.ReportMetric(float64(first)/float64(runs*deadline+alone), "first")
	b.ReportMetric(float64(next)/float64(alone), "next")
	b.ReportMetric(float64(hedged)/float64(runs*deadline/10+alone), "hedged")
}
