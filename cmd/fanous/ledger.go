package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

func newLedger(g *globals) *cobra.Command {
	var asJSON, verify, acknowledge bool
	var since, until, export string
	filter := domain.LedgerFilter{}
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "List what left this machine and what was kept here, and verify that list",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if filter.Since, err = dayOrTime("since", since); err != nil {
				return err
			}
			if filter.Until, err = dayOrTime("until", until); err != nil {
				return err
			}
			if acknowledge && (verify || export != "") || verify && export != "" {
				return domain.Errorf(domain.CodeUsage, "give one of them", "more than one of --verify, --acknowledge and --export is given")
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				out := cmd.OutOrStdout()
				switch {
				case verify:
					return checkLedger(cmd, out, asJSON, b.VerifyLedger)
				case acknowledge:
					return checkLedger(cmd, out, asJSON, b.AcknowledgeLedger)
				case export != "":
					filter.Limit = 0
					n, err := b.ExportLedger(cmd.Context(), export, filter)
					if err == nil {
						fmt.Fprintf(out, "%d entries are in %s\n", n, export)
					}
					return err
				}
				list, err := b.Ledger(cmd.Context(), filter)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(out, list)
				}
				return printLedger(newPrinter(out), list)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print as JSON, with every digest")
	f.BoolVar(&verify, "verify", false, "read every entry and say whether the ledger is whole (exit code 5: it is not)")
	f.BoolVar(&acknowledge, "acknowledge", false, "say that you have seen what is wrong, so that sending may go on; that is an entry too")
	f.StringVar(&export, "export", "", "write the entries into this new `FILE`, as they are")
	f.StringVar(&since, "since", "", "only entries from this `TIME` on: 2026-11-30 or 2026-11-30T14:05")
	f.StringVar(&until, "until", "", "only entries before this `TIME`")
	f.StringVar(&filter.Collection, "collection", "", "only entries of this collection")
	f.StringVar(&filter.Search, "search", "", "only entries of the search of this name, as its trace has it")
	f.Int64Var(&filter.Before, "before", 0, "only entries with a lower number")
	f.IntVar(&filter.Limit, "limit", 50, "entries listed, the latest first; 0 for all")
	return cmd
}

// dayOrTime reads a time of this machine's zone; a day is its beginning.
func dayOrTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return at, nil
		}
	}
	return time.Time{}, domain.Errorf(domain.CodeUsage, "write it as 2026-11-30 or 2026-11-30T14:05", "--%s is %q", flag, text)
}

// checkLedger prints the state of the ledger; one that is not whole is an error.
func checkLedger(cmd *cobra.Command, w io.Writer, asJSON bool, check func(context.Context) (domain.LedgerState, error)) error {
	s, err := check(cmd.Context())
	if err != nil {
		return err
	}
	if asJSON {
		err = printJSON(w, s)
	} else {
		printLedgerState(w, s)
	}
	if err == nil && len(s.Faults) > 0 {
		return domain.Errorf(domain.CodeDamaged, "find out what happened; then: fanous ledger --acknowledge", "the ledger is not whole, and nothing is sent")
	}
	return err
}

func printLedgerState(w io.Writer, s domain.LedgerState) {
	fmt.Fprintf(w, "%d entries in %s\n", s.Entries, s.Path)
	if s.Head != "" {
		fmt.Fprintf(w, "the last one is %s\n", s.Head)
	}
	for _, f := range s.Acknowledged {
		fmt.Fprintf(w, "acknowledged: %s\n", faultText(f))
	}
	for _, f := range s.Faults {
		fmt.Fprintf(w, "! %s\n", faultText(f))
	}
	if len(s.Faults) == 0 {
		fmt.Fprintln(w, "The ledger is whole.")
	}
}

func faultText(f domain.LedgerFault) string {
	which := fmt.Sprintf("entry %d", f.First)
	if f.Last > f.First {
		which = fmt.Sprintf("entries %d to %d", f.First, f.Last)
	}
	many := f.Last > f.First
	choose := func(one, more string) string {
		if many {
			return which + more
		}
		return which + one
	}
	switch f.Kind {
	case domain.FaultChanged:
		return choose(" is not what it was", " are not what they were")
	case domain.FaultMissing:
		return choose(" is missing", " are missing")
	case domain.FaultDamaged:
		return choose(" is damaged", " are changed or missing")
	case domain.FaultMoved:
		return choose(" stands in the wrong place, or twice", " stand in the wrong place, or twice")
	case domain.FaultReplaced:
		return choose(" is another one than the one that was written", " are others than those that were written")
	case domain.FaultAdded:
		return fmt.Sprintf("something that Fanous did not write stands at entries %d to %d", f.First, f.Last)
	case domain.FaultHead:
		return fmt.Sprintf("the file that says how many entries there are is gone or unreadable; %d were found", f.Last)
	}
	return which + ": " + string(f.Kind)
}

func printLedger(p *printer, list []domain.LedgerRecord) error {
	if len(list) == 0 {
		fmt.Fprintln(p.w, "nothing is in the ledger")
		return nil
	}
	tw := tabwriter.NewWriter(p.w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "entry\ttime\twhat\tcollection\tpolicy\tby\thost\tpassages\tbytes\toutcome\tsearch")
	for _, r := range list {
		fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", r.N, r.At.Local().Format("2006-01-02 15:04:05"), r.Kind,
			p.name(strings.Join(r.Collections, ", ")), r.Policy, dash(r.By), dash(plainName(r.Host)), len(r.Passages), r.Bytes, outcomeText(r), dash(r.Search))
	}
	return tw.Flush()
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func outcomeText(r domain.LedgerRecord) string {
	switch {
	case r.Kind == domain.LedgerAcknowledged:
		return fmt.Sprintf("%d faults", len(r.Faults))
	case r.Kind == domain.LedgerRefused:
		return "nothing left: " + r.Code
	case r.Ended == nil:
		return "not known"
	case r.Ended.Status == 0:
		return fmt.Sprintf("%s, %.0f ms", r.Ended.Code, r.Ended.MS)
	}
	return fmt.Sprintf("%s (%d), %.0f ms", r.Ended.Code, r.Ended.Status, r.Ended.MS)
}
