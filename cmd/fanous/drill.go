package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newDrill(g *globals) *cobra.Command {
	var req domain.DrillRequest
	var language reportLanguage
	var asJSON, last bool
	var report string
	cmd := &cobra.Command{
		Use:   "drill",
		Short: "Find out what would become of searching if the network went now",
		Long: "Find out what would become of searching if the network went now.\n\n" +
			"It reads every file of every model, tests the models on their devices, checks memory, disk and index, shuts every\n" +
			"way out and replays searches of the history, or judged queries, on each local ranker. Where the history has\n" +
			"Cohere's answers, it says how much of them would be lost. It sends nothing and changes no index; the report is\n" +
			"kept without text.\n\n" +
			"Exit codes: 0 ready; 1 something is missing or failed, which the verdict names; 5 the index is damaged.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			req.Language = string(language)
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				r, err := drillOrLast(cmd, b, req, last)
				if err != nil {
					return err
				}
				if report != "" {
					if err := b.WriteDrill(r, report, req.Language); err != nil {
						return err
					}
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), r)
				} else {
					err = printDrill(newPrinter(cmd.OutOrStdout()), r)
				}
				if err != nil {
					return err
				}
				return drillEnd(r)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.Collection, "collection", "", "replay searches of this collection only; with --judged: the one to ask (default: default)")
	f.IntVar(&req.Queries, "queries", domain.DefaultDrillQueries, "searches replayed on each ranker, at most")
	f.StringVar(&req.Judged, "judged", "", "replay the judged queries of this `DIR` instead: queries.jsonl and qrels/test.tsv, a document being a file's name")
	f.Var(newEnum(&language, "en", "fa"), "language", "language of the verdict and the report")
	f.StringVar(&report, "report", "", "write the report as a page into this new `FILE`")
	f.BoolVar(&last, "last", false, "show the last drill instead of making one")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

type reportLanguage string

func drillOrLast(cmd *cobra.Command, b *backend.Backend, req domain.DrillRequest, last bool) (domain.DrillReport, error) {
	if !last {
		line := newProgress(cmd.ErrOrStderr())
		defer line.end()
		return b.Drill(cmd.Context(), req, func(p domain.DrillProgress) {
			if p.Of > 0 {
				line.draw(fmt.Sprintf("%s, %s: %d of %d", p.Step, p.Tier, p.Done, p.Of))
				return
			}
			line.draw(p.Step)
		})
	}
	r, err := b.LastDrill(cmd.Context(), req.Language)
	if err != nil {
		return domain.DrillReport{}, err
	}
	if r == nil {
		return domain.DrillReport{}, domain.Errorf(domain.CodeNotFound, "make one: fanous drill", "there was no drill yet")
	}
	return *r, nil
}

// drillEnd is the error that says by its exit code how the drill went.
func drillEnd(r domain.DrillReport) error {
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			if c.Name == domain.DrillCheckIndex && f.Code == domain.CodeDamaged {
				return domain.Errorf(domain.CodeDamaged, f.Hint, "the index is damaged")
			}
		}
	}
	if r.State != domain.DrillReady {
		return errDegraded
	}
	return nil
}

func printDrill(p *printer, r domain.DrillReport) error {
	fmt.Fprintf(p.w, "drill of %s\n\n", r.At.Local().Format("2006-01-02 15:04"))
	for _, c := range r.Checks {
		printDrillCheck(p.w, c)
	}
	if err := printDrillTiers(p.w, r); err != nil {
		return err
	}
	if len(r.Suffer) > 0 {
		fmt.Fprintln(p.w, "\nsearches that suffer, worst first")
	}
	for _, q := range r.Suffer {
		kept := ""
		if q.Kept != nil {
			kept = fmt.Sprintf(", %.0f%% of Cohere's list is kept", 100**q.Kept)
		}
		if q.Judged {
			kept += ", the right document is " + rightText(q.RightNow)
		}
		text := q.Text
		if text == "" {
			text = "query " + q.ID
		}
		fmt.Fprintf(p.w, "  %s (%s)%s\n", p.name(text), q.Collection, kept)
	}
	fmt.Fprintf(p.w, "\n%s\n", p.isolate(r.Verdict))
	return nil
}

func rightText(rank *int) string {
	if rank == nil {
		return "not among the first ten"
	}
	return fmt.Sprintf("number %d", *rank)
}

func printDrillCheck(w io.Writer, c domain.DrillCheck) {
	switch {
	case c.Skipped != "":
		fmt.Fprintf(w, "%-8s not made: %s\n", c.Name, c.Skipped)
	case len(c.Findings) == 0:
		fmt.Fprintf(w, "%-8s in order (%.0f ms)\n", c.Name, c.MS)
	}
	for _, f := range c.Findings {
		fmt.Fprintf(w, "%-8s %s: %s%s\n", c.Name, f.Weight, f.Reason, hintText(f.Hint))
	}
}

func printDrillTiers(w io.Writer, r domain.DrillReport) error {
	if len(r.Tiers) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%d queries (%s), with every way out shut\n", r.Queries, r.Source)
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "  ranked by\tmodel\tanswered\tlower step\tloaded ms\tp50 ms\tp95 ms\tmrr@10\tof Cohere's list\tsame first")
	if o := r.Online; o != nil {
		fmt.Fprintf(tw, "  Cohere, then\t%s\t%d\t\t\t%.0f\t%.0f\t%s\t\t\n", o.Model, o.Queries, o.P50, o.P95, judgedText(o.Judged))
	}
	for _, t := range r.Tiers {
		if t.Skipped != "" {
			fmt.Fprintf(tw, "  %s\t%s\tnot measured: %s\n", t.Tier, dash(t.Model), t.Skipped)
			continue
		}
		kept, same := "–", "–"
		if a := t.Agreement; a != nil {
			kept, same = fmt.Sprintf("%.0f%%", 100*a.Kept), fmt.Sprintf("%d of %d", a.SameFirst, a.Queries)
		}
		fmt.Fprintf(tw, "  %s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", t.Tier, dash(t.Model), t.Queries, t.Lower,
			measured(t.LoadMS), measured(t.P50), measured(t.P95), judgedText(t.Judged), kept, same)
	}
	return tw.Flush()
}

func measured(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f", *v)
}

func judgedText(j *domain.DrillJudged) string {
	if j == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", j.MRR)
}
