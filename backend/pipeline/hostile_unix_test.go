//go:build unix

package pipeline_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/pipeline"
	"fanous/backend/reader"
	"fanous/backend/reader/readertest"
)

func TestMain(m *testing.M) {
	if readertest.Child() {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// counted is a Reader that counts the files it is asked for.
type counted struct {
	pipeline.Reader
	files atomic.Int32
}

func (c *counted) Read(ctx context.Context, path string, each func(extract.Found) error) error {
	c.files.Add(1)
	return c.Reader.Read(ctx, path, each)
}

// apart gives a Reader in children that counts what it is asked for.
func apart(t *testing.T, limits reader.Limits) *counted {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := reader.New(reader.Options{Program: exe, Children: 2, Limits: limits})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return &counted{Reader: r}
}

// TestHostileFiles: files that are bad for whoever reads them end in their states and are not tried again by
// themselves, two good ones among them are found, and what this process holds stays small.
func TestHostileFiles(t *testing.T) {
	f := newFixture(t, map[string]string{"aa-good.txt": "the first lantern of the harbour", "zz-good.md": "# the last lantern\n\nof the harbour"})
	states := readertest.Hostile(t, f.dir)
	states["aa-good.txt"], states["zz-good.md"] = domain.StateIndexed, domain.StateIndexed
	for link, target := range map[string]string{"loop": f.dir, "nowhere.txt": filepath.Join(f.dir, "none"), "endless.txt": "/dev/zero", "itself.txt": filepath.Join(f.dir, "itself.txt")} {
		if err := os.Symlink(target, filepath.Join(f.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	states["nowhere.txt"], states["itself.txt"] = domain.StateFailed, domain.StateFailed // links to nothing have a state too
	if err := syscall.Mkfifo(filepath.Join(f.dir, "pipe.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(f.dir, "..", "evil.txt")
	// Each ends by itself. Time enough, so that a busy machine ends none; so little memory that a text of 512 MiB, which is the
	// most that is read, never fits.
	f.endAsTheyShould(apart(t, reader.Limits{Stall: 2 * time.Minute, Total: 5 * time.Minute, Memory: 640 << 20, Output: readertest.Output}), states)
	if _, err := os.Lstat(outside); err == nil {
		t.Error("an archive has written a file")
	}
}

// TestTricks: what ends its child, or never ends, is quarantined after the second try, and the good files are found.
func TestTricks(t *testing.T) {
	f := newFixture(t, map[string]string{"aa-good.txt": "the first lantern of the harbour", "zz-good.md": "# the last lantern\n\nof the harbour"})
	states := map[string]domain.DocumentState{"aa-good.txt": domain.StateIndexed, "zz-good.md": domain.StateIndexed}
	for _, name := range readertest.Tricks(t, f.dir) {
		states[name] = domain.StateQuarantined
	}
	f.endAsTheyShould(apart(t, reader.Limits{Stall: time.Second, Memory: 512 << 20, Output: 32 << 20}), states)
}

// endAsTheyShould indexes the folder twice and holds each file to its state.
func (f *fixture) endAsTheyShould(reading *counted, states map[string]domain.DocumentState) {
	t := f.t
	t.Helper()
	f.ingest.Reader = reading
	peak := watchHeap(t)
	start := time.Now()
	f.run(t.Context(), nil)
	t.Logf("%d files in %.1f s, at most %d MiB of heap here", len(states), time.Since(start).Seconds(), peak()>>20)
	if most := peak(); most > 512<<20 {
		t.Errorf("this process held %d MiB", most>>20)
	}
	files, err := f.store.Files(t.Context(), f.collection().ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, state := range states {
		doc, ok := files[filepath.Join(f.dir, name)]
		if !ok || doc.State != state || (doc.Reason == "") != (doc.State == domain.StateIndexed) {
			t.Errorf("%s is %s: %q, want %q", name, doc.State, doc.Reason, state)
		}
		if doc.State == domain.StateQuarantined && doc.Attempts != 2 {
			t.Errorf("%s: quarantined after %d attempts", name, doc.Attempts)
		}
		t.Logf("%-28s %-12s %s", name, doc.State, doc.Reason)
		delete(files, filepath.Join(f.dir, name))
	}
	for path := range files {
		t.Errorf("%s is a document", path)
	}
	reading.files.Store(0)
	f.run(t.Context(), nil)
	if n := reading.files.Load(); n != 0 {
		t.Errorf("%d files were read again", n)
	}
}

// watchHeap gives a function that ends the watch and says how much heap this process had at most.
func watchHeap(t *testing.T) func() uint64 {
	var most atomic.Uint64
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapInuse))
			select {
			case <-tick.C:
			case <-stop:
				tick.Stop()
				return
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-ended })
	return most.Load
}
