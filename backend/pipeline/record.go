package pipeline

import (
	"context"
	"sync"
	"time"

	"fanous/backend/domain"
	"fanous/backend/store"
)

// recordQueue is how many searches may wait to be written.
const recordQueue = 64

// Recorder keeps finished searches in the history, behind the searches' back: no search waits for it or
// fails by it, and what cannot be written soon is not kept. Its methods may be called from several goroutines,
// and on nil, which keeps nothing.
type Recorder struct {
	writer *store.HistoryWriter

	mu     sync.Mutex
	closed bool
	queue  chan domain.HistoryEntry
	done   chan struct{}
}

// NewRecorder makes a Recorder for the latest searches in a store, as many as keep says. Close it before that.
func NewRecorder(s *store.Store, keep int) *Recorder {
	r := &Recorder{writer: s.HistoryWriter(keep), queue: make(chan domain.HistoryEntry, recordQueue), done: make(chan struct{})}
	go r.work()
	return r
}

// Record keeps a finished search. An order on the way and a query without a word are none.
func (r *Recorder) Record(req domain.SearchRequest, resp domain.SearchResponse) {
	if r == nil || resp.Partial || !resp.Searchable {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	select {
	case r.queue <- domain.HistoryEntry{At: time.Now(), Collection: resp.Collection, Query: resp.Query, Trace: domain.TraceOf(resp).Asked(req)}:
	default: // the disk does not keep up
	}
}

// Close writes what waits, or gives it up, and closes the connection. Closing twice is harmless.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.mu.Unlock()
	<-r.done
	return r.writer.Close()
}

// work writes until the queue is closed. Once one could not be written, the others of a closed queue are
// given up: the program wants to end.
func (r *Recorder) work() {
	defer close(r.done)
	for e := range r.queue {
		if err := r.writer.Add(context.Background(), e); err != nil && r.ending() {
			return
		}
	}
}

func (r *Recorder) ending() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}
