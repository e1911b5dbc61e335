package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
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
// ignored: its collection, path and member say which one it is; so is SameAs.
type DocumentRows struct {
	domain.Document
	Chunks []ChunkRow
	// Anew has the chunks stored even where the same bytes have been cut in the same way already: more was read of them.
	Anew bool
}

// Put stores documents, each in the place of what was there under its collection, path and member. Either all of
// them are stored, or none. Large calls are fast: about a thousand chunks a call is a good size.
//
// The members of a file come before the file itself, in as many calls as they take; until the file's row comes, it
// has domain.StateReading. When it comes, the members that were there before and did not come again are removed. So a
// file and its members are one replacement.
//
// A document whose bytes are stored already, cut in the same way, keeps those chunks, or shares those of the other
// document: its own are not stored, and nothing has to be embedded again.
func (w *Writer) Put(ctx context.Context, docs ...DocumentRows) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	terms := analyse(ctx, docs)
	if err := w.putAll(ctx, docs, terms); err != nil {
		return err
	}
	w.bound(ctx)
	_ = w.purge(ctx) // the documents are stored; what is not merged now the next Writer merges
	return nil
}

func (w *Writer) putAll(ctx context.Context, docs []DocumentRows, terms *analysed) error {
	w.putting.Lock()
	defer w.putting.Unlock()
	var members memberSet
	err := w.s.write(ctx, "store documents", func(tx *sql.Tx) error {
		p := putter{tx: tx, members: w.members.clone(), often: prepared{tx: tx}}
		defer p.often.close()
		defer p.close()
		for _, doc := range docs {
			if err := p.put(ctx, doc, terms); err != nil {
				return fmt.Errorf("%s: %w", doc.Path, cmp.Or(ctx.Err(), err))
			}
		}
		members = p.members
		return p.finish(ctx)
	})
	if err == nil {
		w.members = members
	}
	return err
}

// putter writes documents in one transaction.
type putter struct {
	tx         *sql.Tx
	collection int64 // what the statements below are prepared for
	chunk      *sql.Stmt
	term       *sql.Stmt
	unembedded []int64 // chunks that were stored without a vector and are not noted yet
	vectors    *vectorTable
	members    memberSet
	often      prepared // what is asked for every document
}

func (p *putter) close() {
	for _, st := range []*sql.Stmt{p.chunk, p.term} {
		if st != nil {
			st.Close()
		}
	}
	if p.vectors != nil {
		p.vectors.close()
	}
	*p = putter{tx: p.tx, members: p.members, often: p.often}
}

