package models

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed catalogue.json
var catalogueJSON []byte

// Entry is a model of the catalogue.
type Entry struct {
	Manifest
	// Origin says where each file can be had from. The starter has none: the build makes it.
	Origin *Origin `json:"origin,omitempty"`
}

// Origin is a repository of a model hub at a revision.
type Origin struct {
	Repository string            `json:"repository"` // ORGANISATION/NAME
	Revision   string            `json:"revision"`   // a commit, or a branch where the digests alone pin the files
	Paths      map[string]string `json:"paths"`      // file of the manifest -> path in the repository
}

// DefaultHub is the hub's base URL. A mirror with the same paths serves as well: digests decide.
const DefaultHub = "https://huggingface.co"

// URL is where a hub has a file of the manifest; empty where the hub has none.
func (o *Origin) URL(hub, file string) string {
	if o == nil || o.Paths[file] == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s/resolve/%s/%s", hub, o.Repository, o.Revision, o.Paths[file])
}

// Entries is a list of models.
type Entries []Entry

// Catalogue is every model that Fanous knows, embedders first, then the rerankers from light to precise.
func Catalogue() Entries {
	var c struct{ Models Entries }
	if err := json.Unmarshal(catalogueJSON, &c); err != nil {
		panic("models: the embedded catalogue: " + err.Error()) // a test reads it
	}
	return c.Models
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
