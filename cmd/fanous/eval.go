package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/eval"
)

func newEval(g *globals) *cobra.Command {
	var opt eval.Options
	var dataset string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "eval --dataset DIR",
		Short: "Measure each stage of the search on judged queries",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dataset == "" {
				return domain.Errorf(domain.CodeUsage, "give a BEIR folder: corpus.jsonl, queries.jsonl and qrels/test.tsv", "--dataset is missing")
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				line := newProgress(cmd.ErrOrStderr())
				opt.Progress = func(phase string, done, of int) { line.draw(fmt.Sprintf("%s: %d of %d", phase, done, of)) }
				report, err := b.Evaluate(cmd.Context(), dataset, opt)
				line.end()
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), report)
				}
				return printEval(cmd.OutOrStdout(), report)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&dataset, "dataset", "", "folder of the judged queries")
	f.StringSliceVar(&opt.Stages, "stages", nil, "stages to measure: bm25, semantic, hybrid, rerank (default: all of these that can run), rrf (of the two arms), rerank-rrf (of the order before and after)")
	f.IntVar(&opt.Candidates, "candidates", domain.DefaultCandidates, "passages taken from each arm and reranked")
	f.IntVar(&opt.ChunkTokens, "chunk-tokens", 0, "size that documents are cut to (default: that of indexing)")
	f.IntVar(&opt.Top, "top", 0, "results that a search would show (default: 5, or the candidates where those are fewer)")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printEval(w io.Writer, r eval.Report) error {
	fmt.Fprintf(w, "%s: %d queries, %d documents", r.Dataset, r.Queries, r.Documents)
	if r.Rerank != nil {
		fmt.Fprintf(w, "; reranked by %s, %.1f of %.1f passages a query", r.Reranker, r.Rerank.CandidatesOut, r.Rerank.CandidatesIn)
	}
	fmt.Fprintln(w)
	columns := []string{"mrr@10", "ndcg@10", "recall@1", "recall@5", "recall@10", "recall@20", "recall@50"}
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "stage\t")
	for _, c := range columns {
		fmt.Fprintf(tw, "%s\t", c)
	}
	fmt.Fprintln(tw, "p50 ms\tp95 ms\t")
	for _, s := range r.Stages {
		fmt.Fprintf(tw, "%s\t", s.Name)
		for _, c := range columns {
			fmt.Fprintf(tw, "%.3f\t", s.Metrics[c])
		}
		fmt.Fprintf(tw, "%.1f\t%.1f\t\n", s.Latency.P50, s.Latency.P95)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	tw = tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	for _, s := range r.Stages {
		for _, c := range s.Against {
			of := ""
			if c.Input {
				of = " (its input)"
			}
			fmt.Fprintf(tw, "%s against %s%s\tmrr@10 %+.3f\tp %s\tndcg@10 %+.3f\tp %s\t\n",
				s.Name, c.Stage, of, c.MRR.Delta, chance(c.MRR.P), c.NDCG.Delta, chance(c.NDCG.P))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	return nil
}

// chance writes a p, which is never 0.
func chance(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}
