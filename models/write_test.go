package models

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path, beside := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.json.part") // somebody's own
	for _, p := range []string{path, beside} {
		if err := os.WriteFile(p, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	full := errors.New("the disk is full")
	_, err := WriteFile(path, func(w io.Writer) error {
		_, _ = w.Write(make([]byte, 3<<20))
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	if err := WriteJSON(filepath.Join(dir, "none", "b.json"), 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(filepath.Join(dir, "folder"), 1); err == nil {
		t.Error("a folder was replaced")
	}
	for _, p := range []string{path, beside} {
		if text, err := os.ReadFile(p); string(text) != "before" {
			t.Errorf("%s is now %d bytes, %v", p, len(text), err)
		}
	}
	if left, err := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestWritersOfOneFile each write it whole; the last one counts.
func TestWritersOfOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			if err := WritePrivate(path, bytesOf(bytes.Repeat(fmt.Append(nil, i), 3<<20+i))); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	text, err := os.ReadFile(path)
	if err != nil || len(text) != 3<<20+int(text[0]-'0') || len(bytes.Trim(text, string(text[0]))) > 0 {
		t.Errorf("%d bytes of more than one, %v", len(text), err)
	}
}
