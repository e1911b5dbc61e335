package store

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
)

// maxWords is how many bytes the words of a page may come to.
const maxWords = 64 << 20

// KeepPage keeps the words of a page of a document, as bytes that mean nothing here, with the name of what recognised them,
// in place of those that are kept. They go with the document, and when its content changes.
func (w *Writer) KeepPage(ctx context.Context, documentID int64, page int, maker string, words []byte) error {
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err == nil {
		_, err = z.Write(words)
		err = errors.Join(err, z.Close())
	}
	if err != nil {
		return fmt.Errorf("pack the words of a page: %w", err)
	}
	return w.s.write(ctx, "keep a recognised page", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM recognised WHERE document_id = ? AND page = ?", documentID, page); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO recognised (document_id, page, maker, words) VALUES (?, ?, ?, ?)", documentID, page, maker, packed.Bytes())
		return err
	})
}

// KeptPages lists the pages of a document whose words are kept and come from a maker.
func (s *Store) KeptPages(ctx context.Context, documentID int64, maker string) (map[int]bool, error) {
	const what = "list the recognised pages"
	pages, err := queryIDs(ctx, s.readers, "SELECT page FROM recognised WHERE document_id = ? AND maker = ?", documentID, maker)
	if err != nil {
		return nil, s.explain(what, err)
	}
	kept := make(map[int]bool, len(pages))
	for _, n := range pages {
		kept[int(n)] = true
	}
	return kept, nil
}

// KeptPage gives the words of a page; nil where none are kept.
func (s *Store) KeptPage(ctx context.Context, documentID int64, page int) ([]byte, error) {
	const what = "read a recognised page"
	var packed []byte
	err := s.readers.QueryRowContext(ctx, "SELECT words FROM recognised WHERE document_id = ? AND page = ?", documentID, page).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.explain(what, err)
	}
	words, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxWords))
	return words, s.explain(what, err)
}
