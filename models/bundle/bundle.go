// Package bundle packs what another machine without a network needs into one file, and reads it there.
//
// A bundle is a zip archive whose files are stored as they are, so that anybody can look into it and nothing can swell
// in it. Its first file lists all others with their sizes and digests; one that is not listed makes the bundle invalid.
package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"fanous/models"
)

// indexName is the list, the first file of a bundle.
const indexName = "bundle.json"

// Folders of a bundle.
const (
	modelsDir  = "models"  // MODEL/FILE
	programDir = "program" // FILE: for people, who copy it to where they want it
)

const (
	format  = "fanous bundle"
	version = 1
)

// Bounds of what is read of a bundle, which may come from anybody.
const (
	maxIndex  = 4 << 20
	maxFiles  = 4096
	maxBytes  = 64 << 30 // of all files
	maxModels = 256
)

// ErrInvalid says that a file is no bundle, is damaged, or was made to do harm.
var ErrInvalid = errors.New("not a valid bundle")

// Index is what a bundle says of itself.
type Index struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Program string            `json:"program,omitempty"` // the system that the program in it runs on, as Go names it
	Models  []models.Manifest `json:"models"`
	Files   []models.File     `json:"files"` // Name is the path in the bundle
}

func parseIndex(data []byte) (Index, error) {
	var x Index
	if err := json.Unmarshal(data, &x); err != nil {
		return x, fmt.Errorf("%w: %s: %w", ErrInvalid, indexName, err)
	}
	if err := x.validate(); err != nil {
		return x, fmt.Errorf("%w: %s: %w", ErrInvalid, indexName, err)
	}
	return x, nil
}

// validate refuses every index whose files could be anywhere but in the folders of a bundle, or be anything but what the
// manifests say.
func (x Index) validate() error {
	switch {
	case x.Format != format:
		return errors.New("it is of another kind")
	case x.Version != version:
		return fmt.Errorf("it is of version %d, and this program reads version %d", x.Version, version)
	case len(x.Files) > maxFiles || len(x.Models) > maxModels:
		return errors.New("it lists too much")
	}
	listed, total := map[string]models.File{}, int64(0)
	for _, f := range x.Files {
		if err := checkPath(f.Name); err != nil {
			return err
		}
		if _, twice := listed[strings.ToLower(f.Name)]; twice {
			return fmt.Errorf("it lists %s twice", f.Name)
		}
		if f.Bytes < 0 || f.Bytes > maxBytes-total {
			return fmt.Errorf("%s makes it larger than a bundle may be", f.Name)
		}
		total += f.Bytes
		listed[strings.ToLower(f.Name)] = f
	}
	return x.checkModels(listed)
}

// checkModels refuses a manifest whose files are not all listed with its digests.
func (x Index) checkModels(listed map[string]models.File) error {
	names, files := map[string]bool{}, 0
	for _, m := range x.Models {
		if err := m.Validate(); err != nil {
			return fmt.Errorf("the manifest of %q: %w", m.Name, err)
		}
		if names[strings.ToLower(m.Name)] {
			return fmt.Errorf("it has the model %s twice", m.Name)
		}
		names[strings.ToLower(m.Name)] = true
		for _, f := range m.Files {
			at := modelPath(m, f)
			if got := listed[strings.ToLower(at)]; got.Name != at || got.SHA256 != f.SHA256 || got.Bytes != f.Bytes {
				return fmt.Errorf("%s is not listed as the manifest says", at)
			}
			files++
		}
	}
	for _, f := range x.Files {
		if strings.HasPrefix(f.Name, modelsDir+"/") {
			files--
		}
	}
	if files != 0 {
		return errors.New("it lists files of models that no manifest has")
	}
	return nil
}

func modelPath(m models.Manifest, f models.File) string { return path.Join(modelsDir, m.Name, f.Name) }

// checkPath refuses what is not exactly models/MODEL/FILE or program/FILE.
func checkPath(name string) error {
	parts := strings.Split(name, "/")
	depth := map[string]int{modelsDir: 3, programDir: 2}[parts[0]]
	ok := len(parts) == depth
	for _, p := range parts {
		ok = ok && models.PlainName(p)
	}
	if !ok {
		return fmt.Errorf("%q is no place in a bundle", name)
	}
	return nil
}
