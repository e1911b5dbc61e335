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
	// Folders are those to watch at the start.
	Folders func(context.Context) ([]string, error)
	// Changed is called once at the start and after changes, never twice at a time. It gives the folders to watch from now
	// on, nil where it could not look at them. Its error ends the watching.
	Changed func(context.Context) ([]string, error)
	// Told hears how well the folders are watched, when that changes; nil: nobody does.
	Told func(domain.WatchState)
	// Source opens what tells of changes; nil: the operating system.
	Source func() (Source, error)
}

// Source tells that something has changed in folders.
type Source interface {
	// Add watches a folder, not those in it. Adding it again changes nothing.
	Add(folder string) error
	// Watched are the folders that are watched; one that is gone is not.
	Watched() []string
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
	f := follower{told: w.Told}
	var source Source // a nil pointer in f.Source would not be nil
	if source, f.failure = open(); f.failure == nil {
		f.Source = source
		defer source.Close()
	}
	// Before they are looked at, so that nothing is missed that changes meanwhile.
	folders, err := w.Folders(ctx)
	if err != nil {
		return unlessEnded(ctx, err)
	}
	f.follow(folders)
	for ctx.Err() == nil {
		folders, again, err := w.act(ctx, f.changes())
		if err != nil {
			return unlessEnded(ctx, err)
		}
		if folders != nil && f.follow(folders) {
			again = true // something may have changed in a new folder before it was watched
		}
		period := scanEvery
		if f.state.Unwatched > 0 {
			period = blindScan
		}
		wait(ctx, f.changes(), again, period)
	}
	return nil
}

func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// follower watches folders as they come and go.
type follower struct {
	Source  // nil: see failure
	failure error
	state   domain.WatchState
	told    func(domain.WatchState)
}

// changes never has anything to receive where nothing can be watched.
func (f *follower) changes() <-chan struct{} {
	if f.Source == nil {
		return nil
	}
	return f.Changes()
}

// follow watches folders, and says whether one of them was not watched before.
func (f *follower) follow(folders []string) (fresh bool) {
	before := map[string]bool{}
	if f.Source != nil {
		for _, folder := range f.Watched() {
			before[folder] = true
		}
	}
	var state domain.WatchState
	for _, folder := range folders {
		why := f.failure
		switch {
		case why != nil:
		case remote(folder):
			why = errRemote
		default:
			why = f.Add(folder)
		}
		if why == nil {
			state.Watched++
			fresh = fresh || !before[folder]
			continue
		}
		state.Unwatched++
		state.Reason = unwatched(why)
		if errors.Is(why, syscall.ENOSPC) { // for the rest as well
			state.Unwatched = len(folders) - state.Watched
			break
		}
	}
	if state != f.state && f.told != nil {
		f.told(state)
	}
	f.state = state
	return fresh
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
func (w *Watch) act(ctx context.Context, changes <-chan struct{}) (folders []string, again bool, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		folders, err = w.Changed(ctx)
	}()
	for {
		select {
		case <-changes:
			again = true
		case <-done:
			return folders, again, err
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
