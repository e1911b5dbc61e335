package install

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/models"
	"fanous/models/bundle"
	"fanous/models/fetch"
)

// imported sums up what an import met, one line each.
func imported(met []Imported) []string {
	var out []string
	for _, i := range met {
		line := i.Name
		switch {
		case i.Err != nil:
			line += ": " + i.Err.Error()
		case i.Already:
			line += ": already"
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func importing(t *testing.T, in *Installer, path string) []string {
	t.Helper()
	met, err := in.Import(t.Context(), path, ImportOptions{})
	if err != nil && !errors.Is(err, ErrNothingFound) {
		t.Fatal(err)
	}
	return imported(met)
}

// TestImportKnowsFilesByTheirDigests, whatever they are called and wherever they lie.
func TestImportKnowsFilesByTheirDigests(t *testing.T) {
	stick := t.TempDir()
	put(t, filepath.Join(stick, "downloads", "model_int8 (1).onnx"), graph)
	put(t, filepath.Join(stick, "other", "tok.json"), tokenizer)
	put(t, filepath.Join(stick, "photo.jpg"), []byte("a photo"))
	put(t, filepath.Join(stick, ".hidden", "model.onnx"), graph)
	in := installer(t, Sources{Offline: true})
	if got := importing(t, in, stick); !slices.Equal(got, []string{"example"}) {
		t.Errorf("%q", got)
	}
	installed(t, in, example().Manifest)
	if got := importing(t, in, stick); !slices.Equal(got, []string{"example: already"}) {
		t.Errorf("once more: %q", got)
	}
}

func TestImportSaysWhatIsMissing(t *testing.T) {
	in, stick := installer(t, Sources{}), t.TempDir()
	put(t, filepath.Join(stick, "m.onnx"), graph)
	if got := importing(t, in, filepath.Join(stick, "m.onnx")); !slices.Equal(got, []string{"example: it lacks tokenizer.json"}) {
		t.Errorf("%q", got)
	}
	empty := t.TempDir()
	put(t, filepath.Join(empty, "t.json"), tokenizer) // a tokenizer alone says nothing
	if got := importing(t, in, empty); len(got) != 0 {
		t.Errorf("%q", got)
	}
	notInstalled(t, in, example().Manifest)
}

const shortManifest = `{"name": "mine", "role": "reranker", "max_tokens": 128}`

func custom(t *testing.T, manifest string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "folder")
	put(t, filepath.Join(dir, models.GraphFile), []byte("my graph"))
	put(t, filepath.Join(dir, "model.onnx_data"), []byte("my weights"))
	put(t, filepath.Join(dir, models.TokenizerFile), []byte("{}"))
	put(t, filepath.Join(dir, "README.md"), []byte("mine"))
	put(t, filepath.Join(dir, models.ManifestFile), []byte(manifest))
	return dir
}

func TestImportACustomModel(t *testing.T) {
	in := installer(t, Sources{})
	checked := ""
	in.Check = func(_ context.Context, _ models.Manifest, dir string) error { checked = dir; return nil }
	dir := custom(t, shortManifest)
	if got := importing(t, in, filepath.Dir(dir)); !slices.Equal(got, []string{"mine"}) {
		t.Fatalf("%q", got)
	}
	m, err := models.Load(filepath.Join(in.dir(), "mine"))
	if err != nil {
		t.Fatal(err)
	}
	installed(t, in, m)
	if checked == "" || len(m.Files) != 3 || m.Role != models.Reranker || m.MaxTokens != 128 || m.MaxQueryTokens != 64 || m.Tier != models.Precise {
		t.Errorf("checked in %q: %+v", checked, m)
	}
	if m.Digest() == m.Files[0].SHA256 || len(m.Digest()) != 64 {
		t.Errorf("the digest %s does not speak of the weights beside the graph", m.Digest())
	}
	// The manifest that it got brings it to the next machine, and other files under its name replace it.
	next := installer(t, Sources{})
	if got := importing(t, next, in.dir()); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("%q", got)
	}
	put(t, filepath.Join(dir, models.GraphFile), []byte("my newer graph"))
	if got := importing(t, in, dir); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("%q", got)
	}
	if m, err := models.Load(filepath.Join(in.dir(), "mine")); err != nil || m.Files[0].Bytes != int64(len("my newer graph")) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestImportRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		manifest string
		spoil    func(dir string) error
		want     string
	}{
		"a name of the catalogue": {strings.Replace(shortManifest, "mine", "example", 1), nil, "the name belongs to another model"},
		"a name with a folder":    {strings.Replace(shortManifest, "mine", "../../x", 1), nil, "no name for a model"},
		"a name of Windows' own":  {strings.Replace(shortManifest, "mine", `a\\b`, 1), nil, "no name for a model"},
		"no role":                 {`{"name": "mine", "max_tokens": 128}`, nil, `role "" is not known`},
		"an embedder without dim": {`{"name": "mine", "role": "embedder", "max_tokens": 128}`, nil, "dim is 0"},
		"no tokens":               {`{"name": "mine", "role": "reranker"}`, nil, "max_tokens is 0"},
		"other digests":           {`{"name": "mine", "role": "reranker", "max_tokens": 128, "files": [{"name": "model.onnx", "sha256": "` + sum(graph) + `"}]}`, nil, "its manifest says"},
		"a file outside":          {`{"name": "mine", "role": "reranker", "max_tokens": 128, "files": [{"name": "../model.onnx"}]}`, nil, "no name for a file"},
		"no tokenizer":            {shortManifest, func(dir string) error { return os.Remove(filepath.Join(dir, models.TokenizerFile)) }, "there is no tokenizer.json"},
		"no graph":                {shortManifest, func(dir string) error { return os.Remove(filepath.Join(dir, models.GraphFile)) }, "there is no model.onnx"},
		"not a manifest":          {"<html>", nil, "invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			in, dir := installer(t, Sources{}), custom(t, test.manifest)
			if test.spoil != nil {
				if err := test.spoil(dir); err != nil {
					t.Fatal(err)
				}
			}
			if got := importing(t, in, dir); len(got) != 1 || !strings.Contains(got[0], test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if entries, _ := os.ReadDir(in.dir()); slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") }) {
				t.Errorf("there are %v", entries)
			}
		})
	}
}

