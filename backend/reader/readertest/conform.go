package readertest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/reader"
)

// Reader is what ingest reads files by.
type Reader interface {
	reader.Files
	Parallel() int
}

// Conform holds what every reader of files must do.
func Conform(t *testing.T, r Reader) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const letter = "From: a@example.org\nTo: b@example.org\nSubject: lantern\nMIME-Version: 1.0\n" +
		"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nThe harbour.\n" +
		"--x\nContent-Type: text/plain; name=ships.txt\nContent-Disposition: attachment; filename=ships.txt\n\nAll ships.\n--x--\n"
	for name, c := range map[string]struct {
		path  string
		state domain.DocumentState
	}{
		"text":     {put("a.txt", "a lantern\n\nچراغ"), domain.StateIndexed},
		"empty":    {put("empty.txt", ""), domain.StateNoText},
		"damaged":  {put("a.docx", "PK\x03\x04 no archive"), domain.StateFailed},
		"unknown":  {put("a.bin", "\x00\x01\x02\x03\x00\xff\xfe\x00\x00"), domain.StateUnsupported},
		"a letter": {put("a.eml", letter), domain.StateIndexed},
		"absent":   {filepath.Join(dir, "none"), domain.StateFailed},
		"a folder": {dir, domain.StateUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			found := ReadAll(t, r, c.path)
			itself := 0
			for _, f := range found {
				if f.Member == "" {
					itself++
					if f.State != c.state || (f.Reason == "") != (f.State == domain.StateIndexed) {
						t.Errorf("%s: %s", f.State, f.Reason)
					}
				}
			}
			if itself != 1 {
				t.Errorf("the file itself came %d times", itself)
			}
		})
	}
	t.Run("as many at a time as it says", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		path := put("d.txt", "x")
		var begun, ended sync.WaitGroup
		begun.Add(r.Parallel())
		all := make(chan struct{})
		for range r.Parallel() {
			ended.Go(func() {
				err := r.Read(ctx, path, func(extract.Found) error {
					begun.Done()
					select {
					case <-all:
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		go func() { begun.Wait(); close(all) }()
		ended.Wait()
	})
	t.Run("each has the last word", func(t *testing.T) {
		mine := errors.New("mine")
		if err := r.Read(t.Context(), put("b.txt", "x"), func(extract.Found) error { return mine }); !errors.Is(err, mine) {
			t.Error(err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.Read(ctx, put("c.txt", "x"), func(extract.Found) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// ReadAll gives all documents of a file.
func ReadAll(t testing.TB, r reader.Files, path string) []extract.Found {
	t.Helper()
	var found []extract.Found
	if err := r.Read(t.Context(), path, func(f extract.Found) error {
		found = append(found, f)
		return nil
	}); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return found
}
