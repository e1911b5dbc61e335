package wheel

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fanous/build/tool/cache"
	"fanous/build/tool/step"
)

const fileName = "pretend_wheel-1.0-py3-none-any.whl"

// fixedTime is the modification time that the index claims.
var fixedTime = time.Unix(1_700_000_000, 0)

// pretend is a wheel that pip accepts for downloading.
func pretend(t *testing.T) []byte {
	t.Helper()
	var wheel bytes.Buffer
	archive := zip.NewWriter(&wheel)
	for _, member := range [][2]string{
		{"pretend/data.bin", strings.Repeat("data", 50_000)},
		{"../escape.txt", "outside"},
		{"pretend_wheel-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: pretend-wheel\nVersion: 1.0\n"},
		{"pretend_wheel-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"pretend_wheel-1.0.dist-info/RECORD", ""},
	} {
		// Stored, so that cutting the file short loses bytes that matter.
		w, err := archive.CreateHeader(&zip.FileHeader{Name: member[0], Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, member[1])
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return wheel.Bytes()
}

// index is a package index on this machine that serves one wheel through serve.
func index(t *testing.T, serve http.HandlerFunc) (d Downloader) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/simple/pretend-wheel/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!DOCTYPE html><html><body><a href="/files/%s">%s</a></body></html>`, fileName, fileName)
	})
	mux.HandleFunc("/files/"+fileName, serve)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	log := step.To(io.Discard)
	c, err := cache.At(t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	return Downloader{Cache: c, Log: log, Env: []string{
		"PIP_CONFIG_FILE=" + os.DevNull, "PIP_INDEX_URL=" + server.URL + "/simple/", "PIP_EXTRA_INDEX_URL=",
		"PIP_FIND_LINKS=", "PIP_NO_CACHE_DIR=1", "PIP_RETRIES=0", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "PIP_PROXY=",
	}}
}

func pinnedTo(content []byte) Wheel {
	sum := sha256.Sum256(content)
	return Wheel{Project: "pretend-wheel", Version: "1.0", File: fileName, SHA256: hex.EncodeToString(sum[:]),
		Platform: "any", Python: "312"}
}

func TestFetchSurvivesACutAndDownloadsOnce(t *testing.T) {
	content := pretend(t)
	var requests atomic.Int32
	d := index(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			w.Write(content[:len(content)/2])
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "", fixedTime, bytes.NewReader(content))
	})
	path, err := d.Fetch(t.Context(), pinnedTo(content))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, content) {
		t.Error("the file differs from what the index serves")
	}
	before := requests.Load()
	if before < 2 {
		t.Errorf("%d requests; the first was cut, so there must be a second", before)
	}
	if _, err := d.Fetch(t.Context(), pinnedTo(content)); err != nil {
		t.Fatal(err)
	}
	if requests.Load() != before {
		t.Error("a file that is there was downloaded again")
	}
	if err := os.WriteFile(path, got[:100], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Fetch(t.Context(), pinnedTo(content)); err != nil {
		t.Fatal(err)
	}
	if requests.Load() == before {
		t.Error("a damaged file was taken as it is")
	}
}

func TestFetchRefusesAnotherFile(t *testing.T) {
	content := pretend(t)
	var requests atomic.Int32
	d := index(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.ServeContent(w, r, "", fixedTime, bytes.NewReader(content))
	})
	other := pinnedTo([]byte("another file"))
	_, err := d.Fetch(t.Context(), other)
	var failed *step.Error
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want a failed step", err)
	}
	if !strings.Contains(failed.Hint, fileName) {
		t.Errorf("the hint %q does not name the file", failed.Hint)
	}
	if requests.Load() != attempts {
		t.Errorf("%d downloads, want %d", requests.Load(), attempts)
	}
	if _, err := os.Stat(d.Cache.Path("downloads", fileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the wrong file was kept: %v", err)
	}
	left, err := os.ReadDir(d.Cache.Path("tmp"))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 0 {
		t.Errorf("temporary files left: %v", left)
	}
}

func TestFetchStopsWhenTold(t *testing.T) {
	content := pretend(t)
	ctx, cancel := context.WithCancel(t.Context())
	d := index(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := d.Fetch(ctx, pinnedTo(content)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the cancellation", err)
	}
}

func TestExtract(t *testing.T) {
	content := pretend(t)
	damaged := slices.Clone(content)
	copy(damaged[bytes.Index(damaged, []byte("datadata")):], "DATADATA")
	cases := []struct {
		name    string
		archive []byte
		member  string
		wantErr bool
	}{
		{"a member", content, "pretend/data.bin", false},
		{"a name that leads out of the folder", content, "../escape.txt", false},
		{"a member that is not there", content, "pretend/none.bin", true},
		{"a member whose bytes changed", damaged, "pretend/data.bin", true},
		{"a cut archive", content[:len(content)/2], "pretend/data.bin", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "out")
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), fileName)
			if err := os.WriteFile(path, c.archive, 0o644); err != nil {
				t.Fatal(err)
			}
			err := Extract(path, map[string]string{c.member: filepath.Join(folder, "out.bin")})
			if (err != nil) != c.wantErr {
				t.Fatalf("error %v, want one: %v", err, c.wantErr)
			}
			if _, err := os.Stat(filepath.Join(folder, "..", "escape.txt")); err == nil {
				t.Error("a member was written outside the folder")
			}
			if c.wantErr {
				return
			}
			if _, err := os.Stat(filepath.Join(folder, "out.bin")); err != nil {
				t.Error(err)
			}
		})
	}
}
