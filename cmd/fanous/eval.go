package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/eval/report"
)

func newEval(g *globals) *cobra.Command {
	var opt eval.Options
	var dataset, collection, file, language string
	var mmr float64
	var send, asJSON, matrix bool
	var sizes []int
	cmd := &cobra.Command{
		Use:   "eval {--dataset DIR | --collection NAME}",
		Short: "Measure each stage of the search on judged queries",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (dataset == "") == (collection == "") {
				return domain.Errorf(domain.CodeUsage, "give a BEIR folder (corpus.jsonl, queries.jsonl and qrels/test.tsv) or the name of a collection with judged queries",
					"one of --dataset and --collection is needed")
			}
			if (matrix || len(sizes) > 0) && dataset == "" {
				return domain.Errorf(domain.CodeUsage, "give a dataset, or see `fanous tune` for a collection", "a matrix is of a dataset")
			}
			if cmd.Flags().Changed("mmr") {
				opt.MMR = &mmr
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				line := newProgress(cmd.ErrOrStderr())
				opt.Progress = func(phase string, done, of int) { line.draw(fmt.Sprintf("%s: %d of %d", phase, done, of)) }
				if matrix || len(sizes) > 0 {
					m, err := b.Matrix(cmd.Context(), dataset, sizes, opt)
					line.end()
					if err == nil && asJSON {
						return printJSON(cmd.OutOrStdout(), m)
					} else if err == nil {
						return printMatrix(cmd.OutOrStdout(), m)
					}
					return err
				}
				result, err := evaluate(cmd.Context(), b, dataset, collection, send, opt)
				line.end()
				if err != nil {
					return err
				}
				if file != "" {
					if err := backend.WriteReport(file, result.Report, report.Options{Language: language, At: time.Now(), Version: backend.Version}); err != nil {
						return err
					}
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), result.Report)
				}
				return printEval(cmd.OutOrStdout(), result.Report)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&dataset, "dataset", "", "folder of judged queries, with a corpus or a folder docs of files")
	f.StringVar(&collection, "collection", "", "collection in which results were judged (see fanous judgements)")
	f.StringSliceVar(&opt.Stages, "stages", nil, "stages to measure, of "+strings.Join(eval.AllStages(), ", ")+" (default: "+strings.Join(eval.Stages(), ", ")+", as far as they can run)")
	f.IntVar(&opt.Candidates, "candidates", domain.DefaultCandidates, "passages taken from each arm and reranked")
	f.IntVar(&opt.ChunkTokens, "chunk-tokens", 0, "size that documents are cut to (default: that of indexing)")
	f.IntVar(&opt.Top, "top", 0, "results that a search would show (default: 5, or the candidates where those are fewer)")
	f.Float64Var(&mmr, "mmr", 0, "measure each stage that a search can show with maximal marginal relevance too, with this lambda (0 to 1)")
	f.BoolVar(&send, "send", false, "passages may be sent to Cohere, for the stage cohere")
	f.StringVar(&file, "report", "", "also write the report as an HTML file")
	f.Var(newEnum(&language, "en", "fa"), "report-language", "language of the HTML file")
	f.BoolVar(&matrix, "matrix", false, "of a dataset: every lexical weight, number of candidates and use of reranking, from one pool a query, and a recommendation")
	f.IntSliceVar(&sizes, "chunk-sizes", nil, "the matrix for these sizes of chunks too; each costs another index and every query again")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func evaluate(ctx context.Context, b *backend.Backend, dataset, collection string, send bool, o eval.Options) (eval.Result, error) {
	if collection != "" {
		return b.EvaluateJudged(ctx, collection, send, o)
	}
	return b.Evaluate(ctx, dataset, send, o)
}

func printEval(w io.Writer, r eval.Report) error {
	fmt.Fprintf(w, "%s: %d queries, %d documents, %d candidates\n", r.Dataset, r.Queries, r.Documents, r.Candidates)
	if err := printStages(w, r); err != nil {
		return err
	}
	if err := printComparisons(w, r); err != nil {
		return err
	}
	for _, s := range r.Stages {
		if s.Rerank != nil {
			fmt.Fprintf(w, "%s: %s %s, %.1f of %.1f passages a query, p50 %.1f ms, p95 %.1f ms\n", s.Name, s.Rerank.Backend, s.Rerank.Model,
				s.Rerank.CandidatesOut, s.Rerank.CandidatesIn, s.Rerank.LatencyMS.P50, s.Rerank.LatencyMS.P95)
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "%s was not measured: %s\n", s.Stage, s.Reason)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	return nil
}

func printStages(w io.Writer, r eval.Report) error {
	columns := []string{"mrr@10", "ndcg@10", "recall@1", "recall@5", "recall@10", "recall@20", "recall@50", "pass@5"}
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "stage\t%s\tp50 ms\tp95 ms\t\n", strings.Join(columns, "\t"))
	for _, s := range r.Stages {
		fmt.Fprintf(tw, "%s\t", s.Name)
		for _, c := range columns {
			fmt.Fprintf(tw, "%.3f\t", s.Metrics[c])
		}
		fmt.Fprintf(tw, "%.1f\t%.1f\t\n", s.Latency.P50, s.Latency.P95)
	}
	return tw.Flush()
}

func printComparisons(w io.Writer, r eval.Report) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	for _, s := range r.Stages {
		for _, c := range s.Against {
			of := ""
			if c.Input {
				of = " (its input)"
			}
			fmt.Fprintf(tw, "%s against %s%s\tmrr@10 %s\tndcg@10 %s\t\n", s.Name, c.Stage, of, difference(c.MRR), difference(c.NDCG))
		}
	}
	return tw.Flush()
}

// difference writes a difference with its interval and what chance has to say.
func difference(d eval.Delta) string {
	p := "p <0.001" // it is never 0
	if d.P >= 0.001 {
		p = fmt.Sprintf("p %.3f", d.P)
	}
	significant := ""
	if d.Significant {
		significant = " significant"
	}
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f] %s%s", d.Delta, d.Low, d.High, p, significant)
}
