package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fanous/backend/domain"
)

const (
	chunkColumns    = "c.id, c.document_id, c.ordinal, c.page, c.line, c.heading, c.cells, c.text, c.language, c.ocr"
	documentColumns = `d.id, d.collection_id, d.path, d.member, d.format, d.title, d.author, d.dated, d.size, d.mod_time, d.hash,
		d.cut, d.state, d.reason, d.warnings, d.ocr, d.attempts, d.same_as`
	// alsoColumn are the other places of the content of a document that has chunks, or [].
	alsoColumn = `(SELECT json_group_array(json_object('path', s.path, 'member', s.member)) FROM
		(SELECT path, member FROM documents WHERE same_as = d.id AND same_as <> 0 ORDER BY path, member LIMIT ` + maxAlso + `) s)`
)

// maxAlso is domain.MaxAlso.
const maxAlso = "20"

// chunkFields are where chunkColumns are scanned into.
func chunkFields(c *domain.Chunk) []any {
	return []any{&c.ID, &c.DocumentID, &c.Ordinal, &c.Place.Page, &c.Place.Line, &c.Place.Heading, &c.Place.Cells, &c.Text,
		&c.Language, &c.OCR}
}

// documentRow is a document as its columns are scanned.
type documentRow struct {
	domain.Document
	dated, modTime int64
	warnings, also string
}

// fields are where documentColumns are scanned into.
func (r *documentRow) fields() []any {
	d := &r.Document
	return []any{&d.ID, &d.CollectionID, &d.Path, &d.Member, &d.Format, &d.Title, &d.Author, &r.dated, &d.Size, &r.modTime, &d.Hash,
		&d.Cut, &d.State, &d.Reason, &r.warnings, &d.OCR, &d.Attempts, &d.SameAs}
}

// document gives what was scanned.
func (r *documentRow) document() (domain.Document, error) {
	d := r.Document
	d.Dated, d.ModTime = fromNanos(r.dated), fromNanos(r.modTime)
	if err := unmarshalList(r.warnings, &d.Warnings); err != nil {
		return d, fmt.Errorf("warnings of document %d: %w", d.ID, err)
	}
	if err := unmarshalList(r.also, &d.Also); err != nil {
		return d, fmt.Errorf("places of document %d: %w", d.ID, err)
	}
	return d, nil
}

// unmarshalList reads a JSON array; an empty one is nil.
func unmarshalList[T any](s string, list *[]T) error {
	if s == "" || s == "[]" {
		*list = nil
		return nil
	}
	return json.Unmarshal([]byte(s), list)
}

// Passage is a chunk with its document.
type Passage struct {
	Chunk    domain.Chunk
	Document domain.Document
}

// Files gives the files of a collection by path, without their members, for finding what changed.
func (s *Store) Files(ctx context.Context, collectionID int64) (map[string]domain.Document, error) {
	files := map[string]domain.Document{}
	err := s.documents(ctx, func(d domain.Document) { files[d.Path] = d },
		"SELECT "+documentColumns+" FROM documents d WHERE d.collection_id = ? AND d.member = ''", collectionID)
	return files, s.explain("list the files", err)
}

// documents calls each for every document of a query for documentColumns.
func (s *Store) documents(ctx context.Context, each func(domain.Document), query string, args ...any) error {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r documentRow
		if err := rows.Scan(r.fields()...); err != nil {
			return err
		}
		d, err := r.document()
		if err != nil {
			return err
		}
		each(d)
	}
	return rows.Err()
}

// Document finds a document; the error has domain.CodeNotFound where there is none.
func (s *Store) Document(ctx context.Context, id int64) (domain.Document, error) {
	var r documentRow
	err := s.readers.QueryRowContext(ctx, "SELECT "+documentColumns+" FROM documents d WHERE d.id = ?", id).Scan(r.fields()...)
	if errors.Is(err, sql.ErrNoRows) {
		return domain.Document{}, notFound(fmt.Sprintf("there is no document %d", id), "it was taken out of the index; list the files again")
	}
	if err != nil {
		return domain.Document{}, s.explain("read a document", err)
	}
	d, err := r.document()
	return d, s.explain("read a document", err)
}

