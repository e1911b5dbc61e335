package failover

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Weight is what a failure means to a breaker.
type Weight int

const (
	Counted Weight = iota // an ordinary failure: two in a row open the breaker
	Hang                  // cost a whole deadline: opens the breaker at once
	Ignored               // says nothing about the other side: the caller's cancel, a fault of ours
)

// Failure is an error that says what it means to the person who waits and to the breaker.
type Failure struct {
	Code   string // stable, for programs
	Reason string // one plain sentence
	Weight Weight
	Wait   time.Duration // not to be tried again before this has passed; 0: the breaker decides
	Err    error
}

func (f *Failure) Error() string {
	if f.Err != nil {
		return f.Code + ": " + f.Err.Error()
	}
	return f.Code
}

func (f *Failure) Unwrap() error { return f.Err }

// failureOf reads a step's error. A deadline is the step's own: the caller's end was seen before.
func failureOf(name string, deadline time.Duration, err error) *Failure {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		reason := name + " did not answer in time."
		if deadline > 0 {
			reason = fmt.Sprintf("%s did not answer within %v.", name, deadline)
		}
		return &Failure{Code: CodeDeadline, Reason: reason, Weight: Hang, Err: err}
	default:
		return &Failure{Code: CodeFailed, Reason: fmt.Sprintf("%s failed: %v.", name, err), Err: err}
	}
}

// crash turns a panic into a failure that keeps where it happened.
func crash(name string, p any) *Failure {
	return &Failure{
		Code:   CodeCrash,
		Reason: name + " stopped with an internal error.",
		Err:    fmt.Errorf("panic: %v\n%s", p, debug.Stack()),
	}
}
