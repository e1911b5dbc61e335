package backend_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/models"
	"fanous/models/tinyxlmr"
)

// indexed makes a data folder with an index of one small file in it.
func indexed(t *testing.T) string {
	t.Helper()
	data, texts := t.TempDir(), t.TempDir()
	put(t, filepath.Join(texts, "a.txt"), []byte("the lantern of the harbour"))
	b := openOn(t, backend.Config{DataDir: data})
	if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{texts}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

// openOn opens a backend that makes self-tests with this program.
func openOn(t *testing.T, cfg backend.Config) *backend.Backend {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Program, cfg.LocalBudget = exe, time.Hour
	b, err := backend.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// found searches with everything on: a hit in spite of whatever is broken.
func found(t *testing.T, b *backend.Backend) domain.SearchResponse {
	t.Helper()
	r, err := b.Search(t.Context(), domain.SearchRequest{Query: "lantern", Method: domain.Hybrid, Rerank: domain.RerankLocal}, nil)
	if err != nil || len(r.Hits) != 1 {
		t.Fatalf("%d hits, %v", len(r.Hits), err)
	}
	return r
}

// TestWrongLibraries: each has a state of its own, known without a crash, while searches go on by keyword.
func TestWrongLibraries(t *testing.T) {
	good, err := os.ReadFile(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		t.Fatal("FANOUS_RUNTIME (go tool mage test sets it): ", err)
	}
	flipped := bytes.Clone(good)
	flipped[2] ^= 0x20
	cases := map[string]struct {
		content []byte // nil: nothing is there
		code    domain.Code
	}{
		"missing":            {nil, domain.CodeLibraryMissing},
		"empty":              {[]byte{}, domain.CodeLibraryEmpty},
		"a web page":         {[]byte("<!DOCTYPE html><html>Sign in"), domain.CodeLibraryWebPage},
		"cut":                {good[:len(good)/3], domain.CodeLibraryDamaged},
		"a flipped header":   {flipped, domain.CodeLibraryDamaged},
		"for another system": {[]byte("MZ\x90\x00 and more of Windows"), domain.CodeLibraryProcessor},
	}
	if runtime.GOOS == "linux" {
		version := bytes.Index(good, []byte("\x00VERS_1."))
		end := bytes.IndexByte(good[version+1:], 0)
		old := bytes.Clone(good)
		now := bytes.Clone(good[version+1 : version+1+end+1])
		old = bytes.ReplaceAll(old, now, append([]byte("VERS_1.9.0"), make([]byte, len(now)-len("VERS_1.9.0"))...))
		cases["too old"] = struct {
			content []byte
			code    domain.Code
		}{old, domain.CodeLibraryTooOld}
		cases["some other library"] = struct {
			content []byte
			code    domain.Code
		}{bytes.ReplaceAll(good, []byte("OrtGetApiBase\x00"), []byte("XrtGetApiBase\x00")), domain.CodeLibraryOther}
	}
	data := indexed(t)
	for name, c := range cases {
		path := filepath.Join(t.TempDir(), "library")
		if c.content != nil {
			put(t, path, c.content)
		}
		libraryState(t, name, data, path, c.code)
	}
	libraryState(t, "none", data, "", domain.CodeLibraryNone)
}

// TestLibrariesThatTakeTheirProcessWithThem: only the process of the self-test is lost.
func TestLibrariesThatTakeTheirProcessWithThem(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no compiler, or no Linux: ", err)
	}
	data := indexed(t)
	for signal, code := range map[string]domain.Code{
		"SIGILL": domain.CodeProcessorOld, "SIGSEGV": domain.CodeLibraryCrashed, "SIGABRT": domain.CodeLibraryCrashed,
	} {
		path := filepath.Join(t.TempDir(), "libcrash.so")
		cc := exec.Command(compiler, "-shared", "-fPIC", "-o", path, "-x", "c", "-")
		cc.Stdin = strings.NewReader("#include <signal.h>\nvoid *OrtGetApiBase(void) { raise(" + signal + "); return 0; }\n")
		if out, err := cc.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		libraryState(t, signal, data, path, code)
		libraryState(t, signal+", from the book", data, path, code)
	}
}

func libraryState(t *testing.T, name, data, path string, code domain.Code) {
	t.Helper()
	start := time.Now()
	b := openOn(t, backend.Config{DataDir: data, RuntimeLibrary: path, ModelDirs: []string{os.Getenv("FANOUS_MODELS")}})
	defer b.Close()
	if r := found(t, b); len(r.Degraded) == 0 {
		t.Errorf("%s: the search is not degraded", name)
	}
	d, err := b.Doctor(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: known after %v", name, time.Since(start).Round(time.Millisecond))
	if l := d.Library; l.Ready || l.Code != code || l.Reason == "" || l.Hint == "" {
		t.Errorf("%s: %+v, want %s", name, l, code)
	}
	if d.Ready || len(d.Problems) != 1 || d.Embedder.Ready || d.Embedder.Code != code {
		t.Errorf("%s: %q %+v", name, d.Problems, d.Embedder)
	}
}

// TestWrongModels: each has a state of its own, and the search goes on without it.
func TestWrongModels(t *testing.T) {
	whole := t.TempDir()
	tiny := installTiny(t, whole, models.Fast)
	name := filepath.Base(tiny)
	graph, err := os.ReadFile(filepath.Join(tiny, models.GraphFile))
	if err != nil {
		t.Fatal(err)
	}
	write := func(file string, content []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, file)); err != nil { // a link to the whole one
				t.Fatal(err)
			}
			if content != nil {
				put(t, filepath.Join(dir, file), content)
			}
		}
	}
	asItIs := func(change func(t *testing.T, dir string)) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			change(t, dir)
			redescribe(t, dir)
		}
	}
	flipped := bytes.Clone(graph)
	flipped[len(flipped)/2] ^= 1
	const small = `{"added_tokens":[{"id":0,"content":"<s>","special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false},
{"id":2,"content":"</s>","special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false}],"version":"1.0","pre_tokenizer":null,"normalizer":null,
"post_processor":null,"decoder":null,"model":{"type":"Unigram","unk_id":3,"vocab":[["<s>",0.0],["<pad>",0.0],["</s>",0.0],["<unk>",0.0],["a",-5.0]],"byte_fallback":false}}`
	data := indexed(t)
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		code  domain.Code
		state domain.ModelState
	}{
		{"empty", write(models.GraphFile, []byte{}), domain.CodeModelEmpty, domain.ModelDamaged},
		{"cut", write(models.GraphFile, graph[:len(graph)/2]), domain.CodeModelCut, domain.ModelDamaged},
		{"one byte flipped", write(models.GraphFile, flipped), domain.CodeModelAltered, domain.ModelDamaged},
		{"a web page", write(models.GraphFile, []byte("<html><body>Sign in</body></html>")), domain.CodeModelWebPage, domain.ModelDamaged},
		{"no graph", write(models.GraphFile, nil), domain.CodeModelFile, domain.ModelDamaged},
		{"another tokenizer", write(models.TokenizerFile, []byte(small)), domain.CodeModelCut, domain.ModelDamaged},
		{"a tokenizer of another vocabulary, described as it is", asItIs(write(models.TokenizerFile, []byte(small))), domain.CodeModelTokenizer, domain.ModelRefused},
		{"a cut graph, described as it is", asItIs(write(models.GraphFile, graph[:len(graph)/2])), domain.CodeModelFailed, domain.ModelRefused},
		{"an embedder", asItIs(embedderGraph), domain.CodeModelKind, domain.ModelRefused},
	} {
		dirs := t.TempDir()
		dir := filepath.Join(dirs, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{models.GraphFile, models.TokenizerFile, models.ManifestFile} {
			if err := os.Link(filepath.Join(tiny, file), filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
		}
		c.spoil(t, dir)
		start := time.Now()
		b := openOn(t, backend.Config{DataDir: data, RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{dirs}})
		found(t, b)
		d, err := b.Doctor(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: known after %v", c.name, time.Since(start).Round(time.Millisecond))
		if len(d.Models) != 1 || d.Models[0].State != c.state || d.Models[0].Code != c.code || d.Models[0].Reason == "" || d.Models[0].Hint == "" {
			t.Errorf("%s: %+v, want %s", c.name, d.Models, c.code)
		}
		if d.Ready || d.Local.Ready || !d.Library.Ready {
			t.Errorf("%s: %+v %+v", c.name, d.Local, d.Library)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// embedderGraph puts the starter embedder's graph in place of the reranker's.
func embedderGraph(t *testing.T, dir string) {
	t.Helper()
	graphs, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*", models.GraphFile))
	if err != nil || len(graphs) == 0 {
		t.Fatal("FANOUS_MODELS has no starter model", err)
	}
	graph, err := os.ReadFile(graphs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, models.GraphFile)); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, models.GraphFile), graph)
}

// redescribe writes a manifest whose digests are those of the files.
func redescribe(t *testing.T, dir string) {
	t.Helper()
	m, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range m.Files {
		if m.Files[i], err = models.FileAt(t.Context(), filepath.Join(dir, f.Name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, models.ManifestFile)); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
}

// TestWantingADeviceThatIsNotThere: CUDA is asked for on a machine without it. It ends on the CPU, with the reason.
func TestWantingADeviceThatIsNotThere(t *testing.T) {
	if os.Getenv("FANOUS_TEST_CUDA") != "" {
		t.Skip("this machine has one")
	}
	dirs := t.TempDir()
	installTiny(t, dirs, models.Precise)
	cfg := backend.Config{DataDir: indexed(t), RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{dirs}}
	cfg.Device = "CUDA"
	b := openOn(t, cfg)
	defer b.Close()
	if err := b.SelfTest(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := found(t, b)
	if r.Rerank.Device != "CPU" || r.Rerank.Precision != "fp32" || !strings.HasPrefix(r.Rerank.Model, tinyxlmr.Name) {
		t.Errorf("%+v", r.Rerank)
	}
	d, err := b.Doctor(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(d.Devices)
	cuda, cpu := d.Devices[0], d.Devices[len(d.Devices)-1]
	wants := domain.CodeDeviceAbsent
	if cuda.Device != "CUDA" || cuda.InUse || cuda.Code != wants || cuda.Reason == "" || cpu.Device != "CPU" || !cpu.InUse {
		t.Errorf("%s", text)
	}
	if d.Ready || !strings.Contains(strings.Join(d.Problems, " "), "CUDA") {
		t.Errorf("what was wanted is not there, and that is no problem: %q", d.Problems)
	}
	if len(d.Tests) != 1 || d.Tests[0].Device != "CPU" || !d.Tests[0].Passed || !d.Tests[0].InUse || !(d.Tests[0].PerSecond > 0) {
		t.Errorf("%+v", d.Tests)
	}
}
