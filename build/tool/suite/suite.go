// Package suite runs the project's checks and test suites, counts what passed and what failed, and sums it up.
package suite

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Outcome is how one suite went.
type Outcome struct {
	Name     string
	Passed   int
	Skipped  []string // names of tests that did not run
	Failures []string // names of tests and packages that failed, or what was wrong
	Took     time.Duration
}

// Report is the outcomes so far, in order.
type Report struct {
	out      io.Writer
	now      func() time.Time
	outcomes []Outcome
}

// NewReport returns an empty report that writes to out.
func NewReport(out io.Writer) *Report {
	return &Report{out: out, now: time.Now}
}

// Run runs one suite, and takes an error of run itself as one failure more. A suite in which no test ran has failed:
// a filter or a tag no longer fits.
func (r *Report) Run(name string, run func() (Outcome, error)) {
	fmt.Fprintf(r.out, "\n=== %s\n", name)
	start := r.now()
	outcome, err := run()
	outcome.Name, outcome.Took = name, r.now().Sub(start)
	if err == nil && outcome.Passed == 0 && len(outcome.Failures) == 0 {
		err = errors.New("no test ran")
	}
	if err != nil {
		fmt.Fprintf(r.out, "%s: %v\n", name, err)
		outcome.Failures = append(outcome.Failures, err.Error())
	}
	r.outcomes = append(r.outcomes, outcome)
}

// Check runs a check that is one thing: it passes or it fails.
func (r *Report) Check(name string, check func() error) {
	r.Run(name, func() (Outcome, error) {
		if err := check(); err != nil {
			return Outcome{}, err
		}
		return Outcome{Passed: 1}, nil
	})
}

// Close prints the summary: a line for each suite, the failures, and last the plain closing line. It returns an error
// if anything failed, or if nothing ran.
func (r *Report) Close() error {
	var passed, failed, skipped int
	fmt.Fprint(r.out, "\n=== Summary\n")
	for _, o := range r.outcomes {
		passed += o.Passed
		failed += len(o.Failures)
		skipped += len(o.Skipped)
		fmt.Fprintf(r.out, "%-44s %5d passed %4d failed %8.1f s\n", o.Name, o.Passed, len(o.Failures), o.Took.Seconds())
	}
	for _, o := range r.outcomes {
		for _, name := range o.Skipped {
			fmt.Fprintf(r.out, "skipped: %s: %s\n", o.Name, name)
		}
		for _, failure := range o.Failures {
			first, _, _ := strings.Cut(failure, "\n")
			fmt.Fprintf(r.out, "FAILED: %s: %s\n", o.Name, first)
		}
	}
	closing := fmt.Sprintf("%d passed, %d failed", passed, failed)
	if skipped > 0 {
		closing += fmt.Sprintf(", %d skipped", skipped)
	}
	fmt.Fprintln(r.out, closing)
	switch {
	case failed > 0:
		return fmt.Errorf("%d of %d failed", failed, passed+failed)
	case passed == 0:
		return fmt.Errorf("no test ran")
	}
	return nil
}
