package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newTune(g *globals) *cobra.Command {
	var collection string
	var apply, undo, asJSON bool
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Suggest, from what was judged in a collection, how to search in it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if apply && undo {
				return domain.Errorf(domain.CodeUsage, "give one of them", "--apply and --undo are the opposite of each other")
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				if undo {
					return b.UndoTuning(cmd.Context(), collection)
				}
				line := newProgress(cmd.ErrOrStderr())
				s, err := b.SuggestTuning(cmd.Context(), collection, func(p domain.MeasureProgress) {
					line.draw(fmt.Sprintf("%s: %d of %d", p.Phase, p.Done, p.Of))
				})
				line.end()
				if err != nil {
					return err
				}
				if apply {
					if err := b.ApplyTuning(cmd.Context(), s); err != nil {
						return err
					}
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), s)
				}
				printSuggestion(cmd.OutOrStdout(), s, apply)
				return nil
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&collection, "collection", domain.DefaultCollection, "collection")
	f.BoolVar(&apply, "apply", false, "searches in the collection follow the suggestion from now on")
	f.BoolVar(&undo, "undo", false, "bring back what was before the last one that was applied")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printSuggestion(w io.Writer, s domain.Suggestion, applied bool) {
	line := func(name string, c domain.SearchChoice, ndcg float64) {
		rerank := "reranked"
		if !c.Rerank {
			rerank = "not reranked"
		}
		fmt.Fprintf(w, "%s: lexical weight %.1f, %d candidates, %d results, %s; nDCG@10 %.3f\n", name, c.LexicalWeight, c.Candidates, c.Top, rerank, ndcg)
	}
	fmt.Fprintf(w, "%s: %d judged queries\n", s.Collection, s.Queries)
	line("now ", s.Now, s.NowNDCG)
	line("best", s.Best, s.BestNDCG)
	verdict := "which may be chance: better leave it as it is"
	if s.Significant {
		verdict = "which is more than chance"
	}
	fmt.Fprintf(w, "gain on queries that were not chosen by: %+.3f [%+.3f, %+.3f], %s\n", s.Gain.Gain, s.Gain.Low, s.Gain.High, verdict)
	for backend, t := range s.Thresholds {
		fmt.Fprintf(w, "threshold of %s: %.3f\n", backend, t)
	}
	for _, why := range []string{s.NoThreshold, s.FixedRerank} {
		if why != "" {
			fmt.Fprintln(w, why)
		}
	}
	if applied {
		fmt.Fprintln(w, "applied; `fanous tune --undo` brings back what was before")
	}
}
