package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fanous/backend/domain"
)

// ChunkRow is a chunk to be stored; its ID and DocumentID are ignored.
type ChunkRow struct {
	domain.Chunk
	Vector []float32 // nil: there was no embedder
}

// DocumentRows is a document with all its chunks, none where its state is not indexed. The document's ID is
// ignored: its collection and path say which one it is.
type DocumentRows struct {
	domain.Document
	Chunks []ChunkRow
}

// Put stores documents, each in the place of what was there under its collection and path. Either all of
// them are stored, or none. Large calls are fast: about a thousand chunks a call is a good size.
func (w *Writer) Put(ctx context.Context, docs ...DocumentRows) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	terms := analyse(ctx, docs)
	err := w.s.write(ctx, "store documents", func(tx *sql.Tx) error {
		p := putter{tx: tx}
		defer p.close()
		for _, doc := range docs {
			if err := p.put(ctx, doc, terms); err != nil {
				return fmt.Errorf("%s: %w", doc.Path, err)
			}
		}
		return p.finish(ctx)
	})
	if err == nil {
		w.bound(ctx)
	}
	return err
}

// putter writes documents in one transaction.
type putter struct {
	tx         *sql.Tx
	collection int64 // what the statements below are prepared for
	chunk      *sql.Stmt
	term       *sql.Stmt
	unembedded *sql.Stmt
	vectors    *vectorTable
}

func (p *putter) close() {
	for _, st := range []*sql.Stmt{p.chunk, p.term, p.unembedded} {
		if st != nil {
			st.Close()
		}
	}
	if p.vectors != nil {
		p.vectors.close()
	}
	*p = putter{tx: p.tx}
}

// finish must be called after the last document, and before chunks of the collection are deleted.
func (p *putter) finish(ctx context.Context) error {
	if p.vectors == nil {
		return nil
	}
	return p.vectors.finish(ctx)
}

// prepare readies the statements for one collection.
func (p *putter) prepare(ctx context.Context, collection int64) (err error) {
	if p.collection == collection {
		return nil
	}
	if err := p.finish(ctx); err != nil {
		return err
	}
	p.close()
	ok, err := hasTable(ctx, p.tx, ftsTable(collection))
	if err != nil {
		return err
	}
	if !ok {
		return notFound(fmt.Sprintf("there is no collection with id %d", collection), "")
	}
	if p.chunk, err = p.tx.PrepareContext(ctx, `
		INSERT INTO chunks (document_id, ordinal, page, line, heading, cells, text) VALUES (?, ?, ?, ?, ?, ?, ?)`); err != nil {
		return err
	}
	if p.term, err = p.tx.PrepareContext(ctx,
		"INSERT INTO "+ftsTable(collection)+" (rowid, head, body) VALUES (?, ?, ?)"); err != nil {
		return err
	}
	if p.unembedded, err = p.tx.PrepareContext(ctx,
		"INSERT INTO unembedded (collection_id, chunk_id) VALUES (?, ?)"); err != nil {
		return err
	}
	p.collection = collection
	return nil
}

func (p *putter) put(ctx context.Context, doc DocumentRows, terms *analysed) error {
	if err := p.prepare(ctx, doc.CollectionID); err != nil {
		return err
	}
	id, err := p.document(ctx, doc)
	if err != nil {
		return err
	}
	for _, c := range doc.Chunks {
		res, err := p.chunk.ExecContext(ctx, id, c.Ordinal, c.Place.Page, c.Place.Line, c.Place.Heading, c.Place.Cells, c.Text)
		if err != nil {
			return err
		}
		chunkID, err := res.LastInsertId()
		if err != nil {
			return err
		}
		head, body, err := terms.next(ctx)
		if err != nil {
			return err
		}
		if _, err := p.term.ExecContext(ctx, chunkID, head, body); err != nil {
			return err
		}
		if c.Vector == nil {
			_, err = p.unembedded.ExecContext(ctx, p.collection, chunkID)
		} else {
			err = p.vector(ctx, chunkID, c.Vector)
		}
		if err != nil {
			return fmt.Errorf("chunk %d: %w", c.Ordinal, err)
		}
	}
	return nil
}

// document writes the row of a document whose old chunks, if it had any, are gone, and gives its id.
func (p *putter) document(ctx context.Context, doc DocumentRows) (int64, error) {
	var id int64
	var had int
	err := p.tx.QueryRowContext(ctx, "SELECT id, chunks FROM documents WHERE collection_id = ? AND path = ?",
		doc.CollectionID, doc.Path).Scan(&id, &had)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		res, err := p.tx.ExecContext(ctx, `
			INSERT INTO documents (collection_id, path, format, title, author, size, mod_time, hash, state, reason, chunks)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			doc.CollectionID, doc.Path, doc.Format, doc.Title, doc.Author, doc.Size, nanos(doc.ModTime), doc.Hash,
			doc.State, doc.Reason, len(doc.Chunks))
		if err != nil {
			return 0, err
		}
		return res.LastInsertId()
	case err != nil:
		return 0, err
	}
	if err := p.finish(ctx); err != nil {
		return 0, err
	}
	// The old title is part of the old terms: chunks go first.
	if err := deleteChunks(ctx, p.tx, doc.CollectionID, id, had, true); err != nil {
		return 0, err
	}
	_, err = p.tx.ExecContext(ctx, `
		UPDATE documents SET format = ?, title = ?, author = ?, size = ?, mod_time = ?, hash = ?, state = ?, reason = ?,
			chunks = ? WHERE id = ?`,
		doc.Format, doc.Title, doc.Author, doc.Size, nanos(doc.ModTime), doc.Hash, doc.State, doc.Reason,
		len(doc.Chunks), id)
	return id, err
}

// Touch records a new size and time of a file whose content is the same.
func (w *Writer) Touch(ctx context.Context, documentID, size int64, modTime time.Time) error {
	return w.s.write(ctx, "touch a document", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE documents SET size = ?, mod_time = ? WHERE id = ?",
			size, nanos(modTime), documentID)
		return err
	})
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNanos(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n)
}
