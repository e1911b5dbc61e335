package extract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klippa-app/go-pdfium"
)

func TestExtractTogether(t *testing.T) {
	x := New(Options{CacheDir: reader.pdf.cacheDir, Parallel: 2})
	defer x.Close()
	var wait sync.WaitGroup
	for _, name := range []string{"persian.pdf", "bidi.pdf", "table.pdf", "columns.pdf", "guide.md", "python-docx.docx"} {
		wait.Go(func() {
			if _, err := x.Extract(context.Background(), "testdata/"+name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	wait.Wait()
}

func TestExtractCanceled(t *testing.T) {
	x := New(Options{CacheDir: reader.pdf.cacheDir})
	defer x.Close()
	ctx, cancel := context.WithCancel(context.Background())
	x.pdf.slots <- struct{}{} // another PDF is being read
	failed := make(chan error)
	go func() {
		_, err := x.Extract(ctx, "testdata/persian.pdf")
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	<-x.pdf.slots
	if _, err := x.Extract(context.Background(), "testdata/persian.pdf"); err != nil {
		t.Errorf("the next file: %v", err)
	}
}

// panicking is a PDF reader that panics at its first call.
type panicking struct{ pdfium.Pool }

func TestExtractPanic(t *testing.T) {
	x := New(Options{})
	x.pdf.pool = panicking{}
	_, err := x.Extract(context.Background(), "testdata/persian.pdf")
	if err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("PDF: error %v", err)
	}
	var none *Extractor
	_, err = none.Extract(context.Background(), "testdata/persian.pdf")
	if err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v", err)
	}
}

func TestExtractCloseTwice(t *testing.T) {
	x := New(Options{CacheDir: reader.pdf.cacheDir})
	for range 2 {
		if _, err := x.Extract(context.Background(), "testdata/table.pdf"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestExtractDamagedCache: a damaged cache costs its time, once, and not the file.
func TestExtractDamagedCache(t *testing.T) {
	if testing.Short() {
		return // compiles pdfium anew
	}
	extractFile(t, "testdata/table.pdf") // so that there is a cache
	whole, err := filepath.Glob(filepath.Join(reader.pdf.cacheDir, "wazero-*", "*"))
	if err != nil || len(whole) == 0 {
		t.Fatalf("no cache: %v", err)
	}
	dir := t.TempDir()
	sizes := map[string]int64{}
	for _, from := range whole {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.Base(filepath.Dir(from)), filepath.Base(from))
		sizes[to] = int64(len(data))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data[:len(data)/2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := New(Options{CacheDir: dir})
	defer x.Close()
	if _, err := x.Extract(context.Background(), "testdata/table.pdf"); err != nil {
		t.Fatal(err)
	}
	for path, size := range sizes {
		if info, err := os.Stat(path); err != nil || info.Size() != size {
			t.Errorf("%s was not made anew: %v", filepath.Base(path), err)
		}
	}
}
