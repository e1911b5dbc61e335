package eval

import (
	"fmt"
	"slices"

	"fanous/backend/domain"
)

// Report is what an evaluation measured. Two of the same installation differ in their latencies alone.
type Report struct {
	Dataset    string        `json:"dataset"`
	Queries    int           `json:"queries"`
	Documents  int           `json:"documents"`
	Candidates int           `json:"candidates"` // taken from each arm, and the depth: how many at most are reranked
	Top        int           `json:"top"`
	MMR        *float64      `json:"mmr,omitempty"`
	Stages     []StageReport `json:"stages"`
	Skipped    []Skipped     `json:"skipped"`  // stages that did not run, of which there is no number
	Warnings   []string      `json:"warnings"` // plain sentences
}

// Skipped is a stage that was not measured.
type Skipped struct {
	Stage  string `json:"stage"`
	Reason string `json:"reason"` // one plain sentence
}

// StageReport is the quality of one stage's lists and what a query cost up to and including it.
type StageReport struct {
	Name      string              `json:"name"`
	Metrics   map[string]float64  `json:"metrics"` // means over the queries
	Intervals map[string]Interval `json:"intervals"`
	Latency   Latency             `json:"latency_ms"`
	// Against compares the stage with its own input and with BM25, where those were measured.
	Against []Comparison  `json:"against"`
	Rerank  *RerankReport `json:"rerank,omitempty"` // nil: the stage is not reranked
}

// RerankReport says what reranked. It is there with all its fields or not at all.
type RerankReport struct {
	Backend       domain.Backend `json:"backend"`
	Model         string         `json:"model"`
	Device        string         `json:"device"`
	Precision     string         `json:"precision"`
	CandidatesIn  float64        `json:"candidates_in"`  // mean over the queries
	CandidatesOut float64        `json:"candidates_out"` // the same, of those scored
	NotReranked   int            `json:"not_reranked"`   // queries that kept the order of the stage before
	LatencyMS     Latency        `json:"latency_ms"`     // of reranking alone
	// Moved is how far passages went that were scored, Relevant the same of those of relevant documents.
	Moved    domain.Movement `json:"moved"`
	Relevant domain.Movement `json:"relevant_moved"`
}

// Latency is in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Comparison is how far a stage is above another on the same queries.
type Comparison struct {
	Stage string `json:"stage"` // the other
	Input bool   `json:"input"` // whether the other's order is what the stage works on
	MRR   Delta  `json:"mrr@10"`
	NDCG  Delta  `json:"ndcg@10"`
}

// series are the figures of one stage: of each metric one a query, in the order of the queries.
type series struct {
	metrics map[string][]float64
	ms      []float64
}

func seriesOf(stage string, depth int, queries []Query, pools []Pool) series {
	s := series{metrics: map[string][]float64{}}
	for i, q := range queries {
		for name, v := range measure(pools[i].documents(pools[i].order(stage, depth)), q.Relevant) {
			s.metrics[name] = append(s.metrics[name], v)
		}
		s.ms = append(s.ms, pools[i].latency(stage))
	}
	return s
}

// summarise works the report out. There is one pool a query, in their order.
func summarise(set Dataset, req domain.SearchRequest, stages []string, skipped []Skipped, pools []Pool) Report {
	r := Report{
		Dataset: set.Name, Queries: len(set.Queries), Documents: set.Size(), Candidates: req.Candidates, Top: req.Top, MMR: req.MMR,
		Skipped: append([]Skipped{}, skipped...),
	}
	var measured []string
	for _, name := range stages {
		if reason := neverRan(name, pools); reason != "" {
			r.Skipped = append(r.Skipped, Skipped{name, reason})
			continue
		}
		measured = append(measured, name)
	}
	all := map[string]series{}
	for _, name := range measured {
		all[name] = seriesOf(name, req.Candidates, set.Queries, pools)
	}
	for _, name := range measured {
		r.Stages = append(r.Stages, stageReport(name, measured, all, set.Queries, pools))
	}
	r.Warnings = warnings(r)
	return r
}

