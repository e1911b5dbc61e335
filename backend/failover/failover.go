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
	CodeGuard    = "rate_guard"   // the step was called as often as it may be
	CodeLate     = "late"         // another step, started beside it, was first
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
	Guard    *Guard        // may be nil

	// Hedge starts this step beside the one before it when that has not answered after this long; the first
	// result is taken, and the other step is cancelled. 0: it starts only when that one has failed.
	Hedge time.Duration

	// OnPass is told that this step is passed over, before the next one starts in its place. It may be nil.
	OnPass func()

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
	Tried   bool          // false: it did not apply, or its breaker or guard refused it
	Elapsed time.Duration // spent in it; 0 where it was not tried
	Err     error         // what it failed with; nil where it was not tried
}

// Report is how a chain came to its result.
type Report struct {
	Served  int           // index of the step that served; -1: none
	Elapsed time.Duration // spent in the step that served
	Passed  []Passed      // the steps that were passed over, in the order of the chain
	Hedged  bool          // two steps ran at the same time
}

// Chain is steps in order of preference.
type Chain[T any] []Step[T]

// Run tries the steps in order and returns the first result. Its error is the caller's own context
// error, or ErrExhausted when no step served.
func (c Chain[T]) Run(ctx context.Context) (T, Report, error) {
	r := run[T]{ctx: ctx, chain: c, landed: make(chan landing[T], len(c)), report: Report{Served: -1}}
	defer r.abandon()
	var none T
	for {
		if err := ctx.Err(); err != nil {
			return none, r.report, err
		}
		if len(r.flying) == 0 && !r.launch() {
			return none, r.report, ErrExhausted
		}
		select {
		case l := <-r.landed:
			switch {
			case l.err == nil:
				r.serve(l.index)
				return l.value, r.report, nil
			case ctx.Err() != nil:
				return none, r.report, ctx.Err()
			default:
				r.fail(l.index, l.err)
			}
		case <-r.late:
			r.report.Hedged = r.launch()
		case <-ctx.Done():
		}
	}
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
