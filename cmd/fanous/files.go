package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

// filesPage is how many documents are fetched at a time.
const filesPage = 1000

func newFiles(g *globals) *cobra.Command {
	var collection string
	var states []string
	var filter domain.DocumentFilter
	var asJSON, asCSV bool
	cmd := &cobra.Command{
		Use:   "files",
		Short: "List the files of a collection with their states",
		Long: "Lists every file that indexing saw, and what is in archives and mailboxes, with its state and the reason.\n" +
			"States: indexed, no text, needs password, unsupported, failed, quarantined, container, reading.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, s := range states {
				filter.States = append(filter.States, domain.DocumentState(s))
			}
			out := filesText
			switch {
			case asJSON && asCSV:
				return domain.Errorf(domain.CodeUsage, "choose one", "--json and --csv exclude each other")
			case asJSON:
				out = filesJSON
			case asCSV:
				out = filesCSV
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				return out(cmd.OutOrStdout(), func(each func(domain.DocumentEntry) error) error {
					return everyDocument(cmd, b, collection, filter, each)
				})
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

// everyDocument calls each for all documents that a filter lets through, a page at a time.
func everyDocument(cmd *cobra.Command, b *backend.Backend, collection string, filter domain.DocumentFilter, each func(domain.DocumentEntry) error) error {
	filter.Limit = filesPage
	for {
		page, err := b.Documents(cmd.Context(), collection, filter)
		if err != nil {
			return err
		}
		for _, d := range page.Documents {
			if err := each(d); err != nil {
				return err
			}
			filter.After = domain.Location{Path: d.Path, Member: d.Member}
		}
		if !page.More {
			return nil
		}
	}
}

type documents func(each func(domain.DocumentEntry) error) error

func filesText(w io.Writer, list documents) error {
	return list(func(d domain.DocumentEntry) error {
		line := fmt.Sprintf("%-14s  %s", d.State, domain.Location{Path: d.Path, Member: d.Member})
		if note := noteText(d); note != "" {
			line += "  (" + note + ")"
		}
		_, err := fmt.Fprintln(w, line)
		return err
	})
}

func filesJSON(w io.Writer, list documents) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return list(func(d domain.DocumentEntry) error { return enc.Encode(d) })
}

func filesCSV(w io.Writer, list documents) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"path", "member", "state", "reason", "format", "title", "author", "dated", "size", "modified", "passages", "ocr", "sha256"})
	err := list(func(d domain.DocumentEntry) error {
		return out.Write([]string{d.Path, d.Member, string(d.State), noteText(d), d.Format, d.Title, d.Author, timeText(d.Dated),
			strconv.FormatInt(d.Size, 10), timeText(d.ModTime), strconv.Itoa(d.Chunks), string(d.OCR), d.Hash})
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// noteText is what there is to say of a document beside its state.
func noteText(d domain.DocumentEntry) string {
	note := d.Reason
	for _, w := range d.Warnings {
		note = joinNotes(note, w)
	}
	if d.Same != nil {
		note = joinNotes(note, "the same content as "+d.Same.String())
	}
	return note
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
