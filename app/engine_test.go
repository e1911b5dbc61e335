package app

import (
	"context"
	"errors"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

func TestCallsWaitUntilTheBackendIsOpen(t *testing.T) {
	open := openIn(t)
	gate := make(chan struct{})
	e := newEngine(func(ctx context.Context) (*backend.Backend, error) {
		<-gate
		return open(ctx)
	})
	e.start()
	answered := make(chan error)
	go func() {
		answered <- run(e, func(context.Context, *backend.Backend) error { return nil })
	}()
	select {
	case err := <-answered:
		t.Fatalf("answered before the backend was open: %v", err)
	default:
	}
	close(gate)
	if err := <-answered; err != nil {
		t.Error(err)
	}
	if err := e.close(); err != nil {
		t.Error(err)
	}
}

func TestACanceledCallDoesNotWait(t *testing.T) {
	e := newEngine(openIn(t)) // never started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := with(ctx, e, func(context.Context, *backend.Backend) (int, error) { return 1, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRetryOpensAgainOnlyAfterAFailure(t *testing.T) {
	open := openIn(t)
	opened := 0
	e := newEngine(func(ctx context.Context) (*backend.Backend, error) {
		if opened++; opened == 1 {
			return nil, domain.Errorf(domain.CodeLocked, "", "the index is in use")
		}
		return open(ctx)
	})
	nothing := func(context.Context, *backend.Backend) error { return nil }
	e.start()
	if err := run(e, nothing); domain.CodeOf(err) != domain.CodeLocked {
		t.Fatalf("got %v", err)
	}
	e.retry()
	if err := run(e, nothing); err != nil {
		t.Fatal(err)
	}
	e.retry()
	if err := run(e, nothing); err != nil || opened != 2 {
		t.Errorf("opened %d times, %v", opened, err)
	}
	if err := e.close(); err != nil {
		t.Error(err)
	}
}

func TestCloseCancelsAndWaitsForWhatRuns(t *testing.T) {
	e := newEngine(openIn(t))
	e.start()
	running, ended := make(chan struct{}), make(chan struct{})
	go run(e, func(ctx context.Context, b *backend.Backend) error {
		close(running)
		<-ctx.Done()
		_, err := b.Collections(context.Background()) // the backend must still be open
		if err != nil {
			t.Error(err)
		}
		close(ended)
		return err
	})
	<-running
	if err := e.close(); err != nil {
		t.Error(err)
	}
	select {
	case <-ended:
	default:
		t.Error("closed under a running call")
	}
	if err := run(e, func(context.Context, *backend.Backend) error { return nil }); !errors.Is(err, context.Canceled) && domain.CodeOf(err) != domain.CodeCanceled {
		t.Errorf("a call after closing: %v", err)
	}
}
