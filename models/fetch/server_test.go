package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// content is a file of a length that no buffer divides.
func content(n int) []byte {
	b := make([]byte, n)
	random := rand.NewChaCha8([32]byte{7})
	_, _ = random.Read(b)
	return b
}

const size = 3<<20 + 17

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// server is a file server on this machine that counts what it sends.
type server struct {
	*httptest.Server
	sent     atomic.Int64 // bytes of bodies
	requests atomic.Int64
}

func serve(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		handler(&counting{w, &s.sent}, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) source() Source { return URL(s.URL + "/file") }

type counting struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.sent.Add(int64(n))
	return n, err
}

// good serves a file as servers do: with ranges and a validator.
func good(file []byte, tag string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		if tag != "" {
			w.Header().Set("ETag", tag)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file))
	}
}

// hangUp ends the connection after so many bytes of a body that was promised whole.
func hangUp(w http.ResponseWriter, body []byte, after int) {
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body[:after])
	panic(http.ErrAbortHandler)
}

func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!DOCTYPE html><html><body>Sign in</body></html>")
}

// fetcher waits for nobody and does not ask the disk.
func fetcher() *Fetcher {
	return &Fetcher{
		Client: http.DefaultClient, Patience: time.Minute, MinRate: 1, Rounds: 3,
		Free: func(string) (int64, error) { return 1 << 40, nil },
	}
}

func wanted(t *testing.T, file []byte) Want {
	return Want{Path: filepath.Join(t.TempDir(), "file"), Bytes: int64(len(file)), SHA256: digestOf(file)}
}

// whole wants the file in its place and nothing beside it.
func whole(t *testing.T, want Want, file []byte) {
	t.Helper()
	got, err := os.ReadFile(want.Path)
	if err != nil || !bytes.Equal(got, file) {
		t.Errorf("the file has %d of %d bytes, or others (%v)", len(got), len(file), err)
	}
	if beside := names(t, want); len(beside) != 1 {
		t.Errorf("beside the file lie %q", beside)
	}
}

// absent wants no file; a part may be there.
func absent(t *testing.T, want Want) {
	t.Helper()
	if _, err := os.Stat(want.Path); err == nil {
		t.Error("there is a file")
	}
}

func names(t *testing.T, want Want) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(want.Path))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func partOf(t *testing.T, want Want, b []byte) {
	t.Helper()
	if err := os.WriteFile(want.part(), b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func contains(err error, what string) bool { return err != nil && strings.Contains(err.Error(), what) }
