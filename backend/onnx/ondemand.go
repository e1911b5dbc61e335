package onnx

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// DefaultIdle is how long a model stays loaded after its last use, where nobody says otherwise.
const DefaultIdle = 10 * time.Minute

// OnDemand holds a model that is loaded when it is first needed and freed when nobody has used it for a while. One
// that could not be loaded is tried again by whoever comes next. It is safe for concurrent use.
type OnDemand[T io.Closer] struct {
	open func() (T, error)
	idle time.Duration

	mu      sync.Mutex
	current *loading[T] // nil: not loaded, and nobody is loading it
	closed  bool
}

// loading is one loading of a model. model and err stand when ready is closed.
type loading[T io.Closer] struct {
	ready chan struct{}
	model T
	err   error

	users int         // those who wait for it or use it
	timer *time.Timer // frees it; nil while it has users
	freed chan struct{}
	fault error // of freeing it
}

// NewOnDemand makes one whose model open loads; it is not called before the first use.
func NewOnDemand[T io.Closer](idle time.Duration, open func() (T, error)) *OnDemand[T] {
	return &OnDemand[T]{open: open, idle: idle}
}

// Use gives the loaded model, which stays until the function given with it is called, once. The end of ctx is answered
// at once, while the loading goes on for whoever comes next.
func (o *OnDemand[T]) Use(ctx context.Context) (T, func(), error) {
	var none T
	l, err := o.acquire()
	if err != nil {
		return none, nil, err
	}
	select {
	case <-l.ready:
		err = l.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		o.release(l)
		return none, nil, err
	}
	return l.model, func() { o.release(l) }, nil
}

func (o *OnDemand[T]) acquire() (*loading[T], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, ErrClosed
	}
	l := o.current
	if l == nil {
		l = &loading[T]{ready: make(chan struct{}), freed: make(chan struct{})}
		o.current = l
		l.users++ // the loading itself, so that it cannot be freed before it is there
		go o.load(l)
	}
	l.users++
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	return l, nil
}

func (o *OnDemand[T]) load(l *loading[T]) {
	defer o.release(l)
	defer close(l.ready)
	defer func() {
		if p := recover(); p != nil {
			l.err = fmt.Errorf("loading a model: %v", p)
		}
	}()
	l.model, l.err = o.open()
}

// release gives a place back. The last one starts the clock, or frees what was closed or could not be loaded.
func (o *OnDemand[T]) release(l *loading[T]) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l.users--
	switch {
	case l.users > 0:
	case o.closed || l.err != nil:
		o.free(l)
	default:
		var timer *time.Timer
		timer = time.AfterFunc(o.idle, func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			if l.timer == timer { // nobody came while it was waiting for the lock
				o.free(l)
			}
		})
		l.timer = timer
	}
}

// free closes a model without users. The caller holds the lock, so that none can come.
func (o *OnDemand[T]) free(l *loading[T]) {
	l.timer = nil
	if o.current == l {
		o.current = nil
	}
	if l.err == nil {
		l.fault = l.model.Close()
	}
	close(l.freed)
}

// Close frees the model after its uses under way; later ones are refused with ErrClosed. Closing twice is harmless.
func (o *OnDemand[T]) Close() error {
	o.mu.Lock()
	o.closed = true
	l := o.current
	if l == nil {
		o.mu.Unlock()
		return nil
	}
	if l.timer != nil {
		l.timer.Stop()
		o.free(l)
	}
	o.mu.Unlock()
	<-l.freed
	return l.fault
}
