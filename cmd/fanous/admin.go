package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newShow(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show CHUNK_ID",
		Short: "Show a passage with its document and its neighbours",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return domain.Errorf(domain.CodeUsage, "give the number that `fanous search -v` shows", "%q is not a chunk's number", args[0])
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				view, err := b.Chunk(cmd.Context(), id)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), view)
				}
				printChunk(newPrinter(cmd.OutOrStdout()), view)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printChunk(p *printer, v domain.ChunkView) {
	fmt.Fprintf(p.w, "%s\n%s\n", p.name(v.Document.Title), plainName(v.Document.Path))
	place := []string{}
	if v.Chunk.Place.Page > 0 {
		place = append(place, pageText(v.Document.Format, v.Chunk.Place.Page))
	}
	if v.Chunk.Place.Line > 0 {
		place = append(place, fmt.Sprintf("line %d", v.Chunk.Place.Line))
	}
	if v.Chunk.Place.Heading != "" {
		place = append(place, p.name(v.Chunk.Place.Heading))
	}
	if v.Chunk.Place.Cells != "" {
		place = append(place, "cells "+plainName(v.Chunk.Place.Cells))
	}
	if v.Chunk.OCR > 0 {
		place = append(place, ocrText(v.Chunk.OCR))
	}
	if len(place) > 0 {
		fmt.Fprintln(p.w, strings.Join(place, " · "))
	}
	for _, part := range []struct{ mark, text string }{{"  ", v.Before}, {"│ ", v.Chunk.Text}, {"  ", v.After}} {
		if part.text == "" {
			continue
		}
		fmt.Fprintln(p.w)
		for line := range strings.Lines(plain(part.text)) {
			fmt.Fprintf(p.w, "%s%s\n", part.mark, p.isolate(strings.TrimRight(line, "\n")))
		}
	}
}

func newStatus(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what is installed, what is indexed and what is degraded",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				status, err := b.Status(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), status)
				}
				printStatus(cmd.OutOrStdout(), status)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printStatus(w io.Writer, s domain.Status) {
	fmt.Fprintf(w, "fanous %s\ndata      %s (%s)\n", s.Version, s.DataDir, bytesText(s.IndexBytes))
	for _, part := range []struct {
		name string
		c    domain.Component
	}{{"runtime", s.Runtime}, {"embedder", s.Embedder}, {"reranker", s.Local}, {"cohere", s.Cohere}, {"ledger", s.Ledger}} {
		fmt.Fprintf(w, "%-9s %s\n", part.name, componentText(part.c))
	}
	for _, c := range s.Calibration {
		fmt.Fprintf(w, "%-9s %s\n", "scores", calibrationText(c))
	}
	printCollections(w, s.Collections)
}

// componentText is what a part is, or why it is not there.
func componentText(c domain.Component) string {
	if !c.Ready {
		return c.Reason
	}
	detail := []string{c.Name}
	for _, d := range []string{c.Version, c.Device, c.Precision} {
		if d != "" {
			detail = append(detail, d)
		}
	}
	return strings.Join(detail, ", ")
}

func printCollections(w io.Writer, list []domain.CollectionSummary) {
	if len(list) == 0 {
		fmt.Fprintln(w, "no collection yet: `fanous index FOLDER` makes one")
		return
	}
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "collection\tpolicy\tdocuments\tpassages\tsize\tfolders")
	for _, c := range list {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%s\t%s\n", c.Name, c.Policy, c.Documents, c.Chunks, bytesText(c.Bytes), strings.Join(c.Roots, ", "))
	}
	tw.Flush()
}

func newCollections(g *globals) *cobra.Command {
	cmd := &cobra.Command{Use: "collections", Short: "List, add and remove collections, and set what may leave the machine"}
	var asJSON bool
	list := &cobra.Command{
		Use: "list", Short: "List the collections", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				list, err := b.Collections(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), list)
				}
				printCollections(cmd.OutOrStdout(), list)
				return nil
			})
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	add := &cobra.Command{
		Use: "add NAME PATH...", Short: "Make a collection of folders, or add folders to one", Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				c, err := b.AddCollection(cmd.Context(), args[0], args[1:])
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %s; policy %s. Index it with: fanous index --collection %s\n",
						c.Name, strings.Join(c.Roots, ", "), c.Policy, c.Name)
				}
				return err
			})
		},
	}
	remove := &cobra.Command{
		Use: "remove NAME", Short: "Remove a collection from the index; your files stay", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error { return b.RemoveCollection(cmd.Context(), args[0]) })
		},
	}
	policy := &cobra.Command{
		Use: "policy NAME never|ask|allowed", Short: "Say whether passages of a collection may be sent to Cohere", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				return b.SetPolicy(cmd.Context(), args[0], domain.Policy(args[1]))
			})
		},
	}
	cmd.AddCommand(list, add, remove, policy, newPatterns(g))
	return cmd
}

func newPatterns(g *globals) *cobra.Command {
	var settings domain.CollectionSettings
	cmd := &cobra.Command{
		Use: "patterns NAME", Short: "Say which files belong to a collection, by patterns as in .gitignore files", Args: cobra.ExactArgs(1),
		Long: "Sets the patterns of a collection in place of those it had. Folders may hold a .fanousignore file beside.\n" +
			"The next `fanous index` follows them.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error { return b.SetSettings(cmd.Context(), args[0], settings) })
		},
	}
	cmd.Flags().StringArrayVar(&settings.Include, "include", nil, "only files that match; may be given several times")
	cmd.Flags().StringArrayVar(&settings.Ignore, "ignore", nil, "no file or folder that matches; may be given several times")
	return cmd
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