// Documents lists the documents of a collection with their states, by path and member.
func (s *Store) Documents(ctx context.Context, collectionID int64, f domain.DocumentFilter) (domain.DocumentPage, error) {
	const what = "list the documents"
	limit := -1
	if f.Limit > 0 {
		limit = f.Limit + 1
	}
	states, err := marshalList(f.States)
	if err != nil {
		return domain.DocumentPage{}, err
	}
	rows, err := s.readers.QueryContext(ctx, `
		SELECT `+documentColumns+`, coalesce(o.chunks, d.chunks), coalesce(o.path, ''), coalesce(o.member, ''),
			CASE d.ocr WHEN 'done' THEN (SELECT coalesce(avg(ocr), 0) FROM chunks WHERE document_id = coalesce(o.id, d.id) AND ocr > 0) ELSE 0 END
		FROM documents d LEFT JOIN documents o ON o.id = d.same_as
		WHERE d.collection_id = ?1 AND (d.path, d.member) > (?2, ?3)
			AND (?4 = '[]' OR d.state IN (SELECT value FROM json_each(?4)))
			AND (?5 = '' OR instr(fanous_lower(d.path || '/' || d.member), ?5) > 0)
		ORDER BY d.path, d.member LIMIT ?6`,
		collectionID, f.After.Path, f.After.Member, states, strings.ToLower(f.Text), limit)
	if err != nil {
		return domain.DocumentPage{}, s.explain(what, err)
	}
	defer rows.Close()
	page := domain.DocumentPage{Documents: []domain.DocumentEntry{}}
	for rows.Next() {
		var r documentRow
		var e domain.DocumentEntry
		var same domain.Location
		if err := rows.Scan(append(r.fields(), &e.Chunks, &same.Path, &same.Member, &e.Sure)...); err != nil {
			return domain.DocumentPage{}, s.explain(what, err)
		}
		if e.Document, err = r.document(); err != nil {
			return domain.DocumentPage{}, s.explain(what, err)
		}
		if same.Path != "" {
			e.Same = &same
		}
		page.Documents = append(page.Documents, e)
	}
	if f.Limit > 0 && len(page.Documents) > f.Limit {
		page.Documents, page.More = page.Documents[:f.Limit], true
	}
	return page, s.explain(what, rows.Err())
}

// Passages gives chunks with their documents, in the order of the ids. Those that are gone by now are
// left out.
func (s *Store) Passages(ctx context.Context, chunkIDs []int64) ([]Passage, error) {
	const what = "read passages"
	rows, err := s.readers.QueryContext(ctx, `
		SELECT `+chunkColumns+`, `+documentColumns+`, `+alsoColumn+`
		FROM json_each(?) j JOIN chunks c ON c.id = j.value JOIN documents d ON d.id = c.document_id
		ORDER BY j.key`, jsonIDs(chunkIDs))
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	list := make([]Passage, 0, len(chunkIDs))
	for rows.Next() {
		var p Passage
		var r documentRow
		if err := rows.Scan(append(append(chunkFields(&p.Chunk), r.fields()...), &r.also)...); err != nil {
			return nil, s.explain(what, err)
		}
		if p.Document, err = r.document(); err != nil {
			return nil, s.explain(what, err)
		}
		list = append(list, p)
	}
	return list, s.explain(what, rows.Err())
}

// ChunkView gives a chunk with its document and the text around it; the error has domain.CodeNotFound where
// there is no such chunk.
func (s *Store) ChunkView(ctx context.Context, chunkID int64) (domain.ChunkView, error) {
	const what = "read a chunk"
	var v domain.ChunkView
	var r documentRow
	fields := append(append(chunkFields(&v.Chunk), r.fields()...), &r.also)
	err := s.readers.QueryRowContext(ctx, `
		SELECT `+chunkColumns+`, `+documentColumns+`, `+alsoColumn+`,
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
	v.Document, err = r.document()
	return v, s.explain(what, err)
}
