package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Check reads the whole index and reports the first thing wrong with it, as an error with
// domain.CodeDamaged: pages, keys, counts, and the terms against the text that they were made from, which
// SQLite's own integrity check does not look at.
func (s *Store) Check(ctx context.Context) error {
	const what = "check the index"
	// FTS5 checks what a connection remembers of an index, and calls it damaged where another connection
	// has merged it since.
	db := s.fresh()
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return s.explain(what, err)
	}
	if verdict != "ok" {
		return damaged(what, s.path, errors.New(verdict))
	}
	if err := s.checkKeys(ctx, db); err != nil {
		return s.explain(what, err)
	}
	list, err := collections(ctx, db)
	if err != nil {
		return s.explain(what, err)
	}
	for _, c := range list {
		if err := s.checkCollection(ctx, db, c.ID); err != nil {
			return s.explain(fmt.Sprintf("%s: collection %s", what, c.Name), err)
		}
	}
	return nil
}

func (s *Store) checkKeys(ctx context.Context, db *sql.DB) error {
	var table string
	err := db.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return damaged("check", s.path, fmt.Errorf("a row of %s belongs to nothing", table))
}

func (s *Store) checkCollection(ctx context.Context, db *sql.DB, id int64) error {
	// An FTS5 check is written as an insert, though it changes nothing; 1 compares with the text.
	fts := ftsTable(id)
	_, err := db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %[1]s(%[1]s, rank) VALUES ('integrity-check', 1)", fts))
	if err != nil {
		return err
	}
	var chunks, counted, missing int
	err = db.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM chunks c JOIN documents d ON d.id = c.document_id WHERE d.collection_id = ?1),
			(SELECT coalesce(sum(chunks), 0) FROM documents WHERE collection_id = ?1),
			(SELECT count(*) FROM unembedded WHERE collection_id = ?1)`, id).Scan(&chunks, &counted, &missing)
	if err != nil {
		return err
	}
	if chunks != counted {
		return damaged("check", s.path, fmt.Errorf("%d chunks where the documents count %d", chunks, counted))
	}
	ok, err := hasTable(ctx, db, vecTable(id))
	if err != nil {
		return err
	}
	vectors := 0
	if ok {
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM "+vecTable(id)).Scan(&vectors); err != nil {
			return err
		}
	}
	if vectors+missing != chunks {
		return damaged("check", s.path,
			fmt.Errorf("%d chunks, but %d vectors and %d missing ones", chunks, vectors, missing))
	}
	if !ok {
		return nil
	}
	return s.checkCodes(ctx, id, vectors)
}
