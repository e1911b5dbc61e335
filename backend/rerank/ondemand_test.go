package rerank_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// loads makes rankers that know whether they were closed in use, and counts them.
type loads struct {
	opened, closed atomic.Int32
	fail           error
	takes          time.Duration // to load
	works          time.Duration // to rerank
}

type loaded struct {
	*loads
	t    *testing.T
	gone atomic.Bool
}

func (l *loads) open(t *testing.T) func() (rerank.Closer, error) {
	return func() (rerank.Closer, error) {
		<-time.After(l.takes)
		if l.fail != nil {
			return nil, l.fail
		}
		l.opened.Add(1)
		return &loaded{loads: l, t: t}, nil
	}
}

func (l *loaded) Info() rerank.Info { return loadedInfo }

func (l *loaded) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	select {
	case <-time.After(l.works):
	case <-ctx.Done():
		return rerank.Result{}, ctx.Err()
	}
	if l.gone.Load() {
		l.t.Error("closed while it was used")
	}
	return (&counting{}).Rerank(ctx, req)
}

func (l *loaded) Close() error {
	if l.gone.Swap(true) {
		l.t.Error("closed twice")
	}
	l.closed.Add(1)
	return nil
}

var (
	loadedInfo = rerank.Info{Backend: domain.BackendCrossEncoder, Model: "loaded"}
	one        = rerank.Request{Query: "q", Passages: []string{"p"}}
)

func TestOnDemandLoadsOnceAndUnloadsWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &loads{takes: time.Second, works: time.Second}
		o := rerank.NewOnDemand(loadedInfo, time.Minute, l.open(t))
		counts := func(opened, closed int32) {
			t.Helper()
			synctest.Wait()
			if l.opened.Load() != opened || l.closed.Load() != closed {
				t.Fatalf("opened %d times, closed %d times; want %d, %d", l.opened.Load(), l.closed.Load(), opened, closed)
			}
		}
		if _, err := o.Rerank(t.Context(), rerank.Request{Query: "q"}); err != nil {
			t.Fatal(err)
		}
		counts(0, 0) // nothing to do, nothing loaded

		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if result, err := o.Rerank(t.Context(), one); err != nil || !result.Scored[0] {
					t.Errorf("%+v, %v", result, err)
				}
			})
		}
		all.Wait()
		counts(1, 0)
		<-time.After(59 * time.Second)
		if err := o.Warm(t.Context()); err != nil { // a use: the minute begins anew
			t.Fatal(err)
		}
		<-time.After(59 * time.Second)
		counts(1, 0)
		<-time.After(2 * time.Second)
		counts(1, 1)

		if _, err := o.Rerank(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		counts(2, 1)

		// Close waits for who is at it and refuses who comes later.
		all.Go(func() {
			if _, err := o.Rerank(t.Context(), one); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		for range 2 {
			if err := o.Close(); err != nil {
				t.Fatal(err)
			}
		}
		counts(2, 2)
		all.Wait()
		if _, err := o.Rerank(t.Context(), one); !errors.Is(err, rerank.ErrClosed) {
			t.Errorf("error %v", err)
		}
		<-time.After(time.Hour)
		counts(2, 2)
	})
}

func TestOnDemandKeepsBudgetAndCancelWhileLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &loads{takes: time.Minute}
		o := rerank.NewOnDemand(loadedInfo, time.Minute, l.open(t))
		defer o.Close()
		start := time.Now()
		hurried := one
		hurried.Budget = 4 * time.Second
		if result, err := o.Rerank(t.Context(), hurried); err != nil || result.Scored[0] || time.Since(start) != hurried.Budget {
			t.Errorf("%+v, %v after %v", result, err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := o.Rerank(ctx, one); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 5*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if result, err := o.Rerank(t.Context(), one); err != nil || !result.Scored[0] || time.Since(start) != time.Minute {
			t.Errorf("%+v, %v after %v", result, err, time.Since(start))
		}
		if n := l.opened.Load(); n != 1 {
			t.Errorf("loaded %d times", n)
		}
	})
}

func TestOnDemandTriesAgainAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault := errors.New("made-up fault")
		l := &loads{fail: fault}
		o := rerank.NewOnDemand(loadedInfo, 0, l.open(t))
		if _, err := o.Rerank(t.Context(), one); !errors.Is(err, fault) {
			t.Errorf("error %v", err)
		}
		l.fail = nil
		if _, err := o.Rerank(t.Context(), one); err != nil {
			t.Error(err)
		}
		if err := o.Close(); err != nil || l.closed.Load() != 1 {
			t.Errorf("closed %d times, %v", l.closed.Load(), err)
		}
	})
}

// TestOnDemandUnderARace: searches, unloading and the end all at once; the rankers notice use after closing.
func TestOnDemandUnderARace(t *testing.T) {
	l := &loads{}
	o := rerank.NewOnDemand(loadedInfo, 1, l.open(t)) // idle after a nanosecond
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 300 {
				if _, err := o.Rerank(t.Context(), one); err != nil && !errors.Is(err, rerank.ErrClosed) {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for l.opened.Load() < 20 {
			if err := o.Warm(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	if l.opened.Load() != l.closed.Load() {
		t.Errorf("opened %d times, closed %d times", l.opened.Load(), l.closed.Load())
	}
}

func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &loads{works: 3 * time.Second}
		turns := rerank.NewTurns()
		model := &loaded{loads: l, t: t}
		first, second := turns.InTurn(model), turns.InTurn(model)
		start := time.Now()
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := first.Rerank(t.Context(), one); err != nil || time.Since(start) != 3*time.Second {
				t.Errorf("%v after %v", err, time.Since(start))
			}
		})
		synctest.Wait()

		hurried := one
		hurried.Budget = time.Second
		if result, err := second.Rerank(t.Context(), hurried); err != nil || result.Scored[0] || time.Since(start) != time.Second {
			t.Errorf("%+v, %v after %v", result, err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := second.Rerank(ctx, one); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if result, err := second.Rerank(t.Context(), one); err != nil || !result.Scored[0] || time.Since(start) != 6*time.Second {
			t.Errorf("%+v, %v after %v", result, err, time.Since(start))
		}
		all.Wait()
	})
}
