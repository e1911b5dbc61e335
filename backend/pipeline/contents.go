package pipeline

import (
	"context"
	"errors"
	"iter"

	"fanous/backend/domain"
	"fanous/backend/store"
)

// Source is a document that is already text.
type Source struct {
	Path    string // its name in the index
	Content domain.Content
}

// Add stores documents that come from no file, cut and embedded like those of files.
func (in *Ingest) Add(ctx context.Context, c domain.Collection, docs iter.Seq[Source], progress func(domain.IndexProgress)) error {
	w, err := in.Store.Writer(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	if progress == nil {
		progress = func(domain.IndexProgress) {}
	}
	r := &ingestRun{Ingest: in, w: w, collection: c, tell: progress}
	if _, err := r.stamp(ctx); err != nil {
		return err
	}
	var batch []store.DocumentRows
	chunks := 0
	for src := range docs {
		doc := domain.Document{
			CollectionID: c.ID, Path: src.Path, Title: src.Content.Title, Author: src.Content.Author,
			Format: src.Content.Format, State: domain.StateIndexed,
		}
		rows := r.cut(doc, src.Content)
		batch = append(batch, rows)
		if chunks += len(rows.Chunks); chunks >= batchChunks {
			if err := w.Put(ctx, batch...); err != nil {
				return err
			}
			batch, chunks = batch[:0], 0
		}
	}
	if err := errors.Join(w.Put(ctx, batch...), ctx.Err()); err != nil {
		return err
	}
	return r.embed(ctx)
}
