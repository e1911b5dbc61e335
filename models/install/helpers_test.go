package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fanous/models"
	"fanous/models/fetch"
)

var (
	graph     = bytes.Repeat([]byte("not a graph, but the right bytes. "), 40_000)
	tokenizer = bytes.Repeat([]byte("{\"a\": \"tokenizer\"} "), 3_000)
)

func sum(b []byte) string {
	digest := sha256.Sum256(b)
	return hex.EncodeToString(digest[:])
}

const commit = "0123456789012345678901234567890123456789"

// example is a model of a catalogue, made up.
func example() models.Entry {
	return models.Entry{
		Manifest: models.Manifest{
			Name: "example", Role: models.Reranker, Tier: models.Fast, Precision: "fp32", Licence: "MIT", Source: "a test",
			MaxTokens: 512, MaxQueryTokens: 256,
			Files: []models.File{
				{Name: models.GraphFile, Bytes: int64(len(graph)), SHA256: sum(graph)},
				{Name: models.TokenizerFile, Bytes: int64(len(tokenizer)), SHA256: sum(tokenizer)},
			},
		},
		Hub: &models.Hub{Repository: "somebody/example", Revision: commit, Paths: map[string]string{
			models.GraphFile: "onnx/model.onnx", models.TokenizerFile: models.TokenizerFile,
		}},
	}
}

// server serves files by path and counts what it sends.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	files  map[string][]byte
	header map[string]http.Header
	asked  map[string]int
	sent   map[string]int
}

func serve(t *testing.T, files map[string][]byte) *server {
	t.Helper()
	s := &server{files: files, header: map[string]http.Header{}, asked: map[string]int{}, sent: map[string]int{}}
	s.Server = httptest.NewServer(s)
	s.Config.Handler = s
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	file, ok := s.files[r.URL.Path]
	for k, v := range s.header[r.URL.Path] {
		w.Header()[k] = v
	}
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(&counting{w, s, r.URL.Path}, r, "", time.Time{}, bytes.NewReader(file))
}

type counting struct {
	http.ResponseWriter
	server *server
	path   string
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.sent[c.path] += n
	return n, err
}

func (s *server) total() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sent := range s.sent {
		n += sent
	}
	return n
}

// hub has the example as the hub does, flat as a file server does.
func hub(t *testing.T) *server {
	return serve(t, map[string][]byte{
		"/somebody/example/resolve/" + commit + "/onnx/model.onnx": graph,
		"/somebody/example/resolve/" + commit + "/tokenizer.json":  tokenizer,
	})
}

func flat(t *testing.T) *server {
	return serve(t, map[string][]byte{"/example/model.onnx": graph, "/example/tokenizer.json": tokenizer})
}

func installer(t *testing.T, s Sources) *Installer {
	return &Installer{
		Dirs: []string{filepath.Join(t.TempDir(), "shipped"), filepath.Join(t.TempDir(), "models")}, Catalogue: models.Entries{example()}, Sources: s,
		Fetcher: &fetch.Fetcher{
			Client: http.DefaultClient, Patience: time.Minute, MinRate: 1, Rounds: 2,
			Free: func(string) (int64, error) { return 1 << 40, nil },
		},
	}
}

// installed wants the model whole, verified, and nothing else beside it.
func installed(t *testing.T, in *Installer, m models.Manifest) {
	t.Helper()
	if s := m.Installed(in.Dirs...); s.State != models.Installed || !s.Verified {
		t.Errorf("%s is %s, verified %v: %s", m.Name, s.State, s.Verified, s.Reason)
	}
	if s, err := m.Verify(context.Background(), nil, in.Dirs...); err != nil || s.State != models.Installed {
		t.Errorf("read again, %s is %s: %s (%v)", m.Name, s.State, s.Reason, err)
	}
	if n := in.Partial(m.Name); n != 0 {
		t.Errorf("%d bytes of it are still on their way", n)
	}
}

func notInstalled(t *testing.T, in *Installer, m models.Manifest) {
	t.Helper()
	if s := m.Installed(in.Dirs...); s.State != models.Missing {
		t.Errorf("%s is %s: %s", m.Name, s.State, s.Reason)
	}
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
