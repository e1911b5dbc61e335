package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/onnxgraph"
)

// ErrNothingFound says that a path holds nothing that can be imported.
var ErrNothingFound = errors.New("there is no model in it")

// ImportOptions says what the files do not.
type ImportOptions struct {
	As        string              // the model of the catalogue to make of files that no digest can tell
	Precision onnxgraph.Precision // of the graph that is made of weights as they are published
}

// Imported is one thing that Import met.
type Imported struct {
	Name    string
	Err     error  // why it was not imported; nil: it was, or was here already
	Already bool   // it was here
	From    string // the folder or file
}

// found is what a path holds.
type found struct {
	folders []string          // of models, with a manifest
	foreign map[string]bool   // those of folders whose manifest is of no model of the catalogue
	hub     []string          // folders with weights as they are published
	byName  map[string]string // model/file of the catalogue -> path
}

// limits of what is looked through: a wrong path, such as a whole disk, should not be read for hours.
const (
	maxDepth = 8
	maxFiles = 50_000
)

// look walks a path. Files of the catalogue are known by their digests, whatever their names; only files that can be one
// by their size are read.
func look(ctx context.Context, root string, e models.Entries, report func(file string)) (found, error) {
	f := found{byName: map[string]string{}, foreign: map[string]bool{}}
	files := 0
	depth := strings.Count(filepath.Clean(root), string(filepath.Separator))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be looked into holds nothing for us
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if d.IsDir() {
			if strings.Count(path, string(filepath.Separator))-depth > maxDepth || path != root && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			switch { // a folder with both is one with a manifest
			case isFile(filepath.Join(path, models.ManifestFile)):
				f.folders = append(f.folders, path)
				if m, err := models.LoadShort(path); err == nil {
					_, ours := e.Find(m.Name)
					f.foreign[path] = !ours
				}
			case isPublished(path):
				f.hub = append(f.hub, path)
			}
			return nil
		}
		if files++; files > maxFiles {
			return fmt.Errorf("%s holds more than %d files: name the folder that has the models", root, maxFiles)
		}
		if f.foreign[filepath.Dir(path)] {
			return nil // what its manifest says it is
		}
		return f.match(ctx, path, e, report)
	})
	return f, err
}

// isPublished says whether a folder has weights in the layout of the hub.
func isPublished(dir string) bool {
	return isFile(filepath.Join(dir, "config.json")) && isFile(filepath.Join(dir, models.TokenizerFile)) &&
		(isFile(filepath.Join(dir, "model.safetensors")) || isFile(filepath.Join(dir, "model.safetensors.index.json")))
}

// match notes which files of the catalogue a file is.
func (f *found) match(ctx context.Context, path string, e models.Entries, report func(file string)) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	digest := ""
	for _, entry := range e {
		for _, want := range entry.Files {
			if want.SHA256 == "" || want.Bytes > 0 && want.Bytes != info.Size() || want.Bytes == 0 && !couldBe(path, want.Name) {
				continue
			}
			if digest == "" {
				report(filepath.Base(path))
				got, err := models.FileAt(ctx, path)
				if err != nil {
					return ctx.Err() // else a file that cannot be read: none of ours
				}
				digest = got.SHA256
			}
			if digest == want.SHA256 {
				f.byName[entry.Name+"/"+want.Name] = path
			}
		}
	}
	return nil
}

// couldBe narrows down the files to read where the catalogue does not know the size: they keep their kind.
func couldBe(path, name string) bool { return filepath.Ext(path) == filepath.Ext(name) }

