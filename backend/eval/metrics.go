package eval

import "math"

// cutoffs are the k of recall@k that every report has.
var cutoffs = []int{1, 5, 10, 20, 50}

// metricDepth is the k of MRR@k and nDCG@k.
const metricDepth = 10

// Judgement maps the relevant documents of one query to their grade, which is above 0.
type Judgement map[string]int

// recallAt is the share of a query's relevant documents that stand in the first k of ranked.
func recallAt(ranked []string, relevant Judgement, k int) float64 {
	if len(relevant) == 0 {
		return 0
	}
	found := 0
	for _, id := range ranked[:min(k, len(ranked))] {
		if relevant[id] > 0 {
			found++
		}
	}
	return float64(found) / float64(len(relevant))
}

// reciprocalRankAt is 1/rank of the first relevant document in the first k, 0 where there is none.
func reciprocalRankAt(ranked []string, relevant Judgement, k int) float64 {
	for i, id := range ranked[:min(k, len(ranked))] {
		if relevant[id] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// ndcgAt is the normalised discounted cumulative gain of Järvelin and Kekäläinen (2002) with the
// linear gain and log2(rank+1) discount of trec_eval.
func ndcgAt(ranked []string, relevant Judgement, k int) float64 {
	gain := 0.0
	for i, id := range ranked[:min(k, len(ranked))] {
		gain += float64(relevant[id]) / math.Log2(float64(i+2))
	}
	ideal := idealGain(relevant, k)
	if ideal == 0 {
		return 0
	}
	return gain / ideal
}

func idealGain(relevant Judgement, k int) float64 {
	byGrade := map[int]int{}
	highest := 0
	for _, grade := range relevant {
		byGrade[grade]++
		highest = max(highest, grade)
	}
	ideal, rank := 0.0, 0
	for grade := highest; grade > 0; grade-- {
		for range byGrade[grade] {
			if rank == k {
				return ideal
			}
			ideal += float64(grade) / math.Log2(float64(rank+2))
			rank++
		}
	}
	return ideal
}

// quantile is the nearest-rank quantile of sorted values, q in (0,1].
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	i := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[max(0, min(i, len(sorted)-1))]
}
