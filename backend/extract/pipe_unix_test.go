//go:build unix

package extract

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// TestExtractPipe: nobody writes to the pipe, and nobody waits.
func TestExtractPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe.pdf")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := extractPath(context.Background(), reader, path); !errors.Is(err, ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}
