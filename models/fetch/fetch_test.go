package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestBadSourcesGiveWayToAGoodOne: whatever the first source does, the file comes whole from the second one, and only
// from it where the first one gave nothing that counts.
func TestBadSourcesGiveWayToAGoodOne(t *testing.T) {
	file := content(size)
	other := append(bytes.Clone(file[:size-1]), file[size-1]^1)
	loop := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) }
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for name, bad := range map[string]http.HandlerFunc{
		"wrong bytes":     good(other, ""),
		"a web page":      page,
		"too short":       good(file[:size-1], ""),
		"too long":        good(append(bytes.Clone(file), 1), ""),
		"empty":           good(nil, ""),
		"not found":       status(http.StatusNotFound),
		"forbidden":       status(http.StatusForbidden),
		"broken":          status(http.StatusBadGateway),
		"a redirect loop": loop,
		"a redirect to nowhere": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusFound)
		},
		"a redirect to a file": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "file:///etc/hosts")
			w.WriteHeader(http.StatusFound)
		},
		"a page that says it is a file": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			fmt.Fprint(w, "\n<html><head><title>Welcome</title>"+strings.Repeat(" ", 400))
		},
		"a pointer": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
		},
		"states another digest": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Linked-Etag", `"`+digestOf(other)+`"`)
			good(file, "")(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			first, second := serve(t, bad), serve(t, good(file, ""))
			want := wanted(t, file)
			if err := fetcher().Get(t.Context(), want, []Source{first.source(), second.source()}, nil); err != nil {
				t.Fatal(err)
			}
			whole(t, want, file)
			if got := second.sent.Load(); got != size {
				t.Errorf("the second server sent %d bytes", got)
			}

			want = wanted(t, file)
			err := fetcher().Get(t.Context(), want, []Source{first.source()}, nil)
			if !contains(err, first.URL) {
				t.Errorf("without the second server: %v", err)
			}
			absent(t, want)
		})
	}
}

// TestAnUnknownSizeIsTheServers, and the digest decides.
func TestAnUnknownSizeIsTheServers(t *testing.T) {
	file := content(size)
	s := serve(t, good(file, ""))
	want := wanted(t, file)
	want.Bytes = 0
	var last Progress
	if err := fetcher().Get(t.Context(), want, []Source{s.source()}, func(p Progress) { last = p }); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if last.Done != size || last.Total != size || last.Source != s.URL+"/file" {
		t.Errorf("the last report is %+v", last)
	}
}

// TestMoreThanTheFile: what comes after the file does not count; more of something else is refused.
func TestMoreThanTheFile(t *testing.T) {
	file := content(size)
	twice := func(b []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { // chunked: no length
			_, _ = w.Write(b)
			_, _ = w.Write(b)
		}
	}
	want := wanted(t, file)
	if err := fetcher().Get(t.Context(), want, []Source{serve(t, twice(file)).source()}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	want = wanted(t, file)
	err := fetcher().Get(t.Context(), want, []Source{serve(t, twice(bytes.Repeat([]byte("a"), size))).source()}, nil)
	if !contains(err, "more than") {
		t.Errorf("error %v", err)
	}
	absent(t, want)
}

func TestRedirects(t *testing.T) {
	file := content(size)
	target := serve(t, good(file, `"a"`))
	start := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target.URL+"/elsewhere", http.StatusTemporaryRedirect)
	})
	want := wanted(t, file)
	partOf(t, want, file[:1000])
	if err := fetcher().Get(t.Context(), want, []Source{start.source()}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if got := target.sent.Load(); got != size-1000 {
		t.Errorf("the other host sent %d bytes", got)
	}
}

func TestNoRedirectToAPlainConnection(t *testing.T) {
	file := content(size)
	plain := serve(t, good(file, ""))
	encrypted := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer encrypted.Close()
	f, want := fetcher(), wanted(t, file)
	f.Client = encrypted.Client()
	err := f.Get(t.Context(), want, []Source{URL(encrypted.URL)}, nil)
	if !contains(err, "from an encrypted connection to a plain one") || plain.requests.Load() != 0 {
		t.Errorf("error %v after %d requests", err, plain.requests.Load())
	}
}