// neverRan is why there is no number of a stage; empty: there is one.
func neverRan(stage string, pools []Pool) string {
	ranker := rankerOf(stage)
	if ranker == "" {
		return ""
	}
	reason := "Nothing was found that could be reranked."
	for _, p := range pools {
		switch ranked := p.Ranked[ranker]; {
		case ranked.Backend != domain.BackendNone:
			return ""
		case ranked.Reason != "":
			reason = ranked.Reason
		}
	}
	return reason
}

func stageReport(name string, measured []string, all map[string]series, queries []Query, pools []Pool) StageReport {
	own := all[name]
	r := StageReport{
		Name: name, Metrics: map[string]float64{}, Intervals: map[string]Interval{}, Latency: latencyOf(own.ms), Against: []Comparison{},
	}
	for metric, values := range own.metrics {
		r.Metrics[metric], r.Intervals[metric] = mean(values), bootstrap(values)
	}
	for _, other := range compared(name, measured) {
		theirs := all[other]
		r.Against = append(r.Against, Comparison{
			Stage: other, Input: slices.Contains(inputs(name, measured), other),
			MRR: compare(own.metrics[MRR], theirs.metrics[MRR]), NDCG: compare(own.metrics[NDCG], theirs.metrics[NDCG]),
		})
	}
	if ranker := rankerOf(name); ranker != "" {
		r.Rerank = rerankReport(ranker, queries, pools)
	}
	return r
}

func rerankReport(ranker string, queries []Query, pools []Pool) *RerankReport {
	r := &RerankReport{}
	in, out := 0, 0
	var ms []float64
	moved, relevant := map[int]int{}, map[int]int{}
	for i, p := range pools {
		ranked := p.Ranked[ranker]
		in, out, ms = in+ranked.In, out+ranked.Out, append(ms, ranked.MS)
		if ranked.Backend == domain.BackendNone && len(p.Passages) > 0 {
			r.NotReranked++
		} else if len(p.Passages) > 0 {
			r.Backend, r.Model, r.Device, r.Precision = ranked.Backend, ranked.Model, ranked.Device, ranked.Precision
		}
		for rank, at := range ranked.Order {
			if ranked.Scores[at] == nil {
				continue
			}
			moved[at-rank]++
			if queries[i].Relevant[p.Passages[at].Document] > 0 {
				relevant[at-rank]++
			}
		}
	}
	n := float64(len(pools))
	r.CandidatesIn, r.CandidatesOut, r.LatencyMS = float64(in)/n, float64(out)/n, latencyOf(ms)
	r.Moved, r.Relevant = domain.MovementOf(len(pools), moved), domain.MovementOf(len(pools), relevant)
	return r
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

func latencyOf(ms []float64) Latency {
	sorted := slices.Sorted(slices.Values(ms))
	return Latency{P50: domain.Quantile(sorted, 0.5), P95: domain.Quantile(sorted, 0.95)}
}

// warnings are what a reader of the numbers should know.
func warnings(r Report) []string {
	list := []string{}
	reranked := slices.ContainsFunc(r.Stages, func(s StageReport) bool { return s.Rerank != nil })
	if reranked && r.Candidates == r.Top {
		list = append(list, fmt.Sprintf("candidates and top are both %d: reranking chooses nothing, it only reorders what is shown anyhow.", r.Top))
	}
	for _, s := range r.Stages {
		if s.Rerank != nil && s.Rerank.NotReranked > 0 {
			list = append(list, fmt.Sprintf("%d of %d queries were not reranked; the numbers of %s hold the order of the stage before for them.",
				s.Rerank.NotReranked, r.Queries, s.Name))
		}
		for _, c := range s.Against {
			if c.MRR.Delta < 0 || c.NDCG.Delta < 0 {
				list = append(list, fmt.Sprintf("%s is below %s here: MRR@10 %s, nDCG@10 %s.", s.Name, c.Stage, c.MRR.describe(), c.NDCG.describe()))
			}
		}
	}
	return list
}

// describe says a difference in words that claim no more than it shows.
func (d Delta) describe() string {
	chance := "within chance"
	if d.Significant {
		chance = "significant"
	}
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f] (%s)", d.Delta, d.Low, d.High, chance)
}
