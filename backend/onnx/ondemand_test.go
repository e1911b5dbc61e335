package onnx_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/onnx"
)

// loads makes made-up models that know whether they were closed in use, and counts them.
type loads struct {
	t              *testing.T
	opened, closed atomic.Int32
	fail           error
	takes          time.Duration
}

type loadedModel struct {
	*loads
	gone atomic.Bool
}

func (l *loads) open() (*loadedModel, error) {
	if l.takes > 0 {
		<-time.After(l.takes) // of a synctest's time
	}
	if l.fail != nil {
		return nil, l.fail
	}
	l.opened.Add(1)
	return &loadedModel{loads: l}, nil
}

func (l *loads) want(what string, opened, closed int32) {
	l.t.Helper()
	synctest.Wait()
	if l.opened.Load() != opened || l.closed.Load() != closed {
		l.t.Errorf("%s: opened %d and closed %d times, want %d and %d", what, l.opened.Load(), l.closed.Load(), opened, closed)
	}
}

func (m *loadedModel) work() {
	if m.gone.Load() {
		m.t.Error("closed while it was used")
	}
}

func (m *loadedModel) Close() error {
	if m.gone.Swap(true) {
		m.t.Error("closed twice")
	}
	m.closed.Add(1)
	return nil
}

func TestOnDemandLoadsOnceAndFreesWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &loads{t: t, takes: time.Second}
		o := onnx.NewOnDemand(time.Minute, l.open)
		use := func() func() {
			t.Helper()
			m, done, err := o.Use(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return func() { m.work(); done() }
		}
		l.want("before the first use", 0, 0)
		uses := make(chan func(), 2)
		for range cap(uses) {
			go func() { uses <- use() }()
		}
		first, second := <-uses, <-uses
		l.want("two at a time", 1, 0)
		first()
		<-time.After(2 * time.Minute)
		l.want("one still uses it", 1, 0)
		second()
		<-time.After(time.Minute - 1)
		l.want("not idle for long", 1, 0)
		use()()
		<-time.After(time.Minute - 1)
		l.want("used in between", 1, 0)
		<-time.After(2)
		l.want("idle", 1, 1)

		last := use()
		l.want("used again", 2, 1)
		closed := make(chan error, 1)
		go func() { closed <- o.Close() }()
		l.want("closed in use", 2, 1)
		last()
		if err := <-closed; err != nil {
			t.Error(err)
		}
		l.want("closed", 2, 2)
		if _, _, err := o.Use(t.Context()); !errors.Is(err, onnx.ErrClosed) {
			t.Errorf("after closing: %v", err)
		}
		if err := o.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
		<-time.After(time.Hour)
		l.want("much later", 2, 2)
	})
}

func TestOnDemandWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &loads{t: t, takes: time.Minute}
		o := onnx.NewOnDemand(time.Hour, l.open)
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := o.Use(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if _, done, err := o.Use(t.Context()); err != nil || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		} else {
			done()
		}
		l.want("the same loading", 1, 0)
		if err := o.Close(); err != nil {
			t.Error(err)
		}
		l.want("closed", 1, 1)
	})
}

func TestOnDemandTriesAgainAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault := errors.New("made-up fault")
		l := &loads{t: t, fail: fault}
		o := onnx.NewOnDemand(time.Minute, l.open)
		if _, _, err := o.Use(t.Context()); !errors.Is(err, fault) {
			t.Errorf("error %v", err)
		}
		l.fail = nil
		_, done, err := o.Use(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		done()
		if err := o.Close(); err != nil {
			t.Error(err)
		}
		l.want("after a failure", 1, 1)
	})
}

// TestOnDemandUnderARace: uses, freeing and the end all at once; the models notice use after closing.
func TestOnDemandUnderARace(t *testing.T) {
	l := &loads{t: t}
	o := onnx.NewOnDemand(1, l.open) // idle after a nanosecond
	use := func() error {
		m, done, err := o.Use(t.Context())
		if err != nil {
			return err
		}
		m.work()
		done()
		return nil
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 300 {
				if err := use(); err != nil && !errors.Is(err, onnx.ErrClosed) {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for l.opened.Load() < 20 {
			if err := use(); err != nil {
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
