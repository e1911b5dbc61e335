package bundle

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/models"
)

// folder is a model that is whole.
func folder(tb testing.TB) Model {
	tb.Helper()
	dir := tb.TempDir()
	m := models.Manifest{Name: "example", Role: models.Reranker, Tier: models.Fast, Licence: "MIT", MaxTokens: 128, MaxQueryTokens: 64}
	for name, content := range map[string]string{models.GraphFile: "a graph", models.TokenizerFile: "a tokenizer"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			tb.Fatal(err)
		}
		f, err := models.FileAt(context.Background(), filepath.Join(dir, name))
		if err != nil {
			tb.Fatal(err)
		}
		m.Files = append(m.Files, f)
	}
	return Model{Manifest: m, Dir: dir}
}

func write(tb testing.TB) string {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "fanous")
	if err := os.WriteFile(program, []byte("a program"), 0o755); err != nil {
		tb.Fatal(err)
	}
	to := filepath.Join(tb.TempDir(), "b.zip")
	c := Contents{Models: []Model{folder(tb)}, System: "linux/amd64", Program: []string{program}}
	if _, err := Write(context.Background(), to, c, func(string, int64, int64) {}); err != nil {
		tb.Fatal(err)
	}
	return to
}

func TestWriteAndOpen(t *testing.T) {
	b, err := Open(write(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if len(b.Models) != 1 || len(b.Files) != 3 || b.Program != "linux/amd64" {
		t.Errorf("%+v", b.Index)
	}
	if f := b.File(b.Models[0], models.GraphFile); f == nil || f.UncompressedSize64 != 7 {
		t.Errorf("the graph is %+v", f)
	}
	if mode := b.files["program/fanous"].Mode(); mode&0o100 == 0 {
		t.Errorf("the program has mode %v", mode)
	}
	if err := b.VerifyProgram(t.Context()); err != nil {
		t.Error(err)
	}
	b.Files[2].SHA256 = strings.Repeat("0", 64)
	if err := b.VerifyProgram(t.Context()); !errors.Is(err, ErrInvalid) {
		t.Errorf("a program of another digest: %v", err)
	}
}

func TestWriteRefusesADamagedModel(t *testing.T) {
	m := folder(t)
	if err := os.WriteFile(filepath.Join(m.Dir, models.GraphFile), []byte("b graph"), 0o644); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "b.zip")
	_, err := Write(t.Context(), to, Contents{Models: []Model{m}}, func(string, int64, int64) {})
	if err == nil || !strings.Contains(err.Error(), "verify the model") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("there is a bundle")
	}
}

// TestOpenRefuses what could be anywhere but in a bundle's folders, swell, or differ from the list.
func TestOpenRefuses(t *testing.T) {
	type entry struct {
		name, content string
		method        uint16
	}
	graph, token := models.File{Name: "models/example/model.onnx"}, models.File{Name: "models/example/tokenizer.json"}
	m := folder(t).Manifest
	for _, f := range m.Files {
		if f.Name == models.GraphFile {
			graph.Bytes, graph.SHA256 = f.Bytes, f.SHA256
		} else {
			token.Bytes, token.SHA256 = f.Bytes, f.SHA256
		}
	}
	for name, test := range map[string]struct {
		spoil func(x *Index, files *[]entry)
		want  string
	}{
		"nothing":            {func(*Index, *[]entry) {}, ""},
		"another kind":       {func(x *Index, _ *[]entry) { x.Format = "x" }, "another kind"},
		"a later version":    {func(x *Index, _ *[]entry) { x.Version = 2 }, "version 2"},
		"not listed":         {func(_ *Index, f *[]entry) { *f = append(*f, entry{"../../evil", "x", zip.Store}) }, "not listed"},
		"missing":            {func(_ *Index, f *[]entry) { (*f)[0].name = "models/example/other" }, "listed and not in it"},
		"compressed":         {func(_ *Index, f *[]entry) { (*f)[0].method = zip.Deflate }, "compressed"},
		"twice":              {func(_ *Index, f *[]entry) { (*f)[1].name = (*f)[0].name }, "twice"},
		"longer":             {func(_ *Index, f *[]entry) { (*f)[0].content += "x" }, "bytes, not"},
		"up and away":        {func(x *Index, _ *[]entry) { x.Files[0].Name = "models/../../model.onnx" }, "no place"},
		"from the root":      {func(x *Index, _ *[]entry) { x.Files[0].Name = "/models/example/model.onnx" }, "no place"},
		"Windows' root":      {func(x *Index, _ *[]entry) { x.Files[0].Name = `models/C:\x/model.onnx` }, "no place"},
		"a hidden file":      {func(x *Index, _ *[]entry) { x.Files[0].Name = "models/example/.x" }, "no place"},
		"another folder":     {func(x *Index, _ *[]entry) { x.Files[0].Name = "config/model.onnx" }, "no place"},
		"too deep":           {func(x *Index, _ *[]entry) { x.Files[0].Name = "models/a/b/model.onnx" }, "no place"},
		"listed twice":       {func(x *Index, _ *[]entry) { x.Files[1].Name = "models/EXAMPLE/model.onnx" }, "twice"},
		"absurdly large":     {func(x *Index, _ *[]entry) { x.Files[0].Bytes = 1 << 62 }, "larger than a bundle"},
		"negative":           {func(x *Index, _ *[]entry) { x.Files[0].Bytes = -1 }, "larger than a bundle"},
		"another digest":     {func(x *Index, _ *[]entry) { x.Files[0].SHA256 = strings.Repeat("0", 64) }, "as the manifest says"},
		"no manifest for it": {func(x *Index, _ *[]entry) { x.Models = nil }, "no manifest has"},
		"a manifest's name":  {func(x *Index, _ *[]entry) { x.Models[0].Name = ".." }, "no name for a model"},
		"a model twice":      {func(x *Index, _ *[]entry) { x.Models = append(x.Models, x.Models[0]) }, "twice"},
	} {
		t.Run(name, func(t *testing.T) {
			x := Index{Format: format, Version: version, Models: []models.Manifest{m}, Files: []models.File{graph, token}}
			files := []entry{{graph.Name, "a graph", zip.Store}, {token.Name, "a tokenizer", zip.Store}}
			test.spoil(&x, &files)
			list, err := json.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for _, f := range append([]entry{{indexName, string(list), zip.Store}}, files...) {
				to, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: f.method})
				if err == nil {
					_, err = to.Write([]byte(f.content))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			_, _, err = read(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// FuzzRead: whatever a file holds, what is accepted lies in a bundle's folders and is as long as it says.
func FuzzRead(f *testing.F) {
	whole, err := os.ReadFile(write(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, files, err := read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for _, file := range x.Files {
			if err := checkPath(file.Name); err != nil || files[file.Name] == nil {
				t.Errorf("%q was accepted: %v", file.Name, err)
			}
		}
		for _, m := range x.Models {
			if err := m.Validate(); err != nil {
				t.Error(err)
			}
		}
	})
}
