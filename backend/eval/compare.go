package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
)

const (
	// permutations is how often the test of a difference shuffles it.
	permutations = 10_000
	// permutationSeed makes a report the same each time.
	permutationSeed = 20
)

// Comparison is how far a stage is above another on the same queries.
type Comparison struct {
	Stage string `json:"stage"` // the other
	Input bool   `json:"input"` // whether the other's order is what the stage works on
	MRR   Delta  `json:"mrr@10"`
	NDCG  Delta  `json:"ndcg@10"`
}

// Delta is a mean difference over the queries, above 0 where the stage is better, and how often chance alone
// would make one as large: the two-sided p of a paired permutation test.
type Delta struct {
	Delta float64 `json:"delta"`
	P     float64 `json:"p"`
}

// compare gives the mean of a - b, entry by entry, and its p. Under the null hypothesis the two stages could
// be exchanged in any query, so that each difference might as well have the other sign (Fisher's
// randomisation; Smucker, Allan and Carterette, 2007).
func compare(a, b []float64) Delta {
	differences := make([]float64, len(a))
	sum := 0.0
	for i := range a {
		differences[i] = a[i] - b[i]
		sum += differences[i]
	}
	differences = slices.DeleteFunc(differences, func(d float64) bool { return d == 0 })
	random := rand.New(rand.NewPCG(permutationSeed, 0))
	asLarge := 1 // the one that was seen
	var bits uint64
	for range permutations {
		shuffled := 0.0
		for at, d := range differences {
			if at%64 == 0 {
				bits = random.Uint64()
			}
			if bits>>(at%64)&1 == 0 {
				d = -d
			}
			shuffled += d
		}
		if math.Abs(shuffled) >= math.Abs(sum)-1e-12 {
			asLarge++
		}
	}
	return Delta{Delta: sum / float64(len(a)), P: float64(asLarge) / (permutations + 1)}
}

// tally adds up the queries of one stage.
type tally struct {
	metrics   map[string]float64
	mrr, ndcg []float64 // a query each, in the order of the queries
	latencies []float64
}

func newTally() *tally { return &tally{metrics: map[string]float64{}} }

func (t *tally) add(ranked []string, relevant Judgement, ms float64) {
	for _, k := range cutoffs {
		t.metrics[fmt.Sprintf("recall@%d", k)] += recallAt(ranked, relevant, k)
	}
	mrr, ndcg := reciprocalRankAt(ranked, relevant, metricDepth), ndcgAt(ranked, relevant, metricDepth)
	t.metrics[fmt.Sprintf("mrr@%d", metricDepth)] += mrr
	t.metrics[fmt.Sprintf("ndcg@%d", metricDepth)] += ndcg
	t.mrr, t.ndcg = append(t.mrr, mrr), append(t.ndcg, ndcg)
	t.latencies = append(t.latencies, ms)
}

// report sums the stage up beside the others.
func (t *tally) report(name string, all map[string]*tally) StageReport {
	r := StageReport{Name: name, Metrics: map[string]float64{}, Latency: latency(t.latencies), Against: []Comparison{}}
	for metric, sum := range t.metrics {
		r.Metrics[metric] = sum / float64(len(t.latencies))
	}
	others := inputs(name)
	if name != StageBM25 && !slices.Contains(others, StageBM25) {
		others = append(others, StageBM25)
	}
	for _, other := range others {
		if o := all[other]; o != nil {
			r.Against = append(r.Against, Comparison{
				Stage: other, Input: slices.Contains(inputs(name), other),
				MRR: compare(t.mrr, o.mrr), NDCG: compare(t.ndcg, o.ndcg),
			})
		}
	}
	return r
}

func latency(ms []float64) Latency {
	sorted := slices.Sorted(slices.Values(ms))
	return Latency{P50: quantile(sorted, 0.5), P95: quantile(sorted, 0.95)}
}

// rerankTally adds up what reranking did.
type rerankTally struct {
	info               rerank.Info
	in, out, unreached int
	latencies          []float64
}

func (t *rerankTally) add(r pipeline.Ranking) {
	t.in += r.Rerank.CandidatesIn
	t.out += r.Rerank.CandidatesOut
	t.latencies = append(t.latencies, r.Rerank.ElapsedMS)
	if r.Rerank.Backend == domain.BackendNone && len(r.Entries) > 0 {
		t.unreached++
	}
}

func (t *rerankTally) report(req domain.SearchRequest) *RerankReport {
	n := float64(len(t.latencies))
	return &RerankReport{
		Backend: t.info.Backend, Model: t.info.Model, Device: t.info.Device, Precision: t.info.Precision,
		Candidates: req.Candidates, Top: req.Top, CandidatesIn: float64(t.in) / n, CandidatesOut: float64(t.out) / n,
		NotReranked: t.unreached, LatencyMS: latency(t.latencies),
	}
}

// warnings are what a reader of the numbers should know.
func warnings(r Report) []string {
	list := []string{}
	if r.Rerank != nil {
		if r.Rerank.Candidates == r.Rerank.Top {
			list = append(list, fmt.Sprintf("candidates and top are both %d: reranking chooses nothing, it only reorders what is shown anyhow.", r.Rerank.Top))
		}
		if r.Rerank.NotReranked > 0 {
			list = append(list, fmt.Sprintf("%d of %d queries were not reranked; the numbers of rerank hold the order of the stage before for them.", r.Rerank.NotReranked, r.Queries))
		}
	}
	for _, s := range r.Stages {
		for _, c := range s.Against {
			name := s.Name
			if reranks(name) {
				name = "local " + name
			}
			if c.MRR.Delta < 0 || c.NDCG.Delta < 0 {
				list = append(list, fmt.Sprintf("%s is below %s here: MRR@10 %+.3f (p %.3f), nDCG@10 %+.3f (p %.3f).",
					name, c.Stage, c.MRR.Delta, c.MRR.P, c.NDCG.Delta, c.NDCG.P))
			}
		}
	}
	return list
}
