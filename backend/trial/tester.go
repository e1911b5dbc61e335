package trial

import (
	"context"
	"sync"

	"fanous/backend/onnx"
)

// Tester makes trials that were not made before and keeps what came out.
type Tester struct {
	book   *Book
	runner Runner

	// Held by the trial under way: two at a time would time each other. Somebody may wait for one on the CPU, and
	// nobody for one on a device, which can take minutes.
	cpu, device sync.Mutex
}

// NewTester makes a tester. Without a program in the runner there are no trials, only results of earlier ones.
func NewTester(book *Book, runner Runner) *Tester { return &Tester{book: book, runner: runner} }

// Known gives the result of an earlier trial.
func (t *Tester) Known(s Subject) (Result, bool) { return t.book.Find(s) }

// Can says whether this tester can make trials.
func (t *Tester) Can() bool { return t.runner.Program != "" }

// Ensure gives the result of an earlier trial, or makes one. Its error says that there could be none.
func (t *Tester) Ensure(ctx context.Context, s Subject) (Result, error) {
	if r, ok := t.Known(s); ok {
		return r, nil
	}
	defer t.turn(s)()
	if r, ok := t.Known(s); ok { // somebody else has made it meanwhile
		return r, nil
	}
	return t.try(ctx, s)
}

// Try makes a trial, whatever came out before.
func (t *Tester) Try(ctx context.Context, s Subject) (Result, error) {
	defer t.turn(s)()
	return t.try(ctx, s)
}

// turn waits for a turn and gives what ends it.
func (t *Tester) turn(s Subject) func() {
	m := &t.cpu
	if s.Device != onnx.CPU {
		m = &t.device
	}
	m.Lock()
	return m.Unlock
}

func (t *Tester) try(ctx context.Context, s Subject) (Result, error) {
	r, err := t.runner.Run(ctx, s)
	if err != nil {
		return r, err
	}
	// What cannot be written down is tried again by the next process.
	_ = t.book.Keep(s, r)
	return r, nil
}
