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
	configure Configure
	opened    func()          // called in the background once it is open
	ctx       context.Context // ends when the app closes
	cancel    context.CancelFunc

	mu       sync.Mutex
	try      *attempt
	calls    context.Context // ends the calls of this and earlier attempts
	endCalls context.CancelFunc

	reopening sync.Mutex
	replaced  sync.WaitGroup // backends that close once their last call has ended
}

// attempt is one try at opening; backend and err may be read once done is closed.
type attempt struct {
	done    chan struct{}
	calls   context.Context
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

func newEngine(configure Configure) *engine {
	e := &engine{configure: configure}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	e.calls, e.endCalls = context.WithCancel(e.ctx)
	e.try = e.newAttempt()
	return e
}

func (e *engine) newAttempt() *attempt { return &attempt{done: make(chan struct{}), calls: e.calls} }

func (e *engine) start() {
	try := e.current()
	go e.open(try)
}

// open opens the backend of an attempt, and then goes on with what follows from that.
func (e *engine) open(try *attempt) {
	try.backend, try.err = e.openBackend()
	close(try.done)
	if try.err == nil {
		e.follow(try)
	}
}

func (e *engine) openBackend() (*backend.Backend, error) {
	cfg, err := e.configure()
	if err != nil {
		return nil, err
	}
	return backend.Open(e.ctx, cfg)
}

func (e *engine) follow(try *attempt) {
	if e.opened != nil {
		go e.opened()
	}
	go e.selfTest(try)
}

// selfTest finds out, beside everything else, what models run on.
func (e *engine) selfTest(try *attempt) {
	try.inUse.RLock()
	defer try.inUse.RUnlock()
	if try.closed || try.calls.Err() != nil {
		return
	}
	if err := try.backend.SelfTest(try.calls); err != nil && try.calls.Err() == nil {
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
	e.try = e.newAttempt()
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
	b, err := e.openBackend()
	if err != nil {
		return err
	}
	e.mu.Lock()
	if e.ctx.Err() != nil {
		e.mu.Unlock()
		return errors.Join(e.ctx.Err(), b.Close())
	}
	old, next := e.try, e.newAttempt()
	next.backend = b
	close(next.done)
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
	e.follow(next)
	return nil
}

// repair makes the index whole, and opens the backend again whatever comes of it. Nobody may have the index open meanwhile:
// calls that go on are ended, later ones wait.
func (e *engine) repair(ctx context.Context) (domain.RepairReport, error) {
	e.reopening.Lock()
	defer e.reopening.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, cancel)()

	e.mu.Lock()
	e.endCalls()
	e.calls, e.endCalls = context.WithCancel(e.ctx)
	old, next := e.try, e.newAttempt()
	e.try = next
	e.mu.Unlock()
	defer e.open(next)
	<-old.done
	err := old.close()
	e.replaced.Wait()
	if err != nil {
		slog.Warn("closing the index that is to be repaired", "error", err)
	}
	cfg, err := e.configure()
	if err != nil {
		return domain.RepairReport{}, err
	}
	return backend.RepairIndex(ctx, cfg)
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

// with calls fn with the open backend, waiting for it to open. The context that fn gets ends with ctx,
// with the app, or where the index is to be repaired. What it returns can be encoded.
func with[T any](ctx context.Context, e *engine, fn func(context.Context, *backend.Backend) (T, error)) (T, error) {
	var zero T
	try, err := e.use(ctx)
	if err != nil {
		return zero, err
	}
	defer try.inUse.RUnlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(try.calls, cancel)()
	out, err := fn(ctx, try.backend)
	if n := finite(&out); n > 0 {
		slog.Warn("figures of an answer are not numbers", "answer", fmt.Sprintf("%T", out), "count", n)
	}
	return out, err
}

// use gives the attempt whose backend is open, waiting for it. Its inUse is held for reading.
func (e *engine) use(ctx context.Context) (*attempt, error) {
	for {
		try := e.current()
		select {
		case <-try.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-e.ctx.Done():
			return nil, e.ctx.Err()
		}
		if try.err != nil {
			return nil, try.err
		}
		try.inUse.RLock()
		if e.ctx.Err() != nil {
			try.inUse.RUnlock()
			return nil, domain.Errorf(domain.CodeCanceled, "", "Fanous is closing")
		}
		if !try.closed {
			return try, nil
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
