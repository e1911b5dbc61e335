package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fanous/backend/domain"
)

const (
	chunkColumns    = "c.id, c.document_id, c.ordinal, c.page, c.line, c.heading, c.cells, c.text"
	documentColumns = `d.id, d.collection_id, d.path, d.format, d.title, d.author, d.size, d.mod_time, d.hash, d.state, d.reason`
)

// chunkFields are where chunkColumns are scanned into.
func chunkFields(c *domain.Chunk) []any {
	return []any{&c.ID, &c.DocumentID, &c.Ordinal, &c.Place.Page, &c.Place.Line, &c.Place.Heading, &c.Place.Cells, &c.Text}
}

// documentFields are where documentColumns are scanned into; the time comes out as nanoseconds.
func documentFields(d *domain.Document, modTime *int64) []any {
	return []any{&d.ID, &d.CollectionID, &d.Path, &d.Format, &d.Title, &d.Author, &d.Size, modTime, &d.Hash,
		&d.State, &d.Reason}
}

// Passage is a chunk with its document.
type Passage struct {
	Chunk    domain.Chunk
	Document domain.Document
}

// Files gives every document of a collection by path, for finding what changed.
func (s *Store) Files(ctx context.Context, collectionID int64) (map[string]domain.Document, error) {
	const what = "list the files"
	rows, err := s.readers.QueryContext(ctx,
		"SELECT "+documentColumns+" FROM documents d WHERE d.collection_id = ?", collectionID)
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	files := map[string]domain.Document{}
	for rows.Next() {
		var d domain.Document
		var modTime int64
		if err := rows.Scan(documentFields(&d, &modTime)...); err != nil {
			return nil, s.explain(what, err)
		}
		d.ModTime = fromNanos(modTime)
		files[d.Path] = d
	}
	return files, s.explain(what, rows.Err())
}

// Passages gives chunks with their documents, in the order of the ids. Those that are gone by now are
// left out.
func (s *Store) Passages(ctx context.Context, chunkIDs []int64) ([]Passage, error) {
	const what = "read passages"
	rows, err := s.readers.QueryContext(ctx, `
		SELECT `+chunkColumns+`, `+documentColumns+`
		FROM json_each(?) j JOIN chunks c ON c.id = j.value JOIN documents d ON d.id = c.document_id
		ORDER BY j.key`, jsonIDs(chunkIDs))
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	list := make([]Passage, 0, len(chunkIDs))
	for rows.Next() {
		var p Passage
		var modTime int64
		if err := rows.Scan(append(chunkFields(&p.Chunk), documentFields(&p.Document, &modTime)...)...); err != nil {
			return nil, s.explain(what, err)
		}
		p.Document.ModTime = fromNanos(modTime)
		list = append(list, p)
	}
	return list, s.explain(what, rows.Err())
}

// ChunkView gives a chunk with its document and the text around it; the error has domain.CodeNotFound where
// there is no such chunk.
func (s *Store) ChunkView(ctx context.Context, chunkID int64) (domain.ChunkView, error) {
	const what = "read a chunk"
	var v domain.ChunkView
	var modTime int64
	fields := append(chunkFields(&v.Chunk), documentFields(&v.Document, &modTime)...)
	err := s.readers.QueryRowContext(ctx, `
		SELECT `+chunkColumns+`, `+documentColumns+`,
			coalesce((SELECT text FROM chunks b WHERE b.document_id = c.document_id AND b.ordinal = c.ordinal - 1), ''),
			coalesce((SELECT text FROM chunks a WHERE a.document_id = c.document_id AND a.ordinal = c.ordinal + 1), '')
		FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.id = ?`, chunkID).
		Scan(append(fields, &v.Before, &v.After)...)
	if errors.Is(err, sql.ErrNoRows) {
		return domain.ChunkView{}, notFound(fmt.Sprintf("there is no chunk %d", chunkID),
			"chunk ids come from a search; indexing a changed file gives its chunks new ones")
	}
	if err != nil {
		return domain.ChunkView{}, s.explain(what, err)
	}
	v.Document.ModTime = fromNanos(modTime)
	return v, nil
}
