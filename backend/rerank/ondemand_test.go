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
	"fanous/backend/onnx"
	"fanous/backend/rerank"
)

// loads makes rankers that know whether they were closed in use, and counts them.
type loads struct {
	opened, closed atomic.Int32
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

func TestOnDemandIsLoadedForWorkAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &loads{}
		o := rerank.NewOnDemand(loadedInfo, l.open(t))
		for _, step := range []struct {
			what   string
			do     func() error
			opened int32
		}{
			{"no passages", func() error { _, err := o.Rerank(t.Context(), rerank.Request{Query: "q"}); return err }, 0},
			{"warming", func() error { return o.Warm(t.Context()) }, 1},
			{"a request", func() error { _, err := o.Rerank(t.Context(), one); return err }, 1},
		} {
			if err := step.do(); err != nil || l.opened.Load() != step.opened {
				t.Errorf("%s: %v, loaded %d times, want %d", step.what, err, l.opened.Load(), step.opened)
			}
		}
		if err := o.Close(); err != nil || l.closed.Load() != 1 {
			t.Errorf("closed %d times, %v", l.closed.Load(), err)
		}
		if _, err := o.Rerank(t.Context(), one); !errors.Is(err, onnx.ErrClosed) {
			t.Errorf("error %v", err)
		}
	})
}

func TestOnDemandKeepsBudgetAndCancelWhileLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &loads{takes: time.Minute}
		o := rerank.NewOnDemand(loadedInfo, l.open(t))
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
