package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

// documentStates are the states that a file can be in.
var documentStates = []string{
	string(domain.StateIndexed), string(domain.StateNoText), string(domain.StateNeedsPassword), string(domain.StateUnsupported),
	string(domain.StateFailed), string(domain.StateQuarantined), string(domain.StateContainer), string(domain.StateReading),
}

func newFiles(g *globals) *cobra.Command {
	var collection string
	var states []string
	var filter domain.DocumentFilter
	var asJSON, asCSV bool
	cmd := &cobra.Command{
		Use:   "files",
		Short: "List the files of a collection with their states",
		Long: "Lists every file that indexing saw, and what is in archives and mailboxes, with its state and the reason.\n" +
			"States: " + strings.Join(documentStates, ", ") + ".",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, s := range states {
				if !slices.Contains(documentStates, s) {
					return domain.Errorf(domain.CodeUsage, "choose of "+strings.Join(documentStates, ", "), "there is no state %q", s)
				}
				filter.States = append(filter.States, domain.DocumentState(s))
			}
			if asJSON && asCSV {
				return domain.Errorf(domain.CodeUsage, "choose one", "--json and --csv exclude each other")
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				w := cmd.OutOrStdout()
				switch {
				case asJSON:
					return b.ListJSON(cmd.Context(), w, collection, filter)
				case asCSV:
					return b.ListCSV(cmd.Context(), w, collection, filter)
				}
				return b.EveryDocument(cmd.Context(), collection, filter, func(d domain.DocumentEntry) error { return printFile(w, d) })
			})
		},
	}
	cmd.Flags().StringVar(&collection, "collection", domain.DefaultCollection, "name of the collection")
	cmd.Flags().StringSliceVar(&states, "state", nil, "only files in this state; several, with commas")
	cmd.Flags().StringVar(&filter.Text, "path", "", "only files with this in their path")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object a line")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print as CSV")
	return cmd
}

func printFile(w io.Writer, d domain.DocumentEntry) error {
	line := fmt.Sprintf("%-14s  %s", d.State, domain.Location{Path: d.Path, Member: d.Member})
	if note := d.Note(); note != "" {
		line += "  (" + note + ")"
	}
	_, err := fmt.Fprintln(w, plainName(line))
	return err
}