// Import installs what a folder or a file holds: models with their manifests, files of the catalogue under whatever
// names, and weights as they are published.
func (in *Installer) Import(ctx context.Context, path string, o ImportOptions) ([]Imported, error) {
	if o.As != "" {
		e, ok := in.Catalogue.Find(o.As)
		if !ok {
			return nil, fmt.Errorf("%s is not in the catalogue", o.As)
		}
		return []Imported{in.importAs(ctx, path, e)}, ctx.Err()
	}
	catalogue := in.Catalogue.For(System())
	f, err := look(ctx, path, catalogue, func(file string) { in.report(Progress{Phase: Checking, File: file, Source: path}) })
	if err != nil {
		return nil, err
	}
	var out []Imported
	add := func(i Imported) {
		if !slices.ContainsFunc(out, func(o Imported) bool { return o.Name == i.Name && o.Err == nil }) {
			out = append(out, i)
		}
	}
	for _, e := range catalogue {
		if i, ok := in.importKnown(ctx, path, e, f); ok {
			add(i)
		}
	}
	for _, dir := range f.folders {
		if i, ok := in.importFolder(ctx, dir, f, o); ok {
			add(i)
		}
	}
	for _, dir := range f.hub {
		add(in.importPublished(ctx, dir, models.Manifest{}, o.Precision))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(out) == 0 {
		return nil, ErrNothingFound
	}
	return out, nil
}

// lacks lists the files of an entry that were not met.
func (f found) lacks(e models.Entry) []string {
	var out []string
	for _, file := range e.Files {
		if f.byName[e.Name+"/"+file.Name] == "" {
			out = append(out, file.Name)
		}
	}
	return out
}

// importKnown installs a model of the catalogue, where the path has its files.
func (in *Installer) importKnown(ctx context.Context, path string, e models.Entry, f found) (Imported, bool) {
	lacks := f.lacks(e)
	i := Imported{Name: e.Name, From: path}
	switch {
	case len(lacks) == 0:
		i.Already = in.has(e.Manifest)
		i.Err = in.put(ctx, e, func(name string) []fetch.Source { return []fetch.Source{fetch.Path(f.byName[e.Name+"/"+name])} })
		return i, true
	case f.byName[e.Name+"/"+models.GraphFile] != "": // a tokenizer alone says nothing
		i.Err = fmt.Errorf("it lacks %s", strings.Join(lacks, " and "))
		return i, true
	}
	return i, false
}

func (in *Installer) has(m models.Manifest) bool {
	return m.Installed(in.Dirs...).State == models.Installed
}

// put installs an entry from sources that are here.
func (in *Installer) put(ctx context.Context, e models.Entry, from func(name string) []fetch.Source) error {
	e.Packages = nil
	return in.install(ctx, e.Manifest, func(ctx context.Context, staging string) (models.Manifest, error) {
		return in.fill(ctx, e, staging, from)
	})
}

// importAs takes the files of one model by their names, those of the hub or ours, and pins what the catalogue has no
// digest of: whoever imports vouches for them.
func (in *Installer) importAs(ctx context.Context, path string, e models.Entry) Imported {
	i := Imported{Name: e.Name, From: path, Already: in.has(e.Manifest)}
	at := map[string]string{}
	e.Files = slices.Clone(e.Files)
	for n, file := range e.Files {
		candidates := []string{filepath.Join(path, file.Name)}
		if e.Hub != nil && e.Hub.Paths[file.Name] != "" {
			inHub := filepath.FromSlash(e.Hub.Paths[file.Name])
			candidates = append(candidates, filepath.Join(path, inHub), filepath.Join(path, filepath.Base(inHub)))
		}
		k := slices.IndexFunc(candidates, isFile)
		if k < 0 {
			i.Err = fmt.Errorf("there is no %s in %s", strings.Join(candidates, " or "), path)
			return i
		}
		at[file.Name] = candidates[k]
		if file.SHA256 == "" {
			in.report(Progress{Model: e.Name, Phase: Checking, File: file.Name, Source: path})
			got, err := models.FileAt(ctx, candidates[k])
			if err != nil {
				i.Err = err
				return i
			}
			e.Files[n].SHA256, e.Files[n].Bytes = got.SHA256, got.Bytes
		}
	}
	i.Err = in.put(ctx, e, func(name string) []fetch.Source { return []fetch.Source{fetch.Path(at[name])} })
	return i
}
