package pipeline

import (
	"context"
	"log/slog"

	"fanous/backend/domain"
)

// CodeSwitchedOff is the step of a request that wanted reranking while the kill switch is on.
const CodeSwitchedOff = "switched_off"

// switchedOff says that the kill switch keeps a ranking from what it wanted. Wanting none is no degradation.
func (r *Ranking) switchedOff() {
	if r.Rerank.Requested == domain.RerankOff || len(r.Entries) == 0 {
		return
	}
	r.Rerank.Reason = "Reranking is switched off in the settings."
	r.Rerank.Steps = append(r.Rerank.Steps, domain.Step{Backend: domain.BackendNone, Code: CodeSwitchedOff, Reason: r.Rerank.Reason})
	r.Degraded = append(r.Degraded, "Not reranked. "+r.Rerank.Reason)
}

// logDegraded tells the log of a search that wanted reranking and got none, without a word of its query.
func (s *Searcher) logDegraded(ctx context.Context, r domain.RerankTrace) {
	if s.Log == nil || r.Backend != domain.BackendNone || len(r.Steps) == 0 {
		return
	}
	codes := make([]string, len(r.Steps))
	for i, step := range r.Steps {
		codes[i] = step.Code
	}
	s.Log.LogAttrs(ctx, slog.LevelWarn, "search not reranked",
		slog.String("requested", string(r.Requested)), slog.Any("steps", codes), slog.String("reason", r.Reason))
}

// threshold is the score of a backend under which nothing clearly matches; nil where none is known.
func (s *Searcher) threshold(b domain.Backend) *float64 {
	if t, set := s.Thresholds[b]; set {
		return &t
	}
	return s.Chain.Threshold(b)
}
