package cache

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fanous/build/tool/step"
)

func open(t *testing.T) Cache {
	t.Helper()
	c, err := At(t.TempDir(), step.To(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEnsureMakesOnceAmongRunsAtTheSameTime(t *testing.T) {
	c := open(t)
	var made atomic.Int32
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			folder, err := c.Ensure("native/thing-1", func(folder string) error {
				made.Add(1)
				return os.WriteFile(filepath.Join(folder, "file"), []byte("x"), 0o644)
			})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := os.Stat(filepath.Join(folder, "file")); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times, want once", made.Load())
	}
}

// lines sends what is written to it.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

func TestEnsureWaitsForAnotherRunAndTakesWhatItMade(t *testing.T) {
	said := make(lines, 1)
	c, err := At(t.TempDir(), step.To(said))
	if err != nil {
		t.Fatal(err)
	}
	other := c
	c.patience = 0
	unlock, err := other.Lock("native/thing-1")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := c.Ensure("native/thing-1", func(string) error { return errors.New("made again") })
		ended <- err
	}()
	if notice := <-said; !strings.Contains(notice, "native/thing-1") {
		t.Errorf("the notice %q does not say what is waited for", notice)
	}
	write(t, c.Path("native", "thing-1", "file"), "x")
	unlock()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestEnsureLeavesNothingBehindAFailure(t *testing.T) {
	c := open(t)
	broken := errors.New("broken")
	_, err := c.Ensure("native/thing-1", func(folder string) error {
		write(t, filepath.Join(folder, "half"), "x")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("got %v, want the failure", err)
	}
	for _, folder := range []string{"native", "tmp"} {
		entries, err := os.ReadDir(c.Path(folder))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if len(entries) != 0 {
			t.Errorf("%s holds %v after a failure", folder, entries)
		}
	}
}

func TestRefresh(t *testing.T) {
	c := open(t)
	output := filepath.Join(t.TempDir(), "dist")
	made := 0
	refresh := func(inputs string) {
		t.Helper()
		err := c.Refresh("frontend", output, inputs, func() error {
			made++
			return os.WriteFile(output, []byte(inputs), 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	refresh("a")
	refresh("a")
	if made != 1 {
		t.Fatalf("made %d times from the same inputs, want once", made)
	}
	refresh("b")
	if made != 2 {
		t.Fatalf("made %d times after the inputs changed, want twice", made)
	}
	if err := os.Remove(output); err != nil {
		t.Fatal(err)
	}
	refresh("b")
	if made != 3 {
		t.Fatalf("made %d times after the output went away, want three times", made)
	}
	broken := errors.New("broken")
	if err := c.Refresh("frontend", output, "c", func() error { return broken }); !errors.Is(err, broken) {
		t.Fatalf("got %v, want the failure", err)
	}
	refresh("b")
	if made != 4 {
		t.Fatal("an output that a failed run may have half written was taken as made")
	}
}

func TestDigestSeesNamesContentsAndNewFiles(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "src", "a"), "one")
	write(t, filepath.Join(root, "src", "deep", "b"), "two")
	write(t, filepath.Join(root, "lock"), "three")
	seen := map[string]string{}
	digest := func(when string) {
		t.Helper()
		sum, err := Digest(root, "src", "lock")
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := seen[sum]; ok {
			t.Errorf("%s: same digest as %s", when, before)
		}
		seen[sum] = when
	}
	digest("at first")
	write(t, filepath.Join(root, "src", "deep", "b"), "TWO")
	digest("after a change")
	write(t, filepath.Join(root, "src", "c"), "")
	digest("with an empty file more")
	if err := os.Rename(filepath.Join(root, "src", "a"), filepath.Join(root, "src", "z")); err != nil {
		t.Fatal(err)
	}
	digest("after a renaming")

	if _, err := Digest(root, "nowhere"); err == nil {
		t.Error("no error for a missing path")
	}
	if err := os.Mkdir(filepath.Join(root, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Digest(root, "empty"); err == nil {
		t.Error("no error where there is no file at all")
	}
}
