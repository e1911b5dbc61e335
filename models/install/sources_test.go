package install

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/starter"
)

// wheelOf makes a wheel with these members.
func wheelOf(t *testing.T, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range members {
		m, err := w.Create(name)
		if err == nil {
			_, err = m.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tarballOf makes a tarball with these members, as npm does.
func tarballOf(t *testing.T, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	w := tar.NewWriter(packed)
	for name, content := range members {
		err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content))})
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPackages: a runtime of a wheel and a tarball, of whose files one has a digest of its own.
func TestPackages(t *testing.T) {
	a := wheelOf(t, map[string][]byte{"lib/libone.so": graph, "lib/LICENSE": []byte("free"), "../escape": []byte("x")})
	b := tarballOf(t, map[string][]byte{"package/libtwo.so": tokenizer, "package/LICENSE": []byte("of two"), "../escape": []byte("x")})
	e := models.Entry{
		Manifest: models.Manifest{
			Name: "cuda-example", Role: models.Runtime, Tier: "cuda", Version: "1", System: System(), Licence: "MIT", Source: "a test",
			Files: []models.File{{Name: "libone.so", SHA256: sum(graph)}, {Name: "LICENSE"}, {Name: "libtwo.so"}, {Name: "two-LICENSE"}},
		},
		Packages: []models.Package{
			{Project: "one", Version: "1", File: "one-1.whl", SHA256: sum(a), Members: map[string]string{"libone.so": "lib/libone.so", "LICENSE": "lib/LICENSE"}},
			{Project: "@many/two", Version: "1", File: "two-1.tgz", SHA256: sum(b), Bytes: int64(len(b)), Members: map[string]string{
				"libtwo.so": "package/libtwo.so", "two-LICENSE": "package/LICENSE",
			}},
		},
	}
	link := func(file string) []byte { return []byte(`<html><a href="/files/` + file + `">x</a></html>`) }
	index := serve(t, map[string][]byte{
		"/simple/one/": link("one-1.whl"), "/npm/@many/two/-/two-1.tgz": b, "/files/one-1.whl": a, "/files/two-1.tgz": b,
	})
	folder := t.TempDir()
	put(t, filepath.Join(folder, "one-1.whl"), a)
	put(t, filepath.Join(folder, "two-1.tgz"), b)
	for name, s := range map[string]Sources{
		"registries":           {Indexes: []string{"http://127.0.0.1:1", index.URL + "/simple"}, Registry: index.URL + "/npm/"},
		"a folder of packages": {Packages: []string{folder}, Offline: true},
		"a mirror":             {Mirrors: []string{folder}, Offline: true},
		"a file server":        {Mirrors: []string{index.URL + "/files"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := installer(t, s)
			if err := in.Get(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			installed(t, in, e.Manifest)
			got, err := models.Load(filepath.Join(in.dir(), e.Name))
			if f, _ := got.File("libtwo.so"); err != nil || f.SHA256 != sum(tokenizer) || f.Bytes != int64(len(tokenizer)) {
				t.Errorf("the manifest has %+v (%v)", f, err)
			}
			entries, _ := os.ReadDir(filepath.Join(in.dir(), e.Name))
			if len(entries) != 6 { // four files, the manifest, the record
				t.Errorf("the folder has %v", entries)
			}
		})
	}
	for name, test := range map[string]struct {
		sources Sources
		want    error
		says    string
	}{
		"no index":    {Sources{Registry: index.URL + "/npm"}, ErrNoIndex, "no package index is set up"},
		"no registry": {Sources{Indexes: []string{index.URL + "/simple"}}, ErrNoRegistry, "no npm registry is set up"},
		"offline":     {Sources{Indexes: []string{index.URL + "/simple"}, AskPip: true, AskNPM: true, Offline: true}, ErrOffline, "one-1.whl"},
	} {
		t.Run(name, func(t *testing.T) {
			in := installer(t, test.sources)
			if err := in.Get(t.Context(), e); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v", err)
			}
			notInstalled(t, in, e.Manifest)
		})
	}
	t.Run("a member that the package lacks", func(t *testing.T) {
		lacking := e
		lacking.Packages = slices.Clone(e.Packages)
		lacking.Packages[1].Members = map[string]string{"libtwo.so": "package/libtwo.so", "two-LICENSE": "../escape.txt"}
		in := installer(t, Sources{Packages: []string{folder}})
		if err := in.Get(t.Context(), lacking); err == nil || !strings.Contains(err.Error(), "../escape.txt in two-1.tgz: the archive has no such file") {
			t.Errorf("error %v", err)
		}
		notInstalled(t, in, e.Manifest)
	})
	t.Run("another wheel", func(t *testing.T) {
		other := serve(t, map[string][]byte{"/simple/one/": link("one-1.whl"), "/files/one-1.whl": b})
		in := installer(t, Sources{Indexes: []string{other.URL + "/simple"}})
		if err := in.Get(t.Context(), e); !errors.Is(err, fetch.ErrWrongBytes) {
			t.Errorf("error %v", err)
		}
		notInstalled(t, in, e.Manifest)
	})
}

// TestAPackageIsCountedByItself: it may have much more in it than the model.
func TestAPackageIsCountedByItself(t *testing.T) {
	other := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(other)
	packed := tarballOf(t, map[string][]byte{"package/libone.so": graph, "package/other.so": other})
	folder := t.TempDir()
	put(t, filepath.Join(folder, "one-1.tgz"), packed)
	in := installer(t, Sources{Packages: []string{folder}})
	whole := false
	in.Progress = func(p Progress) {
		if p.Total > 0 && p.Done > p.Total {
			t.Errorf("%d of %d bytes of %s", p.Done, p.Total, p.File)
		}
		whole = whole || p.File == "one-1.tgz" && p.Done == int64(len(packed)) && p.Total == p.Done
	}
	err := in.Get(t.Context(), models.Entry{
		Manifest: models.Manifest{
			Name: "example-runtime", Role: models.Runtime, Tier: "cpu", Version: "1", System: System(), Licence: "MIT", Source: "a test",
			Files: []models.File{{Name: "libone.so", SHA256: sum(graph), Bytes: int64(len(graph))}},
		},
		Packages: []models.Package{{
			Project: "one", Version: "1", File: "one-1.tgz", SHA256: sum(packed), Bytes: int64(len(packed)),
			Members: map[string]string{"libone.so": "package/libone.so"},
		}},
	})
	if err != nil || !whole {
		t.Errorf("the package was told as a whole: %v (%v)", whole, err)
	}
}

// TestADigestThatOnlyTheHubStates is kept from then on.
func TestADigestThatOnlyTheHubStates(t *testing.T) {
	e := example()
	e.Files = slices.Clone(e.Files)
	e.Files[0].SHA256, e.Files[0].Bytes = "", 0
	path := "/somebody/example/resolve/" + commit + "/onnx/model.onnx"
	h := hub(t)
	in := installer(t, Sources{Hub: h.URL, Mirrors: []string{flat(t).URL}})
	if err := in.Get(t.Context(), e); err == nil || !strings.Contains(err.Error(), "no digest of model.onnx") {
		t.Errorf("a hub that states nothing: %v", err)
	}
	state := func(digest string, bytes int) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.header[path] = http.Header{"X-Linked-Etag": {`"` + digest + `"`}, "X-Linked-Size": {fmt.Sprint(bytes)}}
	}
	state(sum(graph), len(graph))
	branch := e
	branch.Hub = &models.Hub{Repository: "somebody/example", Revision: "main", Paths: e.Hub.Paths}
	if err := in.Get(t.Context(), branch); err == nil || !strings.Contains(err.Error(), "main is no commit") {
		t.Errorf("a branch: %v", err)
	}
	offline := installer(t, Sources{Hub: h.URL, Offline: true})
	if err := offline.Get(t.Context(), e); !errors.Is(err, ErrOffline) {
		t.Errorf("offline: %v", err)
	}
	if err := in.Get(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	installed(t, in, e.Manifest)
	state(sum(tokenizer), len(tokenizer)) // the hub changes its mind
	if err := in.Remove(t.Context(), "example"); err != nil {
		t.Fatal(err)
	}
	planned, err := in.Plan(t.Context(), e)
	if f := planned.Files[0]; err != nil || f.SHA256 != sum(graph) || f.Bytes != int64(len(graph)) {
		t.Errorf("%+v, %v", f, err)
	}
	put(t, filepath.Join(in.dir(), lockName), []byte("{"))
	if _, err := in.Plan(t.Context(), e); err == nil {
		t.Error("a damaged lock file was taken for an empty one")
	}
}

func TestASizeThatOnlyTheHubKnows(t *testing.T) {
	e := example()
	e.Files = slices.Clone(e.Files)
	e.Files[0].Bytes = 0
	h := hub(t)
	h.header["/somebody/example/resolve/"+commit+"/onnx/model.onnx"] = http.Header{
		"X-Linked-Etag": {`"` + sum(graph) + `"`}, "X-Linked-Size": {fmt.Sprint(len(graph))},
	}
	in := installer(t, Sources{Hub: h.URL})
	if planned, err := in.Plan(t.Context(), e); err != nil || planned.Bytes() != example().Bytes() {
		t.Errorf("%d bytes, %v", planned.Bytes(), err)
	}
	in = installer(t, Sources{Hub: "http://127.0.0.1:1", Mirrors: []string{flat(t).URL}})
	if err := in.Get(t.Context(), e); err != nil {
		t.Error("without the hub the size is not known, and no matter:", err)
	}
	installed(t, in, e.Manifest)
}

func TestAFullDiskIsSaidBefore(t *testing.T) {
	s := flat(t)
	in := installer(t, Sources{Mirrors: []string{s.URL}})
	in.Fetcher.Free = func(string) (int64, error) { return 1 << 20, nil }
	if err := in.Get(t.Context(), example()); !errors.Is(err, fetch.ErrDiskFull) || s.total() != 0 {
		t.Errorf("error %v after %d bytes", err, s.total())
	}
}

// TestTheStarterIsMadeOfItsWheels where nobody has it as it is. The wheels are those that the build has downloaded.
func TestTheStarterIsMadeOfItsWheels(t *testing.T) {
	cache := os.Getenv("FANOUS_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			t.Skip(err)
		}
		cache = filepath.Join(user, "fanous")
	}
	downloads := filepath.Join(cache, "downloads")
	e, _ := models.Catalogue().Find(starter.Name)
	for _, w := range e.Packages {
		if !isFile(filepath.Join(downloads, w.File)) {
			t.Skipf("%s is not in %s", w.File, downloads)
		}
	}
	in := installer(t, Sources{Packages: []string{downloads}, Offline: true})
	if err := in.Get(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	installed(t, in, e.Manifest)
	if entries, _ := os.ReadDir(filepath.Join(in.dir(), e.Name)); len(entries) != 4 {
		t.Errorf("the folder has %v", entries)
	}
}
