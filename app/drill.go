package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
)

// DrillService finds out what would become of searching if the network went now, one drill at a time.
type DrillService struct {
	engine *engine
	shell  Shell
	work   work[DrillWork]

	due sync.Once // a drill by itself is made once while the window is open
}

// How long nobody must have searched before a drill is made that nobody has asked for, and before each of its searches.
const (
	calmBefore  = 2 * time.Minute
	calmBetween = 5 * time.Second
)

// whenDue makes a drill where the settings want one by now. Searches go first.
func (s *DrillService) whenDue() {
	s.due.Do(func() {
		due, err := with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (bool, error) {
			if !b.DrillIsDue(time.Now()) {
				return false, nil
			}
			return true, b.Calm(ctx, calmBefore)
		})
		if due && err == nil {
			_, err = s.make(domain.DrillRequest{}, func(ctx context.Context, b *backend.Backend, p domain.DrillProgress) {
				if p.Step == domain.DrillStepReplay {
					_ = b.Calm(ctx, calmBetween) // the end of ctx ends the drill
				}
			})
		}
		if err != nil && s.engine.ctx.Err() == nil {
			slog.Warn("outage drill", "error", err)
		}
	})
}

// DrillWork is the drill that goes on, as EventDrillWork tells it.
type DrillWork struct {
	Running  bool                 `json:"running"`
	Progress domain.DrillProgress `json:"progress"`
}

// Start makes a drill and returns its report; EventDrillWork tells how far it is.
func (s *DrillService) Start(req domain.DrillRequest) (domain.DrillReport, error) {
	return s.make(req, func(context.Context, *backend.Backend, domain.DrillProgress) {})
}

// make calls before at each step, before it goes on.
func (s *DrillService) make(req domain.DrillRequest, before func(context.Context, *backend.Backend, domain.DrillProgress)) (domain.DrillReport, error) {
	ctx, done, err := s.work.begin(DrillWork{Running: true}, "another drill is under way")
	if err != nil {
		return domain.DrillReport{}, err
	}
	tell := func(w DrillWork) { emit(s.shell, EventDrillWork, w) }
	defer func() {
		done()
		tell(DrillWork{})
	}()
	report := s.work.report(func(w DrillWork) string { return w.Progress.Step + " " + w.Progress.Tier }, tell)
	report(DrillWork{Running: true})
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (domain.DrillReport, error) {
		return b.Drill(ctx, req, func(p domain.DrillProgress) {
			report(DrillWork{Running: true, Progress: p})
			before(ctx, b, p)
		})
	})
}

// Cancel stops the drill that goes on, if one does. It leaves nothing behind.
func (s *DrillService) Cancel() { s.work.stop() }

// Work is the drill that goes on.
func (s *DrillService) Work() DrillWork { return s.work.last() }

// DrillKept is the last drill.
type DrillKept struct {
	Made   bool               `json:"made"` // false: there was none
	Report domain.DrillReport `json:"report"`
}

// Last is the last drill, its sentences in a language.
func (s *DrillService) Last(language string) (DrillKept, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (DrillKept, error) {
		r, err := b.LastDrill(ctx, language)
		if r == nil || err != nil {
			return DrillKept{}, err
		}
		return DrillKept{Made: true, Report: *r}, nil
	})
}

// Save asks for a new file and writes the last drill into it, as a page in a language. It is empty where the analyst
// changed their mind.
func (s *DrillService) Save(language string) (string, error) {
	path, err := s.shell.ChooseNewFile("outage-drill.html")
	if err != nil || path == "" {
		return "", err
	}
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (string, error) {
		r, err := b.LastDrill(ctx, language)
		if err != nil {
			return "", err
		}
		if r == nil {
			return "", domain.Errorf(domain.CodeNotFound, "make one first", "there was no drill yet")
		}
		return path, b.WriteDrill(*r, path, language)
	})
}
