package pipeline

import (
	"fmt"

	"fanous/backend/domain"
	"fanous/backend/retrieve"
)

// filledIn is a request with all that it leaves open: what its collection's tuning says comes before the settings.
func (s *Searcher) filledIn(req domain.SearchRequest, c domain.Collection) domain.SearchRequest {
	if t := c.Settings.Tuning; t != nil {
		if req.Top == 0 && (req.Candidates == 0 || t.Choice.Top <= req.Candidates) {
			req.Top = t.Choice.Top
		}
		if req.Candidates == 0 {
			req.Candidates = max(t.Choice.Candidates, req.Top)
		}
	}
	if s.Defaults != nil {
		req = s.Defaults(req)
	}
	return req.WithDefaults()
}

// retriever is the one that a collection's tuning wants.
func (s *Searcher) retriever(c domain.Collection) *retrieve.Retriever {
	if c.Settings.Tuning == nil {
		return s.Retriever
	}
	tuned := *s.Retriever
	tuned.LexicalWeight = c.Settings.Tuning.Choice.LexicalWeight
	return &tuned
}

// harmful says whether a search goes without reranking because that was measured to do harm in its collection. Who asks for
// a reranker by name gets it.
func harmful(c domain.Collection, req domain.SearchRequest) bool {
	return c.Settings.Tuning != nil && !c.Settings.Tuning.Choice.Rerank && req.Rerank == domain.RerankAuto
}

// harmful says why a ranking is not reranked, and on what evidence.
func (r *Ranking) harmful(t domain.Tuning) {
	if len(r.Entries) == 0 {
		return
	}
	r.Rerank.Reason = fmt.Sprintf("Reranking is switched off for this collection: it did not help on %d judged queries.", t.Evidence.Queries)
	r.Rerank.Steps = append(r.Rerank.Steps, domain.Step{Backend: domain.BackendNone, Code: CodeSwitchedOff, Reason: r.Rerank.Reason})
	r.Degraded = append(r.Degraded, "Not reranked. "+r.Rerank.Reason)
}

// tuned takes over the threshold of the collection's tuning, where scores are the backend's own.
func (r *Ranking) tuned(c domain.Collection) {
	if c.Settings.Tuning == nil || r.Rerank.Calibration != nil && r.Rerank.Calibration.Applied {
		return
	}
	if t, set := c.Settings.Tuning.Thresholds[r.Rerank.Backend]; set {
		r.Threshold = &t
	}
}
