// Package madeup fills an index with made-up passages and vectors, for measuring how a search behaves at a
// size that no test collection has. Nothing in it means anything: its words are made of syllables, and its
// vectors come from no model. What is like real ones is their statistics: how often words stand in passages,
// in three scripts, and how far vectors lie from each other.
package madeup

import (
	"cmp"
	"context"
	"fmt"

	"fanous/backend/domain"
	"fanous/backend/store"
)

const (
	// Dim is the length of the vectors, that of the starter embedder.
	Dim = 384
	// Words is the length of a passage, about that which the chunker packs.
	Words = 150
	// Embedder is the stamp of the made-up vectors.
	Embedder = "made-up"

	perDocument = 40
	perPut      = 4000
)

// Collection is a made-up collection of so many chunks. The same seed makes the same one.
type Collection struct {
	Chunks int
	Seed   uint64
	// Embedder is the stamp of the vectors, Embedder where empty. Another one lets a real embedder search among them, which
	// takes as long as in a real collection and finds nothing that means anything.
	Embedder string
}

// Fill stores the collection in an index under a name, and tells how many chunks are there. What the name
// already holds of it is not stored again, so that a fill that was cut short can go on.
func (c Collection) Fill(ctx context.Context, s *store.Store, name string, progress func(chunks int)) (domain.Collection, error) {
	in, err := s.AddCollection(ctx, name, domain.PolicyNever)
	if err != nil {
		return domain.Collection{}, err
	}
	have, err := s.Files(ctx, in.ID)
	if err != nil {
		return domain.Collection{}, err
	}
	w, err := s.Writer(ctx)
	if err != nil {
		return domain.Collection{}, err
	}
	defer w.Close()
	if err := w.SetStamp(ctx, store.Stamp{Embedder: cmp.Or(c.Embedder, Embedder), Dim: Dim}); err != nil {
		return domain.Collection{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stored := 0
	for docs := range c.batches(ctx, in.ID) {
		if _, ok := have[docs[len(docs)-1].Path]; !ok {
			if err := w.Put(ctx, docs...); err != nil {
				return domain.Collection{}, fmt.Errorf("fill %s: %w", name, err)
			}
		}
		for _, d := range docs {
			stored += len(d.Chunks)
		}
		if progress != nil {
			progress(stored)
		}
	}
	if err := ctx.Err(); err != nil {
		return domain.Collection{}, err
	}
	return in, w.Close()
}

// batches makes documents, a Put at a time, while the ones before are being stored.
func (c Collection) batches(ctx context.Context, collection int64) <-chan []store.DocumentRows {
	out := make(chan []store.DocumentRows, 1)
	go func() {
		defer close(out)
		src := NewSource(c.Seed)
		for at := 0; at < c.Chunks; at += perPut {
			var docs []store.DocumentRows
			for first := at; first < min(at+perPut, c.Chunks); first += perDocument {
				docs = append(docs, document(src.Document(first/perDocument), collection, first, min(perDocument, c.Chunks-first)))
			}
			select {
			case out <- docs:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func document(d *Document, collection int64, first, chunks int) store.DocumentRows {
	rows := store.DocumentRows{Document: domain.Document{
		CollectionID: collection, Path: fmt.Sprintf("/made-up/%08d.txt", first), Format: "text", Title: d.Text(4),
		State: domain.StateIndexed,
	}}
	for i := range chunks {
		rows.Chunks = append(rows.Chunks, store.ChunkRow{
			Chunk:  domain.Chunk{Ordinal: i, Text: d.Text(Words), Place: domain.Place{Line: 1 + i}},
			Vector: d.Vector(),
		})
	}
	return rows
}