// TestImportWithoutADigest: who imports vouches for a file that the catalogue has no digest of.
func TestImportWithoutADigest(t *testing.T) {
	e := example()
	e.Files = slices.Clone(e.Files)
	e.Files[0].SHA256, e.Files[0].Bytes = "", 0
	in, dir := installer(t, Sources{}), t.TempDir()
	in.Catalogue = models.Entries{e}
	put(t, filepath.Join(dir, "onnx", "model.onnx"), graph)
	put(t, filepath.Join(dir, models.TokenizerFile), tokenizer)
	if got := importing(t, in, dir); len(got) != 0 {
		t.Errorf("without a word: %q", got)
	}
	met, err := in.Import(t.Context(), dir, ImportOptions{As: "example"})
	if err != nil || !slices.Equal(imported(met), []string{"example"}) {
		t.Fatalf("%q, %v", imported(met), err)
	}
	installed(t, in, e.Manifest)
	// From there it goes on by its manifest.
	next := installer(t, Sources{})
	next.Catalogue = in.Catalogue
	if got := importing(t, next, in.dir()); !slices.Equal(got, []string{"example"}) {
		t.Errorf("%q", got)
	}
	if _, err := in.Import(t.Context(), dir, ImportOptions{As: "nothing"}); err == nil {
		t.Error("a name that is not in the catalogue")
	}
}

func TestImportStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := installer(t, Sources{}).Import(ctx, custom(t, shortManifest), ImportOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// packed is a bundle of the example and of a model that is not of the catalogue.
func packed(t *testing.T) string {
	t.Helper()
	in := installer(t, Sources{Mirrors: []string{flat(t).URL}})
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	importing(t, in, custom(t, shortManifest))
	program := filepath.Join(t.TempDir(), "fanous")
	put(t, program, []byte("a program"))
	c := bundle.Contents{System: System(), Program: []string{program}}
	for _, name := range []string{"example", "mine"} {
		dir := filepath.Join(in.dir(), name)
		m, err := models.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		c.Models = append(c.Models, bundle.Model{Manifest: m, Dir: dir})
	}
	to := filepath.Join(t.TempDir(), "b.zip")
	if _, err := bundle.Write(t.Context(), to, c, func(string, int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestBundle(t *testing.T) {
	in, path := installer(t, Sources{Offline: true}), packed(t)
	met, err := in.Unpack(t.Context(), path)
	if err != nil || !slices.Equal(imported(met), []string{"example", "mine"}) {
		t.Fatalf("%q, %v", imported(met), err)
	}
	installed(t, in, example().Manifest)
	met, err = in.Unpack(t.Context(), path)
	if err != nil || !slices.Equal(imported(met), []string{"example: already", "mine: already"}) {
		t.Errorf("once more: %q, %v", imported(met), err)
	}
}

// TestADamagedBundle installs nothing of what is damaged, and all of the rest.
func TestADamagedBundle(t *testing.T) {
	path := packed(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := func(find string) string {
		b := bytes.Clone(data)
		at := bytes.Index(b, []byte(find))
		if at < 0 {
			t.Fatalf("no %q in the bundle", find)
		}
		b[at] ^= 1
		to := filepath.Join(t.TempDir(), "b.zip")
		put(t, to, b)
		return to
	}
	in := installer(t, Sources{})
	met, err := in.Unpack(t.Context(), spoiled("not a graph"))
	if err != nil || len(met) != 2 || met[0].Err == nil || met[1].Err != nil {
		t.Errorf("%q, %v", imported(met), err)
	}
	notInstalled(t, in, example().Manifest)
	if _, err := in.Unpack(t.Context(), spoiled("a program")); !errors.Is(err, bundle.ErrInvalid) {
		t.Errorf("a damaged program: %v", err)
	}
	put(t, filepath.Join(t.TempDir(), "cut.zip"), data[:len(data)-100])
	for _, cut := range []int{0, 10, len(data) / 2, len(data) - 1} {
		to := filepath.Join(t.TempDir(), "cut.zip")
		put(t, to, data[:cut])
		if _, err := in.Unpack(t.Context(), to); !errors.Is(err, bundle.ErrInvalid) {
			t.Errorf("%d bytes of it: %v", cut, err)
		}
	}
}

// TestABundleThatLies cannot bring other bytes under a name of the catalogue.
func TestABundleThatLies(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, models.GraphFile), []byte("an evil graph"))
	put(t, filepath.Join(dir, models.TokenizerFile), tokenizer)
	m := example().Manifest
	m.Files = nil
	for _, name := range []string{models.GraphFile, models.TokenizerFile} {
		f, err := models.FileAt(t.Context(), filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		m.Files = append(m.Files, f)
	}
	to := filepath.Join(t.TempDir(), "b.zip")
	c := bundle.Contents{Models: []bundle.Model{{Manifest: m, Dir: dir}}}
	if _, err := bundle.Write(t.Context(), to, c, func(string, int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	in := installer(t, Sources{})
	met, err := in.Unpack(t.Context(), to)
	if err != nil || len(met) != 1 || !errors.Is(met[0].Err, ErrNameTaken) {
		t.Errorf("%q, %v", imported(met), err)
	}
	notInstalled(t, in, example().Manifest)
}

func TestADamagedMemberIsNotRetried(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	member, err := w.Create("x")
	if err == nil {
		_, err = member.Write(graph)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	in := installer(t, Sources{})
	in.Fetcher.Pause = 1 << 62 // a second round would never come
	e := example()
	err = in.put(t.Context(), e, func(string) []fetch.Source { return []fetch.Source{fetch.Member{Archive: "a", File: r.File[0]}} })
	if !errors.Is(err, fetch.ErrWrongBytes) && (err == nil || !strings.Contains(err.Error(), "bytes, not")) {
		t.Errorf("error %v", err)
	}
}
