package pipeline

import (
	"context"
	"time"

	"fanous/backend/domain"
	"fanous/backend/store"
)

// Recorder keeps finished searches in the history. No search waits for it or fails by it. Its methods may be called
// from several goroutines, and on nil, which keeps nothing.
type Recorder struct{ writer *store.HistoryWriter }

// NewRecorder makes a Recorder for the latest searches in a store, as many as keep says. Close it before that.
func NewRecorder(s *store.Store, keep int) *Recorder { return &Recorder{s.HistoryWriter(keep)} }

// Record keeps a finished search. An order on the way and a query without a word are none.
func (r *Recorder) Record(req domain.SearchRequest, resp domain.SearchResponse) {
	if r == nil || resp.Partial || !resp.Searchable {
		return
	}
	r.writer.Put(domain.HistoryEntry{At: time.Now(), Collection: resp.Collection, Query: resp.Query, Trace: domain.TraceOf(resp).Asked(req)})
}

// Wait returns when the searches recorded before are kept, or have been given up.
func (r *Recorder) Wait(ctx context.Context) {
	if r != nil {
		r.writer.Wait(ctx)
	}
}

// Close writes what waits, or gives it up. Closing twice is harmless.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	return r.writer.Close()
}
