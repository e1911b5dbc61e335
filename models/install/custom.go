package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fanous/models"
	"fanous/models/convert"
	"fanous/models/fetch"
	"fanous/models/onnxgraph"
)

// ErrNameTaken says that a model's name is that of another one.
var ErrNameTaken = errors.New("the name belongs to another model")

// importFolder installs a model that is not of the catalogue from a folder with a manifest, which may be short: name,
// role and max_tokens, and dim and pooling of an embedder. What it leaves out is filled in. Its digests, where it has some, must be
// those of the files.
func (in *Installer) importFolder(ctx context.Context, dir string, f found, o ImportOptions) (Imported, bool) {
	i := Imported{Name: filepath.Base(dir), From: dir}
	m, err := models.LoadShort(dir)
	if err != nil {
		i.Err = err
		return i, true
	}
	i.Name = m.Name
	if e, ok := in.Catalogue.Find(m.Name); ok {
		if e.System != "" && e.System != System() {
			i.Err = fmt.Errorf("it is for %s", e.System)
			return i, true
		}
		if lacks := f.lacks(e); len(lacks) == 0 {
			return i, false // importKnown saw to it
		}
		return in.importPinned(ctx, dir, e, m), true
	}
	if isPublished(dir) && !isFile(filepath.Join(dir, models.GraphFile)) {
		return in.importPublished(ctx, dir, m, o.Precision), true
	}
	if m, err = in.complete(ctx, dir, m); err != nil {
		i.Err = err
		return i, true
	}
	i.Already = in.has(m)
	i.Err = in.put(ctx, models.Entry{Manifest: m}, folder(dir))
	return i, true
}

// importPinned installs a model of the catalogue from a folder that an installation made: digests that the catalogue
// does not have are the manifest's.
func (in *Installer) importPinned(ctx context.Context, dir string, e models.Entry, m models.Manifest) Imported {
	i := Imported{Name: e.Name, From: dir, Already: in.has(e.Manifest)}
	if i.Err = vouchedBy(e, m); i.Err != nil {
		return i
	}
	e.Files = m.Files
	i.Err = in.put(ctx, e, folder(dir))
	return i
}

func folder(dir string) func(name string) []fetch.Source {
	return func(name string) []fetch.Source { return []fetch.Source{fetch.Path(filepath.Join(dir, name))} }
}

// complete reads the files of a folder and fills in what its manifest does not say of them.
func (in *Installer) complete(ctx context.Context, dir string, m models.Manifest) (models.Manifest, error) {
	if len(m.Files) == 0 {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return m, err
		}
		for _, e := range entries {
			if name := e.Name(); strings.HasPrefix(name, models.GraphFile) || name == models.TokenizerFile || name == "tokenizer_config.json" {
				m.Files = append(m.Files, models.File{Name: name})
			}
		}
	}
	for n, file := range m.Files {
		in.report(Progress{Model: m.Name, Phase: Checking, File: file.Name, Source: dir})
		got, err := models.FileAt(ctx, filepath.Join(dir, file.Name))
		if err != nil {
			return m, err
		}
		if file.SHA256 != "" && file.SHA256 != got.SHA256 {
			return m, fmt.Errorf("%s has SHA-256 %s, and its manifest says %s", file.Name, got.SHA256, file.SHA256)
		}
		m.Files[n].SHA256, m.Files[n].Bytes = got.SHA256, got.Bytes
	}
	if m.Role != models.Runtime {
		for _, name := range []string{models.GraphFile, models.TokenizerFile} {
			if _, ok := m.File(name); !ok {
				return m, fmt.Errorf("there is no %s in %s", name, dir)
			}
		}
	}
	return m, m.Validate()
}

// importPublished makes a model of weights as they are published, in a precision of our choice. What no manifest says
// (known) comes from the weights' own description.
func (in *Installer) importPublished(ctx context.Context, dir string, known models.Manifest, precision onnxgraph.Precision) Imported {
	if known.Name == "" {
		known.Name = fmt.Sprintf("%s-%s", filepath.Base(dir), cmp.Or(string(precision), "fp32"))
	}
	i := Imported{Name: known.Name, From: dir}
	if _, ok := in.Catalogue.Find(known.Name); ok {
		i.Err = fmt.Errorf("what is made of %s would be called %s: %w", dir, known.Name, ErrNameTaken)
		return i
	}
	meter := meter{report: in.report}
	i.Err = in.install(ctx, known, func(ctx context.Context, staging string) (models.Manifest, error) {
		if err := fetch.Room(in.Fetcher.Free, filepath.Join(staging, "x"), weightsOf(dir)); err != nil {
			return models.Manifest{}, err
		}
		return convert.Folder(ctx, dir, staging, convert.Options{Manifest: known, Precision: precision, Progress: func(done, total int64) {
			meter.tell(Progress{Model: known.Name, Phase: Converting, Source: dir, Done: done, Total: total})
		}})
	})
	return i
}

// weightsOf is the size of the weights in a folder: no precision of ours takes more.
func weightsOf(dir string) int64 {
	var n int64
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && filepath.Ext(e.Name()) == ".safetensors" {
			n += info.Size()
		}
	}
	return n
}
