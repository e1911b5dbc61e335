package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fanous/backend/domain"
)

// ChunksBetween gives the chunks of a document from one ordinal to another, both included.
func (s *Store) ChunksBetween(ctx context.Context, documentID int64, from, to int) ([]domain.Chunk, error) {
	return s.chunks(ctx, "read the text around a passage",
		"SELECT "+chunkColumns+" FROM chunks c WHERE document_id = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal", documentID, from, to)
}

// PageChunks gives the chunks of a page of a document, in order.
func (s *Store) PageChunks(ctx context.Context, documentID int64, page int) ([]domain.Chunk, error) {
	return s.chunks(ctx, "read the text of a page",
		"SELECT "+chunkColumns+" FROM chunks c WHERE document_id = ? AND page = ? ORDER BY ordinal", documentID, page)
}

// MatchingChunks gives the chunks of a document that match an FTS5 expression (see Lexical), in order; at most limit.
func (s *Store) MatchingChunks(ctx context.Context, d domain.Document, match string, limit int) ([]domain.Chunk, error) {
	if match == "" {
		return nil, nil
	}
	fts := ftsTable(d.CollectionID)
	// A document's chunks are stored together, so the range leaves out most of what others have.
	return s.chunks(ctx, "search in a document", `
		SELECT `+chunkColumns+` FROM chunks c WHERE c.document_id = ?1 AND c.id IN (SELECT rowid FROM `+fts+` WHERE `+fts+` MATCH ?2
			AND rowid >= (SELECT min(id) FROM chunks WHERE document_id = ?1) AND rowid <= (SELECT max(id) FROM chunks WHERE document_id = ?1))
		ORDER BY c.ordinal LIMIT ?3`, d.ID, match, limit)
}

// chunks reads what a query for chunkColumns gives.
func (s *Store) chunks(ctx context.Context, what, query string, args ...any) ([]domain.Chunk, error) {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	var list []domain.Chunk
	for rows.Next() {
		var c domain.Chunk
		if err := rows.Scan(chunkFields(&c)...); err != nil {
			return nil, s.explain(what, err)
		}
		list = append(list, c)
	}
	return list, s.explain(what, rows.Err())
}

// File gives the document of a file itself; the error has domain.CodeNotFound where there is none.
func (s *Store) File(ctx context.Context, collectionID int64, path string) (domain.Document, error) {
	var r documentRow
	err := s.readers.QueryRowContext(ctx, "SELECT "+documentColumns+" FROM documents d WHERE d.collection_id = ? AND d.path = ? AND d.member = ''",
		collectionID, path).Scan(r.fields()...)
	if errors.Is(err, sql.ErrNoRows) {
		return domain.Document{}, notFound(fmt.Sprintf("%s is not indexed", path), "index its folder")
	}
	if err != nil {
		return domain.Document{}, s.explain("read a document", err)
	}
	return r.document()
}
