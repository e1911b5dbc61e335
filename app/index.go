package app

import (
	"context"
	"sync"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
)

// progressEvery is how often the window is told of progress: often enough to look alive, seldom
// enough that a run over many small files does not drown it in events.
const progressEvery = 100 * time.Millisecond

// IndexService brings collections up to date, one run at a time.
type IndexService struct {
	engine *engine
	shell  Shell

	mu       sync.Mutex
	cancel   context.CancelFunc // of the run; nil when none runs
	progress domain.IndexProgress
}

// Start indexes and returns when the run has ended; EventIndexProgress tells how far it is.
func (s *IndexService) Start(req domain.IndexRequest) (domain.IndexReport, error) {
	ctx, done, err := s.begin()
	if err != nil {
		return domain.IndexReport{}, err
	}
	defer done()
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (domain.IndexReport, error) {
		return b.Index(ctx, req, s.report())
	})
}

// Cancel stops the run that is going on, if one is. What it has finished stays.
func (s *IndexService) Cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

// Progress is the last snapshot of the run that goes on; its Phase is empty when none does. Being bound,
// it also gives the window the type of EventIndexProgress.
func (s *IndexService) Progress() domain.IndexProgress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// ChooseFolder asks for a folder; empty when the analyst changed their mind.
func (s *IndexService) ChooseFolder() (string, error) { return s.shell.ChooseFolder() }

func (s *IndexService) begin() (context.Context, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		return nil, nil, domain.Errorf(domain.CodeLocked, "wait for it, or cancel it first", "an index run is already going on")
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		cancel()
		s.cancel, s.progress = nil, domain.IndexProgress{}
	}, nil
}

// report keeps every snapshot, and sends on the first of each phase and then at most one every
// progressEvery.
func (s *IndexService) report() func(domain.IndexProgress) {
	var phase string
	var last time.Time
	return func(p domain.IndexProgress) {
		s.mu.Lock()
		s.progress = p
		send := p.Phase != phase || time.Since(last) >= progressEvery
		if send {
			phase, last = p.Phase, time.Now()
		}
		s.mu.Unlock()
		if send {
			emit(s.shell, EventIndexProgress, p)
		}
	}
}
