package app

import (
	"context"
	"sync"

	"fanous/backend/domain"
)

// latest is a call of which only the last one is wanted: each begins by ending the one before it.
type latest struct {
	mu     sync.Mutex
	id     int64
	cancel context.CancelFunc
}

// begin starts a call. The window numbers them upwards; one that arrives after a newer one has begun is refused as
// canceled, for calls may overtake one another on their way here. The function that it returns must be called when the
// call has ended.
func (l *latest) begin(id int64) (context.Context, context.CancelFunc, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id < l.id {
		return nil, nil, domain.Errorf(domain.CodeCanceled, "", "a newer one was asked for")
	}
	if l.cancel != nil {
		l.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.id, l.cancel = id, cancel
	return ctx, cancel, nil
}

// stop ends the call that runs, if one does.
func (l *latest) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		l.cancel()
	}
}
