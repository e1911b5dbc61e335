package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fanous/backend/domain"
)

// extractPath gives what a file itself says, as content or as an error of its state.
func extractPath(ctx context.Context, x *Extractor, path string) (domain.Content, error) {
	var own Found
	err := x.Read(ctx, path, func(f Found) error {
		if f.Member == "" {
			own = f
		}
		return nil
	})
	if err != nil {
		return domain.Content{}, err
	}
	switch own.State {
	case domain.StateIndexed, domain.StateContainer:
		return own.Content, nil
	case domain.StateNoText:
		return own.Content, fmt.Errorf("%w: %s", ErrNoText, own.Reason)
	case domain.StateNeedsPassword:
		return own.Content, fmt.Errorf("%w: %s", ErrNeedsPassword, own.Reason)
	case domain.StateUnsupported:
		return own.Content, fmt.Errorf("%w: %s", ErrUnsupported, own.Reason)
	}
	return own.Content, errors.New(own.Reason)
}

// readAll gives all that is found in a file of this name and these bytes.
func readAll(t testing.TB, name string, data []byte) []Found {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var all []Found
	if err := reader.Read(t.Context(), path, func(f Found) error {
		all = append(all, f)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExtractTogether(t *testing.T) {
	x := New(Options{Parallel: 2})
	defer x.Close()
	var wait sync.WaitGroup
	for _, name := range []string{"persian.pdf", "bidi.pdf", "table.pdf", "columns.pdf", "guide.md", "python-docx.docx"} {
		wait.Go(func() {
			if _, err := extractPath(context.Background(), x, "testdata/"+name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	wait.Wait()
}

func TestExtractCanceled(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	ctx, cancel := context.WithCancel(context.Background())
	x.pdf.slots <- struct{}{} // another PDF is being read
	failed := make(chan error)
	go func() {
		_, err := extractPath(ctx, x, "testdata/persian.pdf")
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	<-x.pdf.slots
	if _, err := extractPath(context.Background(), x, "testdata/persian.pdf"); err != nil {
		t.Errorf("the next file: %v", err)
	}
}

func TestExtractPanic(t *testing.T) {
	table, err := os.ReadFile("testdata/table.pdf")
	if err != nil {
		t.Fatal(err)
	}
	src := source{ReaderAt: bytes.NewReader(table), size: int64(len(table))}
	err = reader.pdf.with(context.Background(), src, func(*pdfDocument) error { panic("a mistake") })
	if err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("PDF: error %v", err)
	}
	var none *Extractor
	_, err = extractPath(context.Background(), none, "testdata/persian.pdf")
	if err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v", err)
	}
}

func TestExtractCloseTwice(t *testing.T) {
	x := New(Options{})
	for range 2 {
		if _, err := extractPath(context.Background(), x, "testdata/table.pdf"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			x.Close()
		}
	}
}
