package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fanous/backend"
	"fanous/backend/domain"
)

func newIndex(g *globals) *cobra.Command {
	var req domain.IndexRequest
	var asJSON, watch bool
	cmd := &cobra.Command{
		Use:   "index [PATH...]",
		Short: "Bring a collection up to date with its files",
		Long: "Adds the paths to the collection and indexes what is new or changed in all of its paths. Files that are\n" +
			"gone are dropped from the index. Your files are only read. An interrupt stops cleanly, and the next run goes on.",
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Paths = args
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				progress := newProgress(cmd.ErrOrStderr())
				if watch {
					return watchCollection(cmd, b, req, progress, asJSON)
				}
				report, err := b.Index(cmd.Context(), req, progress.show)
				progress.end()
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), report)
				} else {
					printReport(cmd.OutOrStdout(), report)
				}
				if err == nil && report.Canceled {
					return domain.Errorf(domain.CodeCanceled, "run it again to go on from here", "indexing was stopped")
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&req.Collection, "collection", domain.DefaultCollection, "name of the collection; a new name makes it")
	cmd.Flags().BoolVar(&watch, "watch", false, "go on, and index again whenever files change, until an interrupt")
	cmd.Flags().Var(newEnum(&req.OnBattery, domain.BatteryLow, domain.BatteryPause, domain.BatteryGo), "on-battery",
		"when embedding waits until the machine is plugged in: with a low battery, on any, or never")
	cmd.Flags().BoolVar(&req.NoOCR, "no-ocr", false, "leave the text in pictures and scanned pages for another run")
	cmd.Flags().BoolVar(&req.Retry, "retry", false, "read files again that failed or are in quarantine")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON; with --watch one a line")
	return cmd
}

// watchCollection reports every run that has done something, as JSON in a line of its own.
func watchCollection(cmd *cobra.Command, b *backend.Backend, req domain.IndexRequest, p *progress, asJSON bool) error {
	return b.Watch(cmd.Context(), req, backend.Watching{
		Progress: p.show,
		Report: func(r domain.IndexReport) {
			p.end()
			switch {
			case r.Indexed+r.Removed+r.Moved+r.NotIndexed+r.Chunks == 0:
			case asJSON:
				_ = json.NewEncoder(cmd.OutOrStdout()).Encode(r) // output keeps what went wrong
			default:
				printReport(cmd.OutOrStdout(), r)
			}
		},
		State: func(s domain.WatchState) {
			p.end()
			fmt.Fprintf(cmd.ErrOrStderr(), "watching; folders: %d. %s\n", s.Watched, s.Reason)
		},
	})
}

func printReport(w io.Writer, r domain.IndexReport) {
	moved := ""
	if r.Moved > 0 {
		moved = fmt.Sprintf(" %d moved,", r.Moved)
	}
	fmt.Fprintf(w, "%s: %d indexed, %d unchanged,%s %d removed, %d without searchable text; %d passages in %s\n",
		r.Collection, r.Indexed, r.Unchanged, moved, r.Removed, r.NotIndexed, r.Chunks, r.Elapsed.Round(10*time.Millisecond))
	if r.Recognised > 0 {
		fmt.Fprintf(w, "  text was recognised in the pictures of %d documents\n", r.Recognised)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(w, "  %s: %s: %s\n", p.State, plainName(p.Path), plainName(p.Reason))
	}
	for _, d := range r.Degraded {
		fmt.Fprintf(w, "note: %s\n", d)
	}
}

// progress draws one line over and over on a terminal, and nothing elsewhere.
type progress struct {
	w     io.Writer
	width int
	drawn bool
	last  time.Time
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.width, _, _ = term.GetSize(int(f.Fd()))
	}
	return p
}

// redraw is how often the line changes, so that a fast run is not spent on drawing.
const redraw = 100 * time.Millisecond

func (p *progress) show(s domain.IndexProgress) { p.draw(progressLine(s)) }

func (p *progress) draw(line string) {
	if p.width == 0 || time.Since(p.last) < redraw {
		return
	}
	p.last, p.drawn = time.Now(), true
	fmt.Fprintf(p.w, "\r\x1b[K%s", clip(plainName(line), p.width-1))
}

func (p *progress) end() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func progressLine(s domain.IndexProgress) string {
	if s.Waiting != "" {
		return s.Waiting
	}
	switch s.Phase {
	case domain.PhaseScan:
		return fmt.Sprintf("looking for files: %d", s.Files)
	case domain.PhaseDrop:
		return fmt.Sprintf("removing what was indexed of %d files that are gone", s.Files)
	case domain.PhaseRead:
		return fmt.Sprintf("reading: %d of %d files, %d passages, %.0f files/s  %s", s.Done, s.Files, s.Chunks, s.Rate, s.Current)
	case domain.PhaseOCR:
		return fmt.Sprintf("reading pictures: %d of %d documents  %s", s.OCRDone, s.ToOCR, s.Current)
	case domain.PhaseEmbed:
		line := fmt.Sprintf("embedding: %d of %d passages, %.1f/s", s.Embedded, s.ToEmbed, s.Rate)
		if s.Remaining > 0 {
			line += ", " + s.Remaining.Round(time.Second).String() + " left"
		}
		return line
	}
	return s.Phase
}

// clip cuts a line to so many characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n && n > 0 {
		return string(r[:n])
	}
	return s
}
