package eval

import (
	"context"

	"fanous/backend/domain"
)

// Matrix is what other choices would have given on a dataset: every weight, depth and use of reranking, at each size of
// chunks, with the metrics at each number of results.
type Matrix struct {
	Dataset     string                    `json:"dataset"`
	Queries     int                       `json:"queries"`
	Cells       []Cell                    `json:"cells"`
	Now         Cell                      `json:"now"`
	Highest     Cell                      `json:"highest"`     // of what was tried; the best of many is partly luck
	Recommended Cell                      `json:"recommended"` // Now, unless something is better by more than chance
	Suggestions map[int]domain.Suggestion `json:"suggestions"` // by size of chunks, with the cross-validated gain
}

// Cell is one combination.
type Cell struct {
	ChunkTokens int                 `json:"chunk_tokens"` // 0: the size of indexing
	Choice      domain.SearchChoice `json:"choice"`
	Metrics     map[string]float64  `json:"metrics"`
}

// RunMatrix measures every combination. Of each size of chunks it makes an index and one pool a query; the rest is worked
// out from those. sizes are the sizes to try; each costs as much as indexing the dataset and asking every query anew.
func RunMatrix(ctx context.Context, set Dataset, now domain.SearchChoice, sizes []int, o Options) (Matrix, error) {
	m := Matrix{Dataset: set.Name, Queries: len(set.Queries), Suggestions: map[int]domain.Suggestion{}}
	o.Stages, o.Candidates, o.Wide = []string{StageBM25, StageSemantic, StageHybrid, StageRerank}, TuningDepth, true
	if len(sizes) == 0 {
		sizes = []int{0}
	}
	var today []float64 // nDCG@10 of each query with what is set now
	for _, size := range sizes {
		o.ChunkTokens = size
		result, err := Run(ctx, set, o)
		if err != nil {
			return Matrix{}, err
		}
		s := Tune(now, result.Queries, result.Pools)
		m.Suggestions[size] = s
		reranked, _ := separable(result.Pools)
		for _, c := range grid(now, reranked) {
			cell, ndcg := cellOf(size, c, result)
			m.Cells = append(m.Cells, cell)
			if today == nil {
				today, m.Now, m.Highest, m.Recommended = ndcg, cell, cell, cell
			}
			if cell.Metrics[NDCG] > m.Highest.Metrics[NDCG] {
				m.Highest = cell
			}
			best := s.Best
			best.Top = c.Top
			beyond := compare(ndcg, today)
			// The size of today is chosen among by cross-validation; another size only against today.
			if c == best && beyond.Significant && (s.Significant || size != sizes[0]) && cell.Metrics[NDCG] > m.Recommended.Metrics[NDCG] {
				m.Recommended = cell
				m.Recommended.Choice.Top = s.Best.Top
			}
		}
	}
	return m, nil
}

// cellOf measures one combination, and gives nDCG@10 of each query.
func cellOf(size int, c domain.SearchChoice, r Result) (Cell, []float64) {
	cell := Cell{ChunkTokens: size, Choice: c, Metrics: map[string]float64{}}
	var ndcg []float64
	for q, query := range r.Queries {
		metrics := measure(r.Pools[q].documents(r.Pools[q].simulate(c)), query.Relevant)
		ndcg = append(ndcg, metrics[NDCG])
		for name, v := range metrics {
			cell.Metrics[name] += v / float64(len(r.Queries))
		}
	}
	return cell, ndcg
}
