package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"fanous/network"
)

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestIndex: a file of a package index is found by its project's page, resumed, and asked for with the index's own
// password on the index's own host only.
func TestIndex(t *testing.T) {
	file := content(size)
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("another host got the password")
		}
		good(file, "")(w, r)
	})
	mux := http.NewServeMux()
	mux.HandleFunc("/simple/some-project/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!DOCTYPE html><html><body><a href="../../files/other-1.0.whl">other</a><br/>
			<a href="../../files/some_project-1.0+cpu.whl#sha256=00" data-requires-python="&gt;=3.8">x</a>
			<a href="%s/far/some_project-2.0.whl#sha256=00">y</a></body></html>`, elsewhere.URL)
	})
	mux.HandleFunc("/files/some_project-1.0+cpu.whl", good(file, ""))
	index := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})
	base := "http://me:secret@" + index.Listener.Addr().String() + "/simple"
	for _, name := range []string{"some_project-1.0+cpu.whl", "some_project-2.0.whl"} {
		want := wanted(t, file)
		partOf(t, want, file[:size-10])
		if err := fetcher().Get(t.Context(), want, []Source{Index{Base: base, Project: "Some._Project", File: name}}, nil); err != nil {
			t.Fatal(err)
		}
		whole(t, want, file)
	}
	err := fetcher().Get(t.Context(), wanted(t, file), []Source{Index{Base: base, Project: "some-project", File: "some_project-3.0.whl"}}, nil)
	if !contains(err, "does not have some_project-3.0.whl") || contains(err, "secret") {
		t.Errorf("error %v", err)
	}
}

func TestAsk(t *testing.T) {
	digest := digestOf([]byte("x"))
	for name, test := range map[string]struct {
		head http.Header
		raw  string
		want Stated
	}{
		"by headers":  {http.Header{"X-Linked-Etag": {`"` + digest + `"`}, "X-Linked-Size": {"77"}}, "", Stated{digest, 77}},
		"by pointer":  {nil, "version https://git-lfs.github.com/spec/v1\noid sha256:" + digest + "\nsize 78\n", Stated{digest, 78}},
		"not at all":  {nil, "<html>", Stated{}},
		"a git blob":  {http.Header{"X-Linked-Etag": {`"` + digest[:40] + `"`}}, "", Stated{}},
		"half a word": {nil, "version https://git-lfs.github.com/spec/v1\noid sha256:" + digest + "\n", Stated{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/raw" {
					fmt.Fprint(w, test.raw)
					return
				}
				if r.Method != http.MethodHead {
					t.Errorf("method %s", r.Method)
				}
				for k, v := range test.head {
					w.Header()[k] = v
				}
				http.Redirect(w, r, "/raw", http.StatusFound) // as the hub does for large files
			})
			got, err := fetcher().Ask(t.Context(), s.URL+"/resolve", s.URL+"/raw")
			if got != test.want || (err == nil) != (test.want != Stated{}) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestMember(t *testing.T) {
	file := content(size)
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	member, err := w.Create("dir/member")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = member.Write(file)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	open := func(data []byte) Member {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return Member{Archive: "a.zip", File: r.File[0]}
	}
	want := wanted(t, file)
	partOf(t, want, file[:size/2])
	if err := fetcher().Get(t.Context(), want, []Source{open(archive.Bytes())}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	damaged := bytes.Clone(archive.Bytes())
	damaged[len(damaged)/2] ^= 1
	want = wanted(t, file)
	if err := fetcher().Get(t.Context(), want, []Source{open(damaged)}, nil); !contains(err, "dir/member in a.zip") {
		t.Errorf("error %v", err)
	}
	absent(t, want)
}

// TestCertificatesOfTheEnvironment: a server whose certificate SSL_CERT_FILE names is trusted, others are not.
func TestCertificatesOfTheEnvironment(t *testing.T) {
	file := content(99)
	server := httptest.NewUnstartedServer(good(file, ""))
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	defer server.Close()
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o644); err != nil {
		t.Fatal(err)
	}
	get := func() error {
		f := New(network.New(false))
		f.Rounds = 1
		return f.Get(context.Background(), wanted(t, file), []Source{URL(server.URL)}, nil)
	}
	t.Setenv("SSL_CERT_FILE", "") // first: the system's are read once
	if err := get(); !contains(err, "certificate") {
		t.Errorf("an unknown certificate: %v", err)
	}
	t.Setenv("SSL_CERT_FILE", certificate)
	if err := get(); err != nil {
		t.Error(err)
	}
	t.Setenv("SSL_CERT_FILE", filepath.Join(t.TempDir(), "none"))
	if err := get(); !contains(err, "SSL_CERT_FILE") {
		t.Errorf("no such file: %v", err)
	}
}