// TestAResumeTransfersOnlyTheRest, whatever ended the call before.
func TestAResumeTransfersOnlyTheRest(t *testing.T) {
	file := content(size)
	for _, had := range []int{0, 1, size / 2, size - 1, size} {
		s, want := serve(t, good(file, `"a"`)), wanted(t, file)
		partOf(t, want, file[:had])
		if err := fetcher().Get(t.Context(), want, []Source{s.source()}, nil); err != nil {
			t.Fatal(err)
		}
		whole(t, want, file)
		if got := s.sent.Load(); got != int64(size-had) {
			t.Errorf("with %d bytes here the server sent %d", had, got)
		}
	}
}

// TestCutsAreGoneOnWith: a server that hangs up again and again is asked for the rest, each time.
func TestCutsAreGoneOnWith(t *testing.T) {
	file := content(12 << 20)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		at := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &at); err != nil && r.Header.Get("Range") != "" {
			t.Errorf("range %q", r.Header.Get("Range"))
		}
		rest := file[at:]
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, len(file)-1, len(file)))
		w.Header().Set("Content-Length", fmt.Sprint(len(rest)))
		w.WriteHeader(map[bool]int{true: http.StatusPartialContent, false: http.StatusOK}[at > 0])
		if len(rest) > 2<<20 {
			_, _ = w.Write(rest[:2<<20])
			w.(*counting).ResponseWriter.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(rest)
	})
	want := wanted(t, file)
	if err := fetcher().Get(t.Context(), want, []Source{s.source()}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if got := s.requests.Load(); got < 5 {
		t.Errorf("%d requests", got)
	}
}

func TestAServerWithoutRangesStillFinishesAPart(t *testing.T) {
	file := content(size)
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(file) })
	want := wanted(t, file)
	partOf(t, want, file[:size/2])
	least := int64(size)
	if err := fetcher().Get(t.Context(), want, []Source{s.source()}, func(p Progress) { least = min(least, p.Done) }); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if least < size/2 {
		t.Errorf("it began again, at %d", least)
	}
}

