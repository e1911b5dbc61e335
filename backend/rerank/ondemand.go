package rerank

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// DefaultIdle is how long a model stays loaded after its last use.
const DefaultIdle = 10 * time.Minute

// ErrClosed is what a closed ranker answers.
var ErrClosed = errors.New("the reranker is closed")

// Closer is a ranker that holds something.
type Closer interface {
	Reranker
	Close() error
}

// OnDemand loads a ranker when it is first needed and frees it when it has not been used for a while. A
// ranker that could not be loaded is tried again by the next request.
type OnDemand struct {
	info Info
	open func() (Closer, error)
	idle time.Duration

	mu     sync.Mutex
	model  *model // nil: not loaded, and nobody is loading it
	closed bool
}

// model is one loading of the ranker. ready is closed when ranker and err stand.
type model struct {
	ready  chan struct{}
	ranker Closer
	err    error

	users int         // those who wait for it or use it
	uses  int         // how often someone came
	timer *time.Timer // frees it; nil while it has users
	freed chan struct{}
}

// NewOnDemand makes a ranker that is, while nothing is loaded, already known by its info. idle 0 means
// DefaultIdle.
func NewOnDemand(info Info, idle time.Duration, open func() (Closer, error)) *OnDemand {
	if idle <= 0 {
		idle = DefaultIdle
	}
	return &OnDemand{info: info, open: open, idle: idle}
}

// Info is known without loading.
func (o *OnDemand) Info() Info { return o.info }

// Warm loads the ranker, or says why that cannot be. It is then as if it had just been used.
func (o *OnDemand) Warm(ctx context.Context) error {
	m, err := o.acquire(ctx)
	if err != nil {
		return err
	}
	o.release(m)
	return nil
}

// Rerank loads the ranker where it is not there; that counts against the budget. The end of ctx is
// answered at once, and so is a spent budget, while the loading goes on for whoever comes next.
func (o *OnDemand) Rerank(ctx context.Context, req Request) (Result, error) {
	if err := ctx.Err(); err != nil || len(req.Passages) == 0 {
		return newResult(len(req.Passages)), err
	}
	start := time.Now()
	loading := ctx
	if req.Budget > 0 {
		var cancel context.CancelFunc
		loading, cancel = context.WithTimeout(ctx, req.Budget)
		defer cancel()
	}
	m, err := o.acquire(loading)
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return newResult(len(req.Passages)), nil
	case err != nil:
		return Result{}, err
	}
	defer o.release(m)
	req, ok := req.after(time.Since(start))
	if !ok {
		return newResult(len(req.Passages)), nil
	}
	return m.ranker.Rerank(ctx, req)
}

// acquire gives the loaded ranker, which stays until release. Who stops waiting takes its name off the list
// itself, so that no place is kept for it.
func (o *OnDemand) acquire(ctx context.Context) (*model, error) {
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		return nil, ErrClosed
	}
	m := o.model
	if m == nil {
		m = &model{ready: make(chan struct{}), freed: make(chan struct{})}
		o.model = m
		m.users++ // the loading itself, so that it cannot be freed before it is there
		go o.load(m)
	}
	m.users++
	m.uses++
	if m.timer != nil {
		m.timer.Stop()
		m.timer = nil
	}
	o.mu.Unlock()

	select {
	case <-m.ready:
	case <-ctx.Done():
		o.release(m)
		return nil, ctx.Err()
	}
	if m.err != nil {
		o.release(m)
		return nil, m.err
	}
	return m, nil
}

func (o *OnDemand) load(m *model) {
	defer o.release(m)
	defer close(m.ready)
	defer func() {
		if p := recover(); p != nil {
			m.err = fmt.Errorf("loading %s: %v", o.info.Model, p)
		}
	}()
	m.ranker, m.err = o.open()
}

// release gives a place back. The last one starts the clock, or, where it was closed or never loaded, frees it.
func (o *OnDemand) release(m *model) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m.users--
	switch {
	case m.users > 0:
	case o.closed || m.err != nil:
		o.free(m)
	default:
		uses := m.uses
		m.timer = time.AfterFunc(o.idle, func() { o.unload(m, uses) })
	}
}

// unload frees a ranker that nobody has used since. A clock that was stopped too late finds more uses.
func (o *OnDemand) unload(m *model, uses int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.model == m && m.uses == uses {
		o.free(m)
	}
}

// free closes the ranker of a model without users; o.mu is held, so that none can come.
func (o *OnDemand) free(m *model) {
	m.timer = nil
	if o.model == m {
		o.model = nil
	}
	if m.ranker != nil {
		m.err = m.ranker.Close()
	}
	close(m.freed)
}

// Close frees the ranker after the requests under way; later ones are refused with ErrClosed. Closing twice is
// harmless.
func (o *OnDemand) Close() error {
	o.mu.Lock()
	o.closed = true
	m := o.model
	if m == nil {
		o.mu.Unlock()
		return nil
	}
	if m.timer != nil {
		m.timer.Stop()
		o.free(m)
	}
	o.mu.Unlock()
	<-m.freed
	if m.ranker == nil {
		return nil // it could not be loaded, which is no fault of closing
	}
	return m.err
}
