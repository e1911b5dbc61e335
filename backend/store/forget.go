package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
)

// forgetSearches takes the searches out of the history that have shown one of the documents: their queries may have its
// words.
func forgetSearches(ctx context.Context, tx *sql.Tx, collection int64, docs map[int64]known) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM history WHERE collection_id = ?1 AND EXISTS (
			SELECT 1 FROM json_each(trace, '$.hits') hit JOIN json_each(?2) gone ON gone.value = hit.value ->> '$.document_id')`,
		collection, jsonIDs(slices.Sorted(maps.Keys(docs))))
	return err
}

// Hashes says which of these digests of bytes a document still has.
func (s *Store) Hashes(ctx context.Context, hashes []string) (map[string]bool, error) {
	const what = "look for documents"
	list, err := marshalList(hashes)
	if err != nil {
		return nil, err
	}
	rows, err := s.readers.QueryContext(ctx, `
		SELECT j.value FROM json_each(?) j WHERE EXISTS (SELECT 1 FROM documents d WHERE d.hash = j.value)`, list)
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	there := map[string]bool{}
	for rows.Next() {
		var hash string
		if err := rows.Scan(&hash); err != nil {
			return nil, s.explain(what, err)
		}
		there[hash] = true
	}
	return there, s.explain(what, rows.Err())
}
