package eval

import (
	"fmt"
	"math"
	"slices"
)

// cutoffs are the k of the metrics that every report has.
var cutoffs = []int{1, 5, 10, 20, 50}

// metricDepth is the k of the metrics that stages are compared by.
const metricDepth = 10

// MetricName names a metric ("recall", "pass", "mrr", "ndcg") with its cut as reports do.
func MetricName(metric string, k int) string { return fmt.Sprintf("%s@%d", metric, k) }

// Metrics that stages are compared by.
var (
	MRR  = MetricName("mrr", metricDepth)
	NDCG = MetricName("ndcg", metricDepth)
)

// Judgement maps the documents of one query that somebody has judged to their grade; above 0 is relevant.
type Judgement map[string]int

// relevant counts the relevant documents.
func (j Judgement) relevant() int {
	n := 0
	for _, grade := range j {
		if grade > 0 {
			n++
		}
	}
	return n
}

// measure gives every metric of one query's list. They are those of trec_eval, which the tests hold.
func measure(ranked []string, judged Judgement) map[string]float64 {
	out := make(map[string]float64, 4*len(cutoffs))
	for _, k := range cutoffs {
		recall := recallAt(ranked, judged, k)
		out[MetricName("recall", k)] = recall
		out[MetricName("pass", k)] = math.Ceil(recall) // 1 where there is any
		out[MetricName("mrr", k)] = reciprocalRankAt(ranked, judged, k)
		out[MetricName("ndcg", k)] = ndcgAt(ranked, judged, k)
	}
	return out
}

// recallAt is the share of a query's relevant documents that stand in the first k of ranked.
func recallAt(ranked []string, judged Judgement, k int) float64 {
	all := judged.relevant()
	if all == 0 {
		return 0
	}
	found := 0
	for _, id := range ranked[:min(k, len(ranked))] {
		if judged[id] > 0 {
			found++
		}
	}
	return float64(found) / float64(all)
}

// reciprocalRankAt is 1/rank of the first relevant document in the first k, 0 where there is none.
func reciprocalRankAt(ranked []string, judged Judgement, k int) float64 {
	for i, id := range ranked[:min(k, len(ranked))] {
		if judged[id] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// ndcgAt is the normalised discounted cumulative gain of Järvelin and Kekäläinen (2002) with the
// linear gain and log2(rank+1) discount of trec_eval.
func ndcgAt(ranked []string, judged Judgement, k int) float64 {
	var grades []int
	for _, id := range ranked[:min(k, len(ranked))] {
		grades = append(grades, max(0, judged[id]))
	}
	var best []int
	for _, grade := range judged {
		best = append(best, max(0, grade))
	}
	slices.SortFunc(best, func(a, b int) int { return b - a })
	ideal := gain(best[:min(k, len(best))])
	if ideal == 0 {
		return 0
	}
	return gain(grades) / ideal
}

// gain is the discounted cumulative gain of the grades in their order.
func gain(grades []int) float64 {
	sum := 0.0
	for i, grade := range grades {
		sum += float64(grade) / math.Log2(float64(i+2))
	}
	return sum
}
