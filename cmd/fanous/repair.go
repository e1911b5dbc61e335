package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newRepair(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Check the index, and make again what is damaged",
		Long: "Reads the whole index. What is damaged is made again: the terms, the vectors, or all of it with the names, folders and\n" +
			"policies of your collections; then your files are read again, which are untouched. Close the window first. The history\n" +
			"of searches is lost where all is made again; judgements, saved searches, settings and the ledger are not.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := backend.LoadConfig(g.config, g.dataDir)
			if err != nil {
				return err
			}
			repaired, err := backend.RepairIndex(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			out := struct {
				domain.RepairReport
				Runs []domain.IndexReport `json:"runs"`
			}{repaired, []domain.IndexReport{}}
			if !asJSON {
				printRepair(cmd.OutOrStdout(), repaired)
			}
			if repaired.Repair != domain.RepairNone {
				err = g.open(cmd.Context(), func(b *backend.Backend) (err error) {
					out.Runs, err = fillAgain(cmd, b, repaired.Collections, asJSON)
					return err
				})
			}
			if asJSON {
				err = errors.Join(err, printJSON(cmd.OutOrStdout(), out))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printRepair(w io.Writer, r domain.RepairReport) {
	if r.Repair == domain.RepairNone {
		fmt.Fprintln(w, "The index is whole: there is nothing to repair.")
		return
	}
	fmt.Fprintln(w, plain(r.Found))
	fmt.Fprintln(w, map[domain.Repair]string{
		domain.RepairTerms:   "Its terms were made again from the stored text.",
		domain.RepairVectors: "Its terms were made again; its vectors will be.",
		domain.RepairAnew:    "A new index takes its place; the history of searches is lost.",
	}[r.Repair])
	if r.Lost {
		fmt.Fprintln(w, "Not all of the collections could be read: look at `fanous collections list`, their folders and their policies.")
	}
}

// fillAgain reads the files of collections again. One that cannot be read does not hold up the others.
func fillAgain(cmd *cobra.Command, b *backend.Backend, list []domain.Collection, quiet bool) (runs []domain.IndexReport, failed error) {
	runs = []domain.IndexReport{}
	for _, c := range list {
		if len(c.Roots) == 0 {
			continue
		}
		progress := newProgress(cmd.ErrOrStderr())
		run, err := b.Index(cmd.Context(), domain.IndexRequest{Collection: c.Name, Rebuild: true}, progress.show)
		progress.end()
		if err == nil {
			runs = append(runs, run)
			if !quiet {
				printReport(cmd.OutOrStdout(), run)
			}
			if run.Canceled {
				err = context.Canceled
			}
		}
		if errors.Is(err, context.Canceled) {
			return runs, domain.Errorf(domain.CodeCanceled, fmt.Sprintf("go on with: fanous index --collection %q", c.Name), "reading the files again was stopped")
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("collection %s: %w", c.Name, err))
		}
	}
	return runs, failed
}
