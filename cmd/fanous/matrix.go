package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"fanous/backend/domain"
	"fanous/backend/eval"
)

// printMatrix prints nDCG@10 by weight and depth, a table for each size of chunks, with and without reranking.
func printMatrix(w io.Writer, m eval.Matrix) error {
	fmt.Fprintf(w, "%s: %d queries, nDCG@10 by lexical weight (down) and candidates (across)\n", m.Dataset, m.Queries)
	type table struct {
		size   int
		rerank bool
	}
	var tables []table
	values := map[table]map[domain.SearchChoice]float64{}
	for _, c := range m.Cells {
		at := table{c.ChunkTokens, c.Choice.Rerank}
		if values[at] == nil {
			tables, values[at] = append(tables, at), map[domain.SearchChoice]float64{}
		}
		values[at][domain.SearchChoice{LexicalWeight: c.Choice.LexicalWeight, Candidates: c.Choice.Candidates}] = c.Metrics[eval.NDCG]
	}
	for _, t := range tables {
		fmt.Fprintf(w, "\n%s, %s\n", chunkSize(t.size), rerankedOr(t.rerank))
		if err := printGrid(w, values[t]); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	for _, c := range []struct {
		name string
		cell eval.Cell
	}{{"now", m.Now}, {"highest", m.Highest}, {"recommended", m.Recommended}} {
		fmt.Fprintf(w, "%s: %s, lexical weight %.1f, %d candidates, %d results, %s; nDCG@10 %.3f, recall@5 %.3f, pass@5 %.3f\n", c.name, chunkSize(c.cell.ChunkTokens),
			c.cell.Choice.LexicalWeight, c.cell.Choice.Candidates, c.cell.Choice.Top, rerankedOr(c.cell.Choice.Rerank),
			c.cell.Metrics[eval.NDCG], c.cell.Metrics["recall@5"], c.cell.Metrics["pass@5"])
	}
	if m.Recommended.ChunkTokens == m.Now.ChunkTokens && m.Recommended.Choice == m.Now.Choice {
		fmt.Fprintln(w, "Keep what is set: nothing that was tried is better by more than chance.")
	}
	if s, tried := m.Suggestions[m.Recommended.ChunkTokens]; tried {
		chance := "which may be chance"
		if s.Significant {
			chance = "which is more than chance"
		}
		fmt.Fprintf(w, "gain at that size, on queries that were not chosen by: %+.3f [%+.3f, %+.3f], %s\n", s.Gain.Gain, s.Gain.Low, s.Gain.High, chance)
		if s.FixedRerank != "" {
			fmt.Fprintln(w, s.FixedRerank)
		}
	}
	return nil
}

func printGrid(w io.Writer, values map[domain.SearchChoice]float64) error {
	var weights []float64
	var depths []int
	for c := range values {
		if !slices.Contains(weights, c.LexicalWeight) {
			weights = append(weights, c.LexicalWeight)
		}
		if !slices.Contains(depths, c.Candidates) {
			depths = append(depths, c.Candidates)
		}
	}
	slices.Sort(weights)
	slices.Sort(depths)
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "\t")
	for _, n := range depths {
		fmt.Fprintf(tw, "%d\t", n)
	}
	fmt.Fprintln(tw)
	for _, weight := range weights {
		fmt.Fprintf(tw, "%.1f\t", weight)
		for _, n := range depths {
			if v, tried := values[domain.SearchChoice{LexicalWeight: weight, Candidates: n}]; tried {
				fmt.Fprintf(tw, "%.3f\t", v)
			} else {
				fmt.Fprint(tw, "\t")
			}
		}
		fmt.Fprintln(tw)
	}
	return tw.Flush()
}

func chunkSize(tokens int) string {
	if tokens == 0 {
		return "chunks as in indexing"
	}
	return fmt.Sprintf("chunks of %d tokens", tokens)
}

func rerankedOr(yes bool) string {
	if yes {
		return "reranked"
	}
	return "not reranked"
}
