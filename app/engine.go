package app

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"fanous/backend"
	"fanous/backend/domain"
)

// engine is the backend that opens while the window is already up.
type engine struct {
	open   Opener
	opened func()          // called in the background once it is open
	ctx    context.Context // ends when the app closes
	cancel context.CancelFunc

	mu  sync.Mutex
	try *attempt

	// inUse is held for reading by every call in flight: the backend's native sessions must not be
	// closed under a running search.
	inUse sync.RWMutex
}

// attempt is one try at opening; backend and err may be read once done is closed.
type attempt struct {
	done    chan struct{}
	backend *backend.Backend
	err     error
}

func newEngine(open Opener) *engine {
	ctx, cancel := context.WithCancel(context.Background())
	return &engine{open: open, ctx: ctx, cancel: cancel, try: &attempt{done: make(chan struct{})}}
}

func (e *engine) start() {
	try := e.current()
	go func() {
		try.backend, try.err = e.open(e.ctx)
		close(try.done)
		if try.err == nil && e.opened != nil {
			go e.opened()
		}
		e.selfTest(try)
	}()
}

// selfTest finds out, beside everything else, what models run on.
func (e *engine) selfTest(try *attempt) {
	e.inUse.RLock()
	defer e.inUse.RUnlock()
	if try.err != nil || e.ctx.Err() != nil {
		return
	}
	if err := try.backend.SelfTest(e.ctx); err != nil && e.ctx.Err() == nil {
		slog.Warn("self-test", "error", err)
	}
}

// retry opens again where the last attempt failed, and otherwise does nothing.
func (e *engine) retry() {
	e.mu.Lock()
	select {
	case <-e.try.done:
		if e.try.err == nil {
			e.mu.Unlock()
			return
		}
	default:
		e.mu.Unlock()
		return
	}
	e.try = &attempt{done: make(chan struct{})}
	e.mu.Unlock()
	e.start()
}

func (e *engine) current() *attempt {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.try
}

func (e *engine) close() error {
	e.cancel()
	e.inUse.Lock()
	defer e.inUse.Unlock()
	try := e.current()
	select {
	case <-try.done:
	default:
		return nil // never opened, or still opening: the process ends, and a killed backend loses nothing
	}
	if try.backend == nil {
		return nil
	}
	return try.backend.Close()
}

// with calls fn with the open backend, waiting for it to open. The context that fn gets ends with ctx
// or with the app, whichever is first. What it returns can be encoded.
func with[T any](ctx context.Context, e *engine, fn func(context.Context, *backend.Backend) (T, error)) (T, error) {
	var zero T
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, cancel)()

	try := e.current()
	select {
	case <-try.done:
	case <-ctx.Done():
		return zero, ctx.Err()
	}
	if try.err != nil {
		return zero, try.err
	}
	e.inUse.RLock()
	defer e.inUse.RUnlock()
	if e.ctx.Err() != nil {
		return zero, domain.Errorf(domain.CodeCanceled, "", "Fanous is closing")
	}
	out, err := fn(ctx, try.backend)
	if n := finite(&out); n > 0 {
		slog.Warn("figures of an answer are not numbers", "answer", fmt.Sprintf("%T", out), "count", n)
	}
	return out, err
}

// run is with for a call that has no result.
func run(e *engine, fn func(context.Context, *backend.Backend) error) error {
	_, err := with(context.Background(), e, func(ctx context.Context, b *backend.Backend) (struct{}, error) {
		return struct{}{}, fn(ctx, b)
	})
	return err
}
