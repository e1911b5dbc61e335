package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"fanous/backend"
	"fanous/backend/domain"
)

// Watch is a collection that is kept up to date by itself, as EventWatch tells it.
type Watch struct {
	Collection string               `json:"collection"`
	State      domain.WatchState    `json:"state"`
	Progress   domain.IndexProgress `json:"progress"`          // its Phase is empty where nothing is being indexed
	Changed    int                  `json:"changed"`           // runs that have changed something since the start
	Problem    *Problem             `json:"problem,omitempty"` // why it is not watched any more
}

// watches keeps those collections up to date whose settings say so.
type watches struct {
	engine *engine
	shell  Shell

	mu      sync.Mutex
	running map[string]*watch // by the collection's name
}

type watch struct {
	stop context.CancelFunc
	now  Watch
}

// follow begins and ends watching as the settings of the collections are now.
func (w *watches) follow() {
	list, err := with(context.Background(), w.engine, func(ctx context.Context, b *backend.Backend) ([]domain.CollectionSummary, error) {
		return b.Collections(ctx)
	})
	if err != nil {
		return // the window says elsewhere why nothing can be read
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	wanted := map[string]bool{}
	for _, c := range list {
		if c.Settings.Watch && len(c.Roots) > 0 {
			wanted[c.Name] = true
			w.begin(c.Name)
		}
	}
	for name, one := range w.running {
		if !wanted[name] {
			one.stop()
			delete(w.running, name)
		}
	}
}

// restart watches anew, with the backend that is open now.
func (w *watches) restart() {
	w.mu.Lock()
	for name, one := range w.running {
		one.stop()
		delete(w.running, name)
	}
	w.mu.Unlock()
	w.follow()
}

// begin watches a collection that is not watched yet.
func (w *watches) begin(name string) {
	if one := w.running[name]; one != nil && one.now.Problem == nil {
		return
	}
	if w.running == nil {
		w.running = map[string]*watch{}
	}
	ctx, stop := context.WithCancel(w.engine.ctx)
	one := &watch{stop: stop, now: Watch{Collection: name}}
	w.running[name] = one
	go func() {
		defer stop()
		_, err := with(ctx, w.engine, func(ctx context.Context, b *backend.Backend) (struct{}, error) {
			return struct{}{}, b.Watch(ctx, domain.IndexRequest{Collection: name}, w.tell(one))
		})
		if err == nil || ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return
		}
		slog.Warn("watching has ended", "error", err)
		problem := ProblemOf(err)
		w.say(one, func(now *Watch) { now.Progress, now.Problem = domain.IndexProgress{}, &problem })
	}()
}

// tell passes on what is heard of a watched collection.
func (w *watches) tell(one *watch) backend.Watching {
	var run work[domain.IndexProgress] // for its rate of events alone
	progress := run.report(
		func(p domain.IndexProgress) string { return p.Phase },
		func(p domain.IndexProgress) {
			if p.Phase == domain.PhaseDone {
				p = domain.IndexProgress{}
			}
			w.say(one, func(now *Watch) { now.Progress = p })
		},
	)
	return backend.Watching{
		Progress: progress,
		State:    func(s domain.WatchState) { w.say(one, func(now *Watch) { now.State = s }) },
		Report: func(r domain.IndexReport) {
			if r.Indexed+r.Removed+r.Moved+r.NotIndexed+r.Chunks+r.Recognised > 0 {
				w.say(one, func(now *Watch) { now.Changed++ })
			}
		},
	}
}

// say changes what is known of a watch and tells the window.
func (w *watches) say(one *watch, change func(*Watch)) {
	w.mu.Lock()
	change(&one.now)
	now, current := one.now, w.running[one.now.Collection] == one
	w.mu.Unlock()
	if current {
		emit(w.shell, EventWatch, now)
	}
}

// list gives all of them, by name.
func (w *watches) list() []Watch {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := []Watch{}
	for _, one := range w.running {
		out = append(out, one.now)
	}
	slices.SortFunc(out, func(a, b Watch) int { return strings.Compare(a.Collection, b.Collection) })
	return out
}
