// Package step runs the build tool's steps. Each says on the terminal what is being done and how long it took, and a
// failure names the step, the reason and what to do about it.
package step

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Log is where the steps are reported. The zero value is not usable; use To.
type Log struct {
	out io.Writer
	now func() time.Time
}

// To returns a log that writes to out, one line at a time.
func To(out io.Writer) *Log {
	return &Log{out: out, now: time.Now}
}

// Error is a failed step.
type Error struct {
	Step string // what was being done
	Err  error  // why it failed
	Hint string // what the person at the keyboard can do
}

// Error gives the three parts on lines of their own.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %v\n  What to do: %s", e.Step, e.Err, e.Hint)
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// Do runs f as the step called name. A failure comes back as an *Error with the hint, unless a step inside f failed
// and has said more exactly what went wrong, or the person stopped the run.
func (l *Log) Do(name, hint string, f func() error) error {
	start := l.now()
	l.Say("==> %s", name)
	err := f()
	took := l.now().Sub(start).Round(10 * time.Millisecond)
	if err != nil {
		l.Say("==> %s: failed after %s", name, took)
		var inner *Error
		if errors.As(err, &inner) || errors.Is(err, context.Canceled) {
			return err
		}
		return &Error{Step: name, Err: err, Hint: hint}
	}
	l.Say("==> %s: done in %s", name, took)
	return nil
}

// Say writes one line.
func (l *Log) Say(format string, args ...any) {
	fmt.Fprintf(l.out, format+"\n", args...)
}
