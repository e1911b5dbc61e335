package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

func TestCallsWaitUntilTheBackendIsOpen(t *testing.T) {
	open := openIn(t)
	gate := make(chan struct{})
	e := newEngine(func() (backend.Config, error) {
		<-gate
		return open()
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
	e := newEngine(func() (backend.Config, error) {
		if opened++; opened == 1 {
			return backend.Config{}, domain.Errorf(domain.CodeLocked, "", "the index is in use")
		}
		return open()
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

// A repair needs the index for itself: what goes on with it ends, and what comes meanwhile waits.
func TestRepairHasTheIndexForItself(t *testing.T) {
	configure := openIn(t)
	opened := 0
	e := newEngine(func() (backend.Config, error) {
		cfg, err := configure()
		if opened++; opened == 2 { // it is closed: nothing is put right by what is still in its log
			damage(t, filepath.Join(cfg.DataDir, "fanous.db"))
		}
		return cfg, err
	})
	e.start()
	running, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- run(e, func(ctx context.Context, b *backend.Backend) error {
			if _, err := b.AddCollection(ctx, "files", []string{t.TempDir()}); err != nil {
				return err
			}
			close(running)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	<-running
	report, err := (&IndexService{engine: e}).Repair()
	if err != nil || report.Repair != domain.RepairAnew || report.Found == "" {
		t.Errorf("got %+v, %v", report, err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("what went on ended with %v", err)
	}
	if err := run(e, func(ctx context.Context, b *backend.Backend) error {
		_, err := b.Collections(ctx)
		return err
	}); err != nil {
		t.Errorf("after the repair: %v", err)
	}
	if err := e.close(); err != nil {
		t.Error(err)
	}
}

// A repair that is stopped leaves an index that can be opened, or said to be damaged, as before.
func TestARepairCanBeStopped(t *testing.T) {
	e := newEngine(openIn(t))
	e.start()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.repair(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := run(e, func(context.Context, *backend.Backend) error { return nil }); err != nil {
		t.Error(err)
	}
	if err := e.close(); err != nil {
		t.Error(err)
	}
}

// damage writes over the whole of an index.
func damage(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 0xA5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
