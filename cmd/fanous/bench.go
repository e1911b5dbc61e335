package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newBench(g *globals) *cobra.Command {
	var asJSON, quick bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine: reranking, embedding, retrieval, indexing; searches then take their defaults from it",
		Long: "Measure this machine: reranking, embedding, retrieval, indexing; searches then take their defaults from it.\n\n" +
			"It connects to nothing and touches no index. Where a reranker is not installed, one of its shape with made-up\n" +
			"weights is measured, which takes the same time. It takes some minutes and some GB for temporary files; with\n" +
			"--quick under a minute. What it finds is kept as machine.json in the data folder; settings of your own win.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := backend.LoadConfig(g.config, g.dataDir)
			if err != nil {
				return err
			}
			report, err := backend.Bench(cmd.Context(), cfg, quick, benchProgress(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), report)
			}
			printBench(cmd.OutOrStdout(), report)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&quick, "quick", false, "under a minute, with less certainty and without the largest sizes")
	return cmd
}

// benchProgress writes a line for each step, and of a step that counts one a second.
func benchProgress(w io.Writer) func(domain.BenchProgress) {
	var step string
	var told time.Time
	return func(p domain.BenchProgress) {
		if p.Step == step && time.Since(told) < time.Second {
			return
		}
		step, told = p.Step, time.Now()
		if p.Of > 0 {
			fmt.Fprintf(w, "%s: %d of %d\n", p.Step, p.Done, p.Of)
			return
		}
		fmt.Fprintln(w, p.Step)
	}
}

func printBench(w io.Writer, r domain.BenchReport) {
	fmt.Fprintf(w, "%s, %d cores", r.Machine.Processor, r.Machine.Cores)
	if r.Machine.Library != "" {
		fmt.Fprintf(w, ", ONNX Runtime %s", r.Machine.Library)
	}
	fmt.Fprintln(w)
	if r.PeakGOPS > 0 {
		fmt.Fprintf(w, "peak      %.0f billion operations a second, in a product of bytes\n", r.PeakGOPS)
	}
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	if len(r.Rerankers) > 0 {
		fmt.Fprintln(table, "\nreranking\tprecision\ttokens\tthreads\tpairs/s\tof peak")
	}
	for _, b := range r.Rerankers {
		tokens, share := "as in a search", ""
		if b.Tokens > 0 {
			tokens = fmt.Sprint(b.Tokens)
		}
		if b.PeakShare != nil {
			share = fmt.Sprintf("%.0f%%", 100**b.PeakShare)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%.1f\t%s\n", tierText(b.Tier, b.MadeUp), b.Precision, tokens, b.Threads, b.Pairs, share)
	}
	if len(r.Naive) > 0 {
		fmt.Fprintln(table, "\nthe usual setup (fp32, one padded batch)\tpairs\tseconds\tours\ttimes as fast")
	}
	for _, b := range r.Naive {
		fmt.Fprintf(table, "%s\t%d\t%.2f\t%.2f\t%.1f\n", tierText(b.Tier, b.MadeUp), b.Pairs, b.Naive, b.Ours, b.Times)
	}
	if len(r.Embedding) > 0 {
		fmt.Fprintln(table, "\nembedding\ttokens\ttexts/s")
	}
	for _, b := range r.Embedding {
		fmt.Fprintf(table, "%s\t%d\t%.1f\n", b.Model, b.Tokens, b.Texts)
	}
	if len(r.Retrieval) > 0 {
		fmt.Fprintln(table, "\nretrieval, chunks\tmedian ms\t95% within ms\tfilled in s")
	}
	for _, b := range r.Retrieval {
		fmt.Fprintf(table, "%d\t%.1f\t%.1f\t%.1f\n", b.Chunks, b.P50, b.P95, b.Fill)
	}
	table.Flush()
	if i := r.Indexing; i != nil {
		what := "with vectors"
		if !i.Vectors {
			what = "without vectors"
		}
		fmt.Fprintf(w, "\nindexing  %d files, %d chunks in %.1f s: %.0f chunks/s, %s\n", i.Files, i.Chunks, i.Seconds, i.Rate, what)
	}
	for _, s := range r.Skipped {
		fmt.Fprintln(w, s)
	}
	printRecommendation(w, r.Recommended)
}

func tierText(tier string, madeUp bool) string {
	if madeUp {
		return tier + " (made-up weights)"
	}
	return tier
}

func printRecommendation(w io.Writer, r domain.Recommendation) {
	fmt.Fprintln(w)
	if r.Tier != "" {
		fmt.Fprintf(w, "recommended: tier %s, %d candidates, budget %s; searches use these unless you set others\n", r.Tier, r.Candidates, r.Budget)
	}
	fmt.Fprintln(w, r.Reason)
}
