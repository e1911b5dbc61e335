package app

import (
	"context"
	"errors"
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

	reopening sync.Mutex
	replaced  sync.WaitGroup // backends that close once their last call has ended
}

// attempt is one try at opening; backend and err may be read once done is closed.
type attempt struct {
	done    chan struct{}
	backend *backend.Backend
	err     error

	// inUse is held for reading by every call in flight: the backend's native sessions must not be
	// closed under a running search.
	inUse  sync.RWMutex
	closed bool // under inUse
}

// close waits for every call in flight and closes the backend. A second call does nothing.
func (a *attempt) close() error {
	a.inUse.Lock()
	defer a.inUse.Unlock()
	if a.closed || a.backend == nil {
		return nil
	}
	a.closed = true
	return a.backend.Close()
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
	try.inUse.RLock()
	defer try.inUse.RUnlock()
	if try.err != nil || try.closed || e.ctx.Err() != nil {
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

// reopen opens a second backend, as the configuration is by now, and puts it in the place of the one that is open, which goes
// on until its last call has ended: an index run is not cut short. Where the new one cannot be opened nothing changes.
func (e *engine) reopen() error {
	e.reopening.Lock()
	defer e.reopening.Unlock()
	b, err := e.open(e.ctx)
	if err != nil {
		return err
	}
	next := &attempt{done: make(chan struct{}), backend: b}
	close(next.done)
	e.mu.Lock()
	if e.ctx.Err() != nil {
		e.mu.Unlock()
		return errors.Join(e.ctx.Err(), b.Close())
	}
	old := e.try
	select {
	case <-old.done:
		if old.err == nil {
			b.TakeTurns(old.backend)
		}
	default: // nothing runs on it yet
	}
	e.try = next
	e.replaced.Go(func() {
		<-old.done
		if err := old.close(); err != nil {
			slog.Warn("closing what was open before", "error", err)
		}
	})
	e.mu.Unlock()
	if e.opened != nil {
		go e.opened()
	}
	go e.selfTest(next)
	return nil
}

func (e *engine) close() error {
	e.mu.Lock()
	e.cancel()
	try := e.try
	e.mu.Unlock()
	select {
	case <-try.done:
	default:
		return nil // never opened, or still opening: the process ends, and a killed backend loses nothing
	}
	err := try.close()
	e.replaced.Wait()
	return err
}

// with calls fn with the open backend, waiting for it to open. The context that fn gets ends with ctx
// or with the app, whichever is first. What it returns can be encoded.
func with[T any](ctx context.Context, e *engine, fn func(context.Context, *backend.Backend) (T, error)) (T, error) {
	var zero T
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, cancel)()

	b, done, err := e.use(ctx)
	if err != nil {
		return zero, err
	}
	defer done()
	out, err := fn(ctx, b)
	if n := finite(&out); n > 0 {
		slog.Warn("figures of an answer are not numbers", "answer", fmt.Sprintf("%T", out), "count", n)
	}
	return out, err
}

// use gives the backend that is open, waiting for it; done must be called when it is not used any more.
func (e *engine) use(ctx context.Context) (b *backend.Backend, done func(), err error) {
	for {
		try := e.current()
		select {
		case <-try.done:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		if try.err != nil {
			return nil, nil, try.err
		}
		try.inUse.RLock()
		if e.ctx.Err() != nil {
			try.inUse.RUnlock()
			return nil, nil, domain.Errorf(domain.CodeCanceled, "", "Fanous is closing")
		}
		if !try.closed {
			return try.backend, try.inUse.RUnlock, nil
		}
		try.inUse.RUnlock() // another one has taken its place meanwhile
	}
}

// run is with for a call that has no result.
func run(e *engine, fn func(context.Context, *backend.Backend) error) error {
	_, err := with(context.Background(), e, func(ctx context.Context, b *backend.Backend) (struct{}, error) {
		return struct{}{}, fn(ctx, b)
	})
	return err
}
