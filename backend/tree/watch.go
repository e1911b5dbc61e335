package tree

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"fanous/backend/domain"
)

const (
	// quiet is how long nothing must have changed before a change is acted on, and longest how long it waits for that.
	quiet   = 2 * time.Second
	longest = 30 * time.Second
	// scanEvery is how often everything is looked at though nothing was seen to change; blindScan where some folders
	// cannot be watched.
	scanEvery = 15 * time.Minute
	blindScan = 2 * time.Minute
)

// Watch has something done whenever folders have changed.
type Watch struct {
	// Folders are those to watch now; it is asked again before each Changed.
	Folders func(context.Context) ([]string, error)
	// Changed is called once at the start and after changes, never twice at a time. Its error ends the watching.
	Changed func(context.Context) error
	// Told hears how well the folders are watched, when that changes; nil: nobody does.
	Told func(domain.WatchState)
	// Source opens what tells of changes; nil: the operating system.
	Source func() (Source, error)
}

// Source tells that something has changed in folders.
type Source interface {
	// Add watches a folder, not those in it. Adding it again changes nothing.
	Add(folder string) error
	// Changes has something to receive after a change. It may stand for many, and for some that nobody asked for.
	Changes() <-chan struct{}
	Close() error
}

// Run watches until ctx ends, which is no error.
func (w *Watch) Run(ctx context.Context) error {
	open := w.Source
	if open == nil {
		open = openNotify
	}
	source, failure := open()
	var changes <-chan struct{}
	if failure == nil {
		changes = source.Changes()
		defer source.Close()
	}
	var told domain.WatchState
	for ctx.Err() == nil {
		state, err := w.follow(ctx, source, failure)
		if err != nil {
			return unlessEnded(ctx, err)
		}
		if state != told && w.Told != nil {
			w.Told(state)
		}
		told = state
		again, err := w.act(ctx, changes)
		if err != nil {
			return unlessEnded(ctx, err)
		}
		period := scanEvery
		if state.Unwatched > 0 {
			period = blindScan
		}
		wait(ctx, changes, again, period)
	}
	return nil
}

func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// follow watches what is there now, so that nothing is missed that changes while it is looked at.
func (w *Watch) follow(ctx context.Context, source Source, failure error) (domain.WatchState, error) {
	folders, err := w.Folders(ctx)
	if err != nil {
		return domain.WatchState{}, err
	}
	var state domain.WatchState
	for _, folder := range folders {
		why := failure
		switch {
		case why != nil:
		case remote(folder):
			why = errRemote
		default:
			why = source.Add(folder)
		}
		if why == nil {
			state.Watched++
			continue
		}
		state.Unwatched++
		state.Reason = unwatched(why)
		if errors.Is(why, syscall.ENOSPC) { // for the rest as well
			state.Unwatched = len(folders) - state.Watched
			break
		}
	}
	return state, nil
}

var errRemote = errors.New("other machines change it unseen")

// unwatched says why folders are not watched, and what happens instead.
func unwatched(err error) string {
	instead := fmt.Sprintf(" What changes there is found by looking every %d minutes.", int(blindScan.Minutes()))
	switch {
	case errors.Is(err, syscall.ENOSPC): // "no space left on device", which is not the disk
		return "The system's watches have run out (fs.inotify.max_user_watches)." + instead
	case errors.Is(err, syscall.EMFILE):
		return "The system's watchers have run out (fs.inotify.max_user_instances, or open files)." + instead
	case errors.Is(err, errRemote):
		return "Folders on a network drive cannot be watched." + instead
	}
	return "Some folders cannot be watched: " + err.Error() + "." + instead
}

// act calls Changed, and says whether something changed meanwhile.
func (w *Watch) act(ctx context.Context, changes <-chan struct{}) (again bool, err error) {
	done := make(chan error, 1)
	go func() { done <- w.Changed(ctx) }()
	for {
		select {
		case <-changes:
			again = true
		case err := <-done:
			return again, err
		}
	}
}

// wait returns when changes have come and are over, when the period has passed, or when ctx ends.
func wait(ctx context.Context, changes <-chan struct{}, pending bool, period time.Duration) {
	over := time.NewTimer(period)
	defer over.Stop()
	still := time.NewTimer(quiet)
	defer still.Stop()
	if !pending {
		still.Stop()
	}
	for {
		select {
		case <-changes:
			if !pending {
				pending = true
				over.Reset(min(period, longest))
			}
			still.Reset(quiet)
		case <-still.C:
			return
		case <-over.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
