package tree

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
)

// scripted is a Source whose changes a test makes.
type scripted struct {
	changes chan struct{}
	room    int // how many folders can be watched
	added   map[string]bool
}

func (s *scripted) Add(folder string) error {
	if !s.added[folder] && len(s.added) >= s.room {
		return &os.PathError{Op: "inotify_add_watch", Path: folder, Err: syscall.ENOSPC}
	}
	s.added[folder] = true
	return nil
}
func (s *scripted) Watched() []string        { return slices.Collect(maps.Keys(s.added)) }
func (s *scripted) Changes() <-chan struct{} { return s.changes }
func (s *scripted) Close() error             { return nil }

// watching runs a Watch in a synctest bubble and counts what it does.
type watching struct {
	*scripted
	runs    atomic.Int32
	walks   int      // over all folders to find out which there are
	folders []string // that Changed finds
	state   domain.WatchState
	stop    context.CancelFunc
}

func startWatching(t *testing.T, room int, folders ...string) *watching {
	t.Helper()
	w := &watching{scripted: &scripted{make(chan struct{}), room, map[string]bool{}}, folders: folders}
	ctx, stop := context.WithCancel(t.Context())
	w.stop = stop
	watch := Watch{
		Folders: func(context.Context) ([]string, error) { w.walks++; return folders, nil },
		Changed: func(context.Context) ([]string, error) { w.runs.Add(1); return w.folders, nil },
		Told:    func(s domain.WatchState) { w.state = s },
		Source:  func() (Source, error) { return w.scripted, nil },
	}
	go func() {
		if err := watch.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	synctest.Wait()
	return w
}

func (w *watching) want(t *testing.T, what string, runs int) {
	t.Helper()
	synctest.Wait()
	if got := int(w.runs.Load()); got != runs {
		t.Errorf("%s: ran %d times, want %d", what, got, runs)
	}
}

func TestManyChangesAreOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWatching(t, 10, "/a", "/a/b")
		defer w.stop()
		w.want(t, "at the start", 1)
		for range 5 {
			w.changes <- struct{}{}
			time.Sleep(quiet / 2)
		}
		w.want(t, "while it goes on", 1)
		time.Sleep(quiet)
		w.want(t, "when it is quiet", 2)
		time.Sleep(scanEvery - quiet)
		w.want(t, "before the regular look", 2)
		time.Sleep(quiet)
		w.want(t, "the regular look", 3)
		for range int(2 * longest / time.Second) { // never quiet
			w.changes <- struct{}{}
			time.Sleep(time.Second)
		}
		if n := w.runs.Load() - 3; n < 1 || n > 3 {
			t.Errorf("changes without end: ran %d times", n)
		}
	})
}

// TestANewFolderIsLookedAtOnceMore: what came into it before it was watched is found, and nothing is walked twice else.
func TestANewFolderIsLookedAtOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWatching(t, 10, "/a")
		defer w.stop()
		w.folders = []string{"/a", "/a/new"}
		w.changes <- struct{}{}
		time.Sleep(quiet + time.Second)
		w.want(t, "the change", 2)
		time.Sleep(quiet)
		w.want(t, "once more", 3)
		if !w.added["/a/new"] || w.state.Watched != 2 {
			t.Errorf("watched: %v, told %+v", w.added, w.state)
		}
		delete(w.added, "/a/new") // gone, and there again
		w.changes <- struct{}{}
		time.Sleep(2*quiet + 2*time.Second)
		w.want(t, "the same name again", 5)
		w.folders = nil // another program was at work
		w.changes <- struct{}{}
		time.Sleep(quiet + time.Second)
		w.want(t, "without an answer", 6)
		if w.walks != 1 || w.state.Watched != 2 {
			t.Errorf("walked %d times beside the runs, told %+v", w.walks, w.state)
		}
	})
}

func TestWatchesThatRunOutAreNoFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWatching(t, 1, "/a", "/b", "/c")
		defer w.stop()
		if w.state.Watched != 1 || w.state.Unwatched != 2 || !strings.Contains(w.state.Reason, "max_user_watches") ||
			strings.Contains(w.state.Reason, "space") {
			t.Errorf("told %+v", w.state)
		}
		time.Sleep(blindScan + time.Second)
		w.want(t, "looks itself", 2)
	})
}

func TestTheSystemTellsOfChanges(t *testing.T) {
	dir := filesIn(t, map[string]string{"a.txt": "one"})
	source, err := openNotify()
	if err != nil {
		t.Skip(err)
	}
	defer source.Close()
	if err := source.Add(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.txt"), []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	<-source.Changes()
}
