package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// IndexService brings collections up to date, one run at a time.
type IndexService struct {
	engine *engine
	shell  Shell
	run    work[domain.IndexProgress]
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
func (s *IndexService) Cancel() { s.run.stop() }

// Repair checks the index, makes again what is damaged and opens it. Searches wait meanwhile, and other work ends. It is no
// run, but Cancel stops it, too. Each collection of the report is to be indexed afterwards, with Rebuild.
func (s *IndexService) Repair() (domain.RepairReport, error) {
	ctx, done, err := s.begin()
	if err != nil {
		return domain.RepairReport{}, err
	}
	defer done()
	return s.engine.repair(ctx)
}

// Progress is the last snapshot of the run that goes on; its Phase is empty when none does. Being bound,
// it also gives the window the type of EventIndexProgress.
func (s *IndexService) Progress() domain.IndexProgress { return s.run.last() }

// ChooseFolder asks for a folder; empty when the analyst changed their mind.
func (s *IndexService) ChooseFolder() (string, error) { return s.shell.ChooseFolder() }

func (s *IndexService) begin() (context.Context, func(), error) {
	return s.run.begin(domain.IndexProgress{}, "an index run is already going on")
}

func (s *IndexService) report() func(domain.IndexProgress) {
	return s.run.report(
		func(p domain.IndexProgress) string { return p.Phase },
		func(p domain.IndexProgress) { emit(s.shell, EventIndexProgress, p) },
	)
}
