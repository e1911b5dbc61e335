// Package failover runs a chain of steps until one of them serves, under deadlines of its own, and
// reports which one did and why the others did not. It knows no provider.
//
// Three rules hold whatever a step does:
//   - A step's deadline is kept even when the step ignores its context. The step is then left
//     behind: whatever it still returns is thrown away.
//   - The end of the caller's own context ends the chain with that context's error. It is never
//     counted as a failure of the step that was running.
//   - A step that panics has failed; the chain goes on.
package failover

import (
	"context"
	"errors"
	"time"
)

// Codes that the chain itself gives. Every other code comes from a step, in its Skip or Failure.
const (
	CodeDeadline = "deadline"     // the step did not answer within its deadline
	CodeOpen     = "breaker_open" // the step failed lately and is left alone for a while
	CodeCrash    = "crash"        // the step panicked
	CodeFailed   = "failed"       // the step failed with an error that is not a Failure
)

// ErrExhausted says that no step of a chain served.
var ErrExhausted = errors.New("no step served")

// errNoReturn stands for a step that ended its goroutine instead of returning.
var errNoReturn = errors.New("it ended without a result")

// Step is one way to get a T.
type Step[T any] struct {
	Name     string        // for people: it begins the sentences that the chain makes
	Skip     *Skip         // why the step does not apply; nil: it applies
	Deadline time.Duration // for the whole of Do; 0: none
	Breaker  *Breaker      // may be nil

	// Do gets a context that ends at the deadline. Its error says more about itself when it is a
	// Failure.
	Do func(ctx context.Context) (T, error)
}

// Skip says why a step does not apply.
type Skip struct {
	Code   string
	Reason string // one plain sentence
}

// Passed is a step that did not serve.
type Passed struct {
	Index   int // of the step in the chain
	Code    string
	Reason  string        // one plain sentence
	Tried   bool          // false: it did not apply, or its breaker was open
	Elapsed time.Duration // spent in it; 0 where it was not tried
	Err     error         // what it failed with; nil where it was not tried
}

// Report is how a chain came to its result.
type Report struct {
	Served  int           // index of the step that served; -1: none
	Elapsed time.Duration // spent in the step that served
	Passed  []Passed      // the steps before it, in order
}

// Chain is steps in order of preference.
type Chain[T any] []Step[T]

// Run tries the steps in order and returns the first result. Its error is the caller's own context
// error, or ErrExhausted when no step served.
func (c Chain[T]) Run(ctx context.Context) (T, Report, error) {
	var none T
	report := Report{Served: -1}
	for i, step := range c {
		if err := ctx.Err(); err != nil {
			return none, report, err
		}
		if step.Skip != nil {
			report.Passed = append(report.Passed, Passed{Index: i, Code: step.Skip.Code, Reason: step.Skip.Reason})
			continue
		}
		admitted, refusal := step.Breaker.admit(step.Name)
		if refusal != nil {
			report.Passed = append(report.Passed, Passed{Index: i, Code: refusal.Code, Reason: refusal.Reason})
			continue
		}
		start := time.Now()
		value, err := step.attempt(ctx)
		elapsed := time.Since(start)
		if err == nil {
			admitted(nil)
			report.Served, report.Elapsed = i, elapsed
			return value, report, nil
		}
		if ctx.Err() != nil {
			admitted(&Failure{Weight: Ignored})
			return none, report, ctx.Err()
		}
		failure := failureOf(step.Name, step.Deadline, err)
		admitted(failure)
		report.Passed = append(report.Passed, Passed{
			Index: i, Code: failure.Code, Reason: failure.Reason, Tried: true, Elapsed: elapsed, Err: err,
		})
	}
	return none, report, ErrExhausted
}

// attempt runs Do and comes back at the deadline at the latest, with or without it.
func (s Step[T]) attempt(ctx context.Context) (T, error) {
	var cancel context.CancelFunc
	if s.Deadline > 0 {
		ctx, cancel = context.WithTimeout(ctx, s.Deadline)
	} else {
		ctx, cancel = context.WithCancel(ctx)
	}
	defer cancel()

	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1) // buffered: a step that was left behind can still end
	go func() {
		o := outcome{err: errNoReturn}
		defer func() {
			if p := recover(); p != nil {
				o.err = crash(s.Name, p)
			}
			done <- o
		}()
		o.value, o.err = s.Do(ctx)
	}()

	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		select {
		case o := <-done: // it made it in the same instant
			return o.value, o.err
		default:
			var none T
			return none, ctx.Err()
		}
	}
}
