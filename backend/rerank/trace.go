package rerank

import (
	"fmt"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/failover"
)

// explain writes into a trace who has served, and why others did not.
func explain(trace *domain.RerankTrace, rankers []ranker, report failover.Report, result Result) {
	served := rankers[report.Served].info
	if t := result.Tiers; t != nil {
		served = t.Served
		trace.Stage1N, trace.Stage2N, trace.EarlyExit = t.First, t.Second, t.EarlyExit
	}
	trace.Backend, trace.Model, trace.Device, trace.Precision = served.Backend, served.Model, served.Device, served.Precision
	trace.Scale, trace.Hedged, trace.CandidatesOut = served.Scale(), report.Hedged, count(result.Scored)

	var reasons []string
	missed := func(by *domain.Backend, reason string) {
		if trace.FellBackFrom == nil {
			trace.FellBackFrom = by
		}
		reasons = append(reasons, reason)
	}
	for _, p := range report.Passed {
		r := rankers[p.Index]
		trace.Steps = append(trace.Steps, domain.Step{Backend: r.info.Backend, Code: p.Code, Reason: p.Reason, Failed: p.Tried})
		if r.wanted && p.Index < report.Served {
			missed(&r.info.Backend, p.Reason)
		}
	}
	if t := result.Tiers; t != nil && t.Failed != nil { // one local ranker had to take another's place
		step := domain.Step{Backend: t.Missed.Backend, Code: failover.CodeFailed, Failed: true,
			Reason: fmt.Sprintf("The reranker %s cannot be used (%v).", t.Missed.Model, t.Failed)}
		trace.Steps = append(trace.Steps, step)
		missed(&t.Missed.Backend, step.Reason)
	}
	trace.Reason = strings.Join(reasons, " ")
}
