package pipeline

import (
	"fanous/backend/embed"
	"fanous/backend/language"
	"fanous/backend/store"
)

// Stamp is what this program writes into an index with an embedder; nil: there is none, and what it would write is left
// open.
func Stamp(e *embed.Embedder) store.Stamp {
	r := ingestRun{Ingest: &Ingest{Embedder: e}}
	s := store.Stamp{Analyser: language.Version, Chunker: r.chunker()}
	if e != nil {
		s.Embedder, s.Dim = e.Digest()+"/"+passageForm, e.Dim()
	}
	return s
}
