package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newHistory(g *globals) *cobra.Command {
	var asJSON, forget, movement bool
	var limit int
	var words string
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List what was searched and how it went",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return domain.Errorf(domain.CodeUsage, "give a number, or 0 for all", "--limit is %d", limit)
			}
			if forget && movement {
				return domain.Errorf(domain.CodeUsage, "give one of them", "--clear and --movement are both given")
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				switch {
				case forget:
					return b.ClearHistory(cmd.Context())
				case movement:
					m, err := b.Movement(cmd.Context())
					if err != nil {
						return err
					}
					if asJSON {
						return printJSON(cmd.OutOrStdout(), m)
					}
					printMovement(cmd.OutOrStdout(), m)
					return nil
				}
				list, err := b.FindHistory(cmd.Context(), words, limit)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), list)
				}
				return printHistory(newPrinter(cmd.OutOrStdout()), list)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print as JSON, with the whole trace of each search")
	f.StringVar(&words, "words", "", "only searches with these words")
	f.BoolVar(&forget, "clear", false, "forget every search")
	f.BoolVar(&movement, "movement", false, "say how far reranking moved the results that were shown")
	f.IntVar(&limit, "limit", 20, "searches listed, the latest first; 0 for all")
	return cmd
}

func printHistory(p *printer, list []domain.HistoryEntry) error {
	if len(list) == 0 {
		fmt.Fprintln(p.w, "no search is kept")
		return nil
	}
	tw := tabwriter.NewWriter(p.w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "time\tcollection\torder\tresults\tbest\tquery")
	for _, e := range list {
		order := string(e.Trace.Rerank.Backend)
		if e.Trace.Rerank.Backend == domain.BackendNone {
			order = string(e.Trace.Method)
		}
		best := "–"
		if e.Trace.Verdict.Best != nil {
			best = fmt.Sprintf("%.2f", *e.Trace.Verdict.Best)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t%s\t%s\n", e.At.Local().Format("2006-01-02 15:04"), e.Collection, order,
			len(e.Trace.Hits), best, p.name(e.Query))
	}
	return tw.Flush()
}

// barWidth is the length of the longest bar of the histogram, in characters.
const barWidth = 40

func printMovement(w io.Writer, m domain.Movement) {
	fmt.Fprintf(w, "how far reranking moved %d results of %d searches\n", m.Hits, m.Searches)
	most := 1
	for _, b := range m.Buckets {
		most = max(most, b.Count)
	}
	for _, b := range m.Buckets {
		bar := strings.Repeat("█", (b.Count*barWidth+most-1)/most)
		fmt.Fprintf(w, "%12s %6d %s\n", bucketText(b), b.Count, bar)
	}
}

func bucketText(b domain.MovementBucket) string {
	arrow := func(n int) string {
		switch {
		case n < 0:
			return fmt.Sprintf("▼%d", -n)
		case n > 0:
			return fmt.Sprintf("▲%d", n)
		}
		return "="
	}
	switch {
	case b.From == nil:
		return arrow(*b.To) + " or more"
	case b.To == nil:
		return arrow(*b.From) + " or more"
	case *b.From == *b.To:
		return arrow(*b.From)
	case *b.To < 0:
		return fmt.Sprintf("%s–%d", arrow(*b.To), -*b.From)
	}
	return fmt.Sprintf("%s–%d", arrow(*b.From), *b.To)
}
