package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

// errDegraded ends a command that has already said what is wrong: exit code 1.
var errDegraded = errors.New("degraded")

func newDoctor(g *globals) *cobra.Command {
	var asJSON, again bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Test the models on this machine's devices and say what runs where, how fast, and what is wrong",
		Long: "Test the models on this machine's devices and say what runs where, how fast, and what is wrong.\n\n" +
			"A test is made once for each library, model, device and machine, in a process of its own, and kept.\n" +
			"It connects to nothing. The exit code is 0 where all that is installed works and 1 where something does not.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				d, err := b.Doctor(cmd.Context(), again)
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), d)
				} else {
					printDoctor(cmd.OutOrStdout(), d)
				}
				if err == nil && !d.Ready {
					return errDegraded
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&again, "again", false, "make all tests again, whatever came out before")
	return cmd
}

func printDoctor(w io.Writer, d domain.Doctor) {
	p := d.Processor
	fmt.Fprintf(w, "fanous %s on %s\n", d.Version, d.System)
	fmt.Fprintf(w, "processor %s, %d cores, %s\n", p.Name, p.Cores, strings.Join(p.Instructions, " "))
	if p.Note != "" {
		fmt.Fprintf(w, "          %s\n", p.Note)
	}
	fmt.Fprintf(w, "memory    %s, %s free; disk %s free at %s\n", sizeText(d.MemoryBytes), sizeText(d.FreeMemoryBytes), sizeText(d.FreeDiskBytes), d.DataDir)
	fmt.Fprintf(w, "volume    %s by the system\n", volumeText(d.Volume))
	for _, part := range []struct {
		name string
		c    domain.Component
	}{{"library", d.Library}, {"embedder", d.Embedder}, {"reranker", d.Local}, {"ledger", d.Ledger}} {
		fmt.Fprintf(w, "%-9s %s\n", part.name, componentText(part.c))
	}
	if d.Path != "" {
		fmt.Fprintf(w, "          %s\n", d.Path)
	}
	printOCR(w, d.OCR)
	if d.Drill != nil {
		fmt.Fprintf(w, "drill     of %s: %s\n", d.Drill.At.Local().Format(time.DateOnly), d.Drill.Verdict)
	} else {
		fmt.Fprintln(w, "drill     none was made yet (fanous drill)")
	}
	fmt.Fprintln(w, "\ndevices")
	for _, s := range d.Devices {
		state := "in use"
		if !s.InUse {
			state = "not in use: " + s.Reason + hintText(s.Hint)
		}
		fmt.Fprintf(w, "  %-9s %s\n", s.Device, state)
	}
	printTests(w, d.Tests)
	fmt.Fprintln(w, "\nsettings")
	for _, s := range d.Settings {
		fmt.Fprintf(w, "  %-13s %s (%s)\n", s.Name, s.Value, s.From)
	}
	if len(d.Models) > 0 {
		fmt.Fprintln(w, "\nmodels")
	}
	for _, m := range d.Models {
		state := string(m.State)
		if m.State != domain.ModelInstalled {
			state += ": " + m.Reason + hintText(m.Hint)
		}
		fmt.Fprintf(w, "  %s (%s, %s) %s\n", m.Name, m.Role, m.Tier, state)
	}
	if d.Ready {
		fmt.Fprintln(w, "\nAll that is installed works.")
		return
	}
	fmt.Fprintln(w)
	for _, problem := range d.Problems {
		fmt.Fprintf(w, "! %s\n", problem)
	}
}

func volumeText(e domain.Encryption) string {
	if e == domain.EncryptionUnknown {
		return "not known whether it is encrypted"
	}
	return string(e)
}

func printOCR(w io.Writer, p domain.OCRProgram) {
	if !p.Ready {
		fmt.Fprintf(w, "pictures  not read: %s%s\n", p.Reason, hintText(p.Hint))
		return
	}
	fmt.Fprintf(w, "pictures  %s reads %s\n          %s\n", componentText(p.Component), strings.Join(p.Languages, ", "), p.Path)
	if p.Reason != "" {
		fmt.Fprintf(w, "          %s%s\n", p.Reason, hintText(p.Hint))
	}
}

func printTests(w io.Writer, tests []domain.DeviceTest) {
	if len(tests) == 0 {
		return
	}
	fmt.Fprintln(w, "\nself-tests")
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "  model\tprecision\tdevice\tspeed\tloaded in\tmemory\tfrom the CPU")
	for _, t := range tests {
		if !t.Passed {
			fmt.Fprintf(tw, "  %s\t%s\t%s\tnot used: %s%s\n", t.Model, t.Precision, t.Device, t.Reason, hintText(t.Hint))
			continue
		}
		what := "pairs"
		if t.Role == "embedder" {
			what = "texts"
		}
		away := "it is the CPU"
		if t.Device != "CPU" {
			away = fmt.Sprintf("%.2g away", t.Difference)
		}
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%.1f %s/s of %d tokens\t%.2f s\t%s\t%s\n", t.Model, t.Precision, t.Device, t.PerSecond, what, t.Tokens,
			t.LoadMS/1000, sizeText(t.Bytes), away)
	}
	tw.Flush()
}

func hintText(hint string) string {
	if hint == "" {
		return ""
	}
	return " (" + hint + ")"
}
