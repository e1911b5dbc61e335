package app

import (
	"context"
	"sync"
	"time"

	"fanous/backend/domain"
)

// progressEvery is how often the window is told of progress: often enough to look alive, seldom
// enough that a run over many small files does not drown it in events.
const progressEvery = 100 * time.Millisecond

// work is the one long thing that a service does at a time, and the last that is known of how far it is.
type work[P any] struct {
	mu       sync.Mutex
	cancel   context.CancelFunc // nil when nothing goes on
	progress P
}

// begin starts the work at a first progress, or refuses with busy, a sentence, while another one goes on. The function
// that it returns must be called when the work has ended.
func (w *work[P]) begin(first P, busy string) (context.Context, func(), error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil {
		return nil, nil, domain.Errorf(domain.CodeLocked, "wait for it, or cancel it first", "%s", busy)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel, w.progress = cancel, first
	return ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		cancel()
		var none P
		w.cancel, w.progress = nil, none
	}, nil
}

// stop ends the work, if any goes on.
func (w *work[P]) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil {
		w.cancel()
	}
}

// last is the last progress; the zero value when nothing goes on.
func (w *work[P]) last() P {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.progress
}

// report keeps every progress, and sends the first of each phase and then at most one every progressEvery.
func (w *work[P]) report(phase func(P) string, send func(P)) func(P) {
	var now string
	var sent time.Time
	return func(p P) {
		w.mu.Lock()
		w.progress = p
		due := phase(p) != now || time.Since(sent) >= progressEvery
		if due {
			now, sent = phase(p), time.Now()
		}
		w.mu.Unlock()
		if due {
			send(p)
		}
	}
}
