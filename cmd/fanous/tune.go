package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newTune(g *globals) *cobra.Command {
	var collection string
	var apply, undo, show, asJSON bool
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Suggest, from what was judged in a collection, how to search in it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if apply && undo || apply && show || undo && show {
				return domain.Errorf(domain.CodeUsage, "give one of them", "only one of --apply, --undo and --show can be done at a time")
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				switch {
				case undo:
					return b.UndoTuning(cmd.Context(), collection)
				case show:
					return showTuning(cmd, b, collection, asJSON)
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
	f.BoolVar(&show, "show", false, "print what searches in the collection follow now, and on what evidence")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func showTuning(cmd *cobra.Command, b *backend.Backend, collection string, asJSON bool) error {
	all, err := b.Collections(cmd.Context())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(c domain.CollectionSummary) bool { return c.Name == collection })
	if i < 0 || all[i].Settings.Tuning == nil {
		return domain.Errorf(domain.CodeNotFound, "see fanous tune --help", "the collection %q is not tuned", collection)
	}
	t := all[i].Settings.Tuning
	if asJSON {
		return printJSON(cmd.OutOrStdout(), t)
	}
	w := cmd.OutOrStdout()
	why := "applied"
	if t.Automatic {
		why = "reranking was switched off by itself, because an evaluation showed that it did harm"
	}
	fmt.Fprintf(w, "%s: %s, %s\n", collection, why, t.At.Local().Format("2006-01-02 15:04"))
	fmt.Fprintf(w, "now : %s\n", choiceText(t.Choice))
	fmt.Fprintf(w, "gain: %s of nDCG@10, on %d judged queries\n", gainText(t.Evidence), t.Evidence.Queries)
	printThresholds(w, t.Thresholds)
	return nil
}

func choiceText(c domain.SearchChoice) string {
	rerank := "reranked"
	if !c.Rerank {
		rerank = "not reranked"
	}
	return fmt.Sprintf("lexical weight %.1f, %d candidates, %d results, %s", c.LexicalWeight, c.Candidates, c.Top, rerank)
}

func gainText(e domain.Evidence) string {
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", e.Gain, e.Low, e.High)
}

func printThresholds(w io.Writer, thresholds map[domain.Backend]float64) {
	for backend, t := range thresholds {
		fmt.Fprintf(w, "threshold of %s: %.3f\n", backend, t)
	}
}

func printSuggestion(w io.Writer, s domain.Suggestion, applied bool) {
	fmt.Fprintf(w, "%s: %d judged queries\n", s.Collection, s.Queries)
	fmt.Fprintf(w, "now : %s; nDCG@10 %.3f\n", choiceText(s.Now), s.NowNDCG)
	fmt.Fprintf(w, "best: %s; nDCG@10 %.3f\n", choiceText(s.Best), s.BestNDCG)
	verdict := "which may be chance: better leave it as it is"
	if s.Significant {
		verdict = "which is more than chance"
	}
	fmt.Fprintf(w, "gain on queries that were not chosen by: %s, %s\n", gainText(s.Gain), verdict)
	printThresholds(w, s.Thresholds)
	for _, why := range []string{s.NoThreshold, s.FixedRerank} {
		if why != "" {
			fmt.Fprintln(w, why)
		}
	}
	if applied {
		fmt.Fprintln(w, "applied; `fanous tune --undo` brings back what was before")
	}
}
