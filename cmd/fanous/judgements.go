package main

import (
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newJudgements(g *globals) *cobra.Command {
	var collection string
	cmd := &cobra.Command{Use: "judgements", Short: "Judge results, to measure the search on them (fanous eval --collection)"}
	cmd.PersistentFlags().StringVar(&collection, "collection", domain.DefaultCollection, "collection")
	cmd.AddCommand(
		newJudgementsList(g, &collection), newJudgementsSet(g, &collection), newJudgementsForget(g, &collection),
		newJudgementsExport(g, &collection), newJudgementsImport(g, &collection),
	)
	return cmd
}

func newJudgementsList(g *globals, collection *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List what was judged", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				set, err := b.Judged(cmd.Context(), *collection)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), set)
				}
				out := cmd.OutOrStdout()
				fmt.Fprintf(out, "%s: %d judgements of %d queries, of which %d can be measured\n", set.Collection, set.Judgements, len(set.Queries), set.Usable)
				tw := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
				for _, q := range set.Queries {
					for _, p := range q.Passages {
						path := domain.Location{Path: p.Path, Member: p.Member}.String()
						if p.Gone {
							path = "(gone)"
						}
						fmt.Fprintf(tw, "%d\t%s\t%s\n", p.Grade, plainName(q.Query), plainName(path))
					}
				}
				return tw.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func newJudgementsSet(g *globals, collection *string) *cobra.Command {
	return &cobra.Command{
		Use:   "set QUERY CHUNK_ID {not|partly|relevant|none}",
		Short: "Judge how well a passage answers a query; none withdraws it",
		Args:  cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			chunk, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil {
				return domain.Errorf(domain.CodeUsage, "take it from `fanous search --json`", "%q is not the id of a chunk", args[1])
			}
			grades := map[string]*domain.Grade{
				"not": new(domain.GradeNot), "partly": new(domain.GradePartly), "relevant": new(domain.GradeRelevant), "none": nil,
			}
			grade, known := grades[args[2]]
			if !known {
				return domain.Errorf(domain.CodeUsage, "choose not, partly, relevant or none", "there is no grade %q", args[2])
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				return b.Judge(cmd.Context(), *collection, args[0], chunk, grade)
			})
		},
	}
}

func newJudgementsForget(g *globals, collection *string) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "forget {QUERY | --all}", Short: "Forget what was judged for a query", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if all != (len(args) == 0) {
				return domain.Errorf(domain.CodeUsage, "give the query, or --all for every one", "what to forget is not clear")
			}
			query := ""
			if !all {
				query = args[0]
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error { return b.ForgetJudged(cmd.Context(), *collection, query) })
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "everything that was judged in the collection")
	return cmd
}

func newJudgementsExport(g *globals, collection *string) *cobra.Command {
	return &cobra.Command{
		Use: "export DIR", Short: "Write the judgements and the judged texts into a new folder, as BEIR has it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error { return b.ExportJudged(cmd.Context(), *collection, args[0]) })
		},
	}
}

func newJudgementsImport(g *globals, collection *string) *cobra.Command {
	return &cobra.Command{
		Use: "import DIR", Short: "Take over judgements that were exported, or a folder that judges files by their names", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				r, err := b.ImportJudged(cmd.Context(), *collection, args[0])
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%d judgements of %d queries imported; %d are of documents that the collection does not have\n", r.Judgements, r.Queries, r.Unknown)
				return nil
			})
		},
	}
}