// finish must be called after the last document, and before chunks of the collection are deleted.
func (p *putter) finish(ctx context.Context) error {
	if len(p.unembedded) > 0 {
		if _, err := p.tx.ExecContext(ctx, "INSERT INTO unembedded (collection_id, chunk_id) SELECT ?, value FROM json_each(?)",
			p.collection, jsonIDs(p.unembedded)); err != nil {
			return err
		}
		p.unembedded = p.unembedded[:0]
	}
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
		INSERT INTO chunks (document_id, ordinal, page, line, heading, cells, text, language, ocr)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`); err != nil {
		return err
	}
	if p.term, err = p.tx.PrepareContext(ctx,
		"INSERT INTO "+ftsTable(collection)+" (rowid, head, body) VALUES (?, ?, ?)"); err != nil {
		return err
	}
	p.collection = collection
	return nil
}

func (p *putter) put(ctx context.Context, doc DocumentRows, terms *analysed) error {
	if err := p.prepare(ctx, doc.CollectionID); err != nil {
		return err
	}
	old, err := findStored(ctx, &p.often, doc.Document)
	if err != nil {
		return err
	}
	id, stored, err := p.document(ctx, doc, old)
	if err != nil {
		return err
	}
	if !stored {
		err = p.chunks(ctx, id, doc.Chunks, terms)
	} else {
		err = terms.skip(ctx, len(doc.Chunks))
	}
	if err != nil {
		return err
	}
	return p.follow(ctx, id, doc.Document)
}

// document writes the row of a document and gives its id, and says whether its chunks are stored already. What the row
// held before and its new content does not need is gone.
func (p *putter) document(ctx context.Context, doc DocumentRows, old known) (id int64, have bool, err error) {
	if same, err := p.holds(ctx, old, doc); err != nil {
		return 0, false, err
	} else if same {
		return old.id, true, refresh(ctx, p.tx, old, doc.Document)
	}
	var twin known
	if !doc.Anew {
		if twin, err = findTwin(ctx, &p.often, doc.Document, old.id); err != nil {
			return 0, false, err
		}
	}
	if old.id != 0 {
		if err := p.finish(ctx); err != nil {
			return 0, false, err
		}
		if doc.Anew {
			err = deleteChunks(ctx, p.tx, doc.CollectionID, old.id, old.chunks)
		} else {
			err = vacate(ctx, p.tx, doc.CollectionID, old, nil)
		}
		if err != nil {
			return 0, false, err
		}
	}
	if twin.id != 0 {
		id, err = writeRow(ctx, &p.often, old.id, doc.Document, twin.id, 0)
		if err != nil {
			return 0, false, err
		}
		return id, true, inheritState(ctx, p.tx, id, twin.id)
	}
	id, err = writeRow(ctx, &p.often, old.id, doc.Document, 0, len(doc.Chunks))
	if err == nil && doc.Anew {
		err = copyState(ctx, p.tx, id)
	}
	return id, false, err
}

// writeRow writes the row of a document and gives its id; 0 makes a new one. It does so without RETURNING or ON CONFLICT,
// for which SQLite begins a savepoint: FTS5 then writes all new terms as a segment, be they those of one document.
func writeRow(ctx context.Context, often *prepared, id int64, d domain.Document, sameAs int64, chunks int) (int64, error) {
	warnings, err := marshalList(d.Warnings)
	if err != nil {
		return 0, err
	}
	values := []any{d.CollectionID, d.Path, d.Member, d.Format, d.Title, d.Author, nanos(d.Dated), d.Size, nanos(d.ModTime), d.Hash,
		d.Cut, d.State, d.Reason, warnings, d.OCR, d.Attempts, sameAs, chunks}
	const columns = "collection_id, path, member, format, title, author, dated, size, mod_time, hash, cut, " +
		"state, reason, warnings, ocr, attempts, same_as, chunks"
	const places = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
	if id != 0 {
		_, err = often.ExecContext(ctx, "UPDATE documents SET ("+columns+") = ("+places+") WHERE id = ?", append(values, id)...)
		return id, err
	}
	res, err := often.ExecContext(ctx, "INSERT INTO documents ("+columns+") VALUES ("+places+")", values...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// chunks stores the chunks of a document that has none.
func (p *putter) chunks(ctx context.Context, document int64, chunks []ChunkRow, terms *analysed) error {
	// A goroutine of its own would watch over each statement whose context can end; terms see to that.
	brief := context.WithoutCancel(ctx)
	for _, c := range chunks {
		row, err := terms.next(ctx)
		if err != nil {
			return err
		}
		if c.Language == "" {
			c.Language = row.language
		}
		res, err := p.chunk.ExecContext(brief, document, c.Ordinal, c.Place.Page, c.Place.Line, c.Place.Heading, c.Place.Cells,
			c.Text, c.Language, c.OCR)
		if err != nil {
			return err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		if _, err := p.term.ExecContext(brief, id, row.head, row.body); err != nil {
			return err
		}
		if c.Vector == nil {
			p.unembedded = append(p.unembedded, id)
		} else if err := p.vector(ctx, id, c.Vector); err != nil {
			return fmt.Errorf("chunk %d: %w", c.Ordinal, err)
		}
	}
	return nil
}

// Touch records a new size and time of a file whose content is the same.
func (w *Writer) Touch(ctx context.Context, documentID, size int64, modTime time.Time) error {
	return w.s.write(ctx, "touch a document", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE documents SET size = ?, mod_time = ? WHERE id = ?",
			size, nanos(modTime), documentID)
		return err
	})
}

// marshalList makes the JSON array of a column.
func marshalList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return "[]", nil
	}
	b, err := json.Marshal(list)
	return string(b), err
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