// TestAChangedFileIsNoticedAtOnce: the validator of the part's bytes goes with the range.
func TestAChangedFileIsNoticedAtOnce(t *testing.T) {
	old, file := content(size), bytes.Repeat([]byte("new"), size/3)
	now := atomic.Pointer[http.HandlerFunc]{}
	set := func(h http.HandlerFunc) { now.Store(&h) }
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { (*now.Load())(w, r) })
	set(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"old"`)
		hangUp(w, old[:len(file)], size/2)
	})
	want := wanted(t, file)
	f := fetcher()
	f.Rounds = 1
	if err := f.Get(t.Context(), want, []Source{s.source()}, nil); err == nil {
		t.Fatal("half a file was enough")
	}
	set(good(file, `"new"`))
	s.sent.Store(0)
	if err := f.Get(t.Context(), want, []Source{s.source()}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if got := s.sent.Load(); got != int64(len(file)) {
		t.Errorf("the server sent %d bytes", got)
	}
}

// TestAWrongPartCostsOneDownload: bytes that were here and are not the file's are found out by the digest.
func TestAWrongPartCostsOneDownload(t *testing.T) {
	file := content(size)
	for name, test := range map[string]struct {
		part []byte
		most int64 // that is sent
	}{
		"other bytes":       {bytes.Repeat([]byte("x"), 1000), 2*size - 1000},
		"too long":          {append(bytes.Clone(file), "more"...), size},
		"whole, but others": {bytes.Repeat([]byte("y"), size), size + 100}, // and the answer that there is no more
	} {
		s, want := serve(t, good(file, "")), wanted(t, file)
		partOf(t, want, test.part)
		if err := fetcher().Get(t.Context(), want, []Source{s.source()}, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		whole(t, want, file)
		if got := s.sent.Load(); got > test.most {
			t.Errorf("%s: the server sent %d bytes", name, got)
		}
	}
}

// TestAPageDoesNotCostThePart: a portal that answers in place of the server leaves what has arrived alone.
func TestAPageDoesNotCostThePart(t *testing.T) {
	file := content(size)
	long := func(w http.ResponseWriter, _ *http.Request) { // only its type gives it away
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(bytes.Repeat([]byte("Sign in. "), size/9+1)[:size])
	}
	for _, portal := range []http.HandlerFunc{page, long} {
		s, want := serve(t, portal), wanted(t, file)
		partOf(t, want, file[:size/2])
		if err := fetcher().Get(t.Context(), want, []Source{s.source()}, nil); !contains(err, "a web page") {
			t.Errorf("error %v", err)
		}
		if part, _ := os.ReadFile(want.part()); len(part) != size/2 {
			t.Errorf("%d bytes are left of the part", len(part))
		}
	}
}

// TestHalvesOfTwoSources are one file where the bytes are the same, and where one of them lies the other one's alone
// count.
func TestHalvesOfTwoSources(t *testing.T) {
	file := content(size)
	cut := func(body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { hangUp(w, body, size/2) }
	}
	honest, rest, want := serve(t, cut(file)), serve(t, good(file, "")), wanted(t, file)
	if err := fetcher().Get(t.Context(), want, []Source{honest.source(), rest.source()}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if got := rest.sent.Load(); got >= size {
		t.Errorf("the second server sent all %d bytes", got)
	}
	liar := serve(t, cut(bytes.Repeat([]byte("z"), size)))
	weak := serve(t, func(w http.ResponseWriter, r *http.Request) { // honest, and hangs up all the time
		at := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &at); err != nil {
			hangUp(w, file, size/3)
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, size-1, size))
		w.Header().Set("Content-Length", fmt.Sprint(size-at))
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(file[at:min(size, at+size/3)])
		if at+size/3 < size {
			panic(http.ErrAbortHandler)
		}
	})
	for _, honest := range []*server{rest, weak} {
		want := wanted(t, file)
		if err := fetcher().Get(t.Context(), want, []Source{liar.source(), honest.source()}, nil); err != nil {
			t.Fatal(err)
		}
		whole(t, want, file)
	}
}

func TestAFullDiskKeepsThePart(t *testing.T) {
	file := content(size)
	s, want := serve(t, good(file, "")), wanted(t, file)
	f, left := fetcher(), size/2
	f.write = func(file *os.File, b []byte) (int, error) {
		n := min(left, len(b))
		left -= n
		n, err := file.Write(b[:n])
		if n < len(b) {
			err = &os.PathError{Op: "write", Path: file.Name(), Err: syscall.ENOSPC}
		}
		return n, err
	}
	other := serve(t, good(file, ""))
	err := f.Get(t.Context(), want, []Source{s.source(), other.source()}, nil)
	if !errors.Is(err, ErrDiskFull) || other.requests.Load() != 0 {
		t.Errorf("error %v, and the second source was asked %d times", err, other.requests.Load())
	}
	absent(t, want)
	if err := fetcher().Get(t.Context(), want, []Source{other.source()}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if got := other.sent.Load(); got != size-size/2 {
		t.Errorf("with space again the server sent %d bytes", got)
	}
}

func TestADiskWithoutRoomIsSaidBefore(t *testing.T) {
	file := content(size)
	s, want := serve(t, good(file, "")), wanted(t, file)
	f := fetcher()
	f.Free = func(string) (int64, error) { return size, nil }
	if err := f.Get(t.Context(), want, []Source{s.source()}, nil); !errors.Is(err, ErrDiskFull) {
		t.Errorf("error %v", err)
	}
	f.Free = func(string) (int64, error) { return 0, errors.New("it does not say") }
	if err := f.Get(t.Context(), want, []Source{s.source()}, nil); err != nil {
		t.Error(err)
	}
	if free, err := FreeBytes(t.TempDir()); err != nil || free <= 0 {
		t.Errorf("this disk has %d bytes left, %v", free, err)
	}
}

func TestCancelKeepsThePart(t *testing.T) {
	file := content(size)
	s, want := serve(t, good(file, "")), wanted(t, file)
	ctx, cancel := context.WithCancel(t.Context())
	err := fetcher().Get(ctx, want, []Source{s.source()}, func(p Progress) {
		if p.Done > size/2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	absent(t, want)
	part, err := os.ReadFile(want.part())
	if err != nil || !bytes.HasPrefix(file, part) || len(part) <= size/2 {
		t.Errorf("the part has %d bytes, %v", len(part), err)
	}
}

func TestPaths(t *testing.T) {
	file, want := content(size), wanted(t, content(size))
	stick := filepath.Join(t.TempDir(), "whatever it is called")
	if err := os.WriteFile(stick, file, 0o644); err != nil {
		t.Fatal(err)
	}
	partOf(t, want, file[:size/3])
	if err := fetcher().Get(t.Context(), want, []Source{Path(stick + "x"), Path(filepath.Dir(stick)), Path(stick)}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
}

func TestErrorsShowNoPassword(t *testing.T) {
	want := wanted(t, content(9))
	err := fetcher().Get(t.Context(), want, []Source{URL("http://user:hunter2@127.0.0.1:1/file?token=hunter2")}, nil)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v", err)
	}
}
