package store

import (
	"context"
	"database/sql"
	"fmt"
)

// rebuildShare says when making the terms of a collection anew is cheaper than taking those of the deleted
// chunks out of it one by one: when there is one deleted chunk for so many that stay.
const rebuildShare = 30

// Delete removes documents with their text, terms and vectors, files with their members. What another document has the
// same bytes as keeps its passages. Ids that do not exist are passed over.
func (w *Writer) Delete(ctx context.Context, documentIDs ...int64) error {
	err := w.s.write(ctx, "delete documents", func(tx *sql.Tx) error {
		going, err := findGoing(ctx, tx, documentIDs)
		if err != nil {
			return err
		}
		for collection, docs := range going {
			if err := deleteDocuments(ctx, tx, collection, docs); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		w.bound(ctx)
	}
	return err
}

// findGoing gives the documents that are to go, by collection and id.
func findGoing(ctx context.Context, tx *sql.Tx, ids []int64) (map[int64]map[int64]known, error) {
	rows, err := tx.QueryContext(ctx, `
		SELECT g.collection_id, g.id FROM json_each(?) j JOIN documents d ON d.id = j.value
			JOIN documents g ON g.id = d.id OR d.member = '' AND g.collection_id = d.collection_id AND g.path = d.path`, jsonIDs(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	going := map[int64]map[int64]known{}
	for rows.Next() {
		var collection, id int64
		if err := rows.Scan(&collection, &id); err != nil {
			return nil, err
		}
		if going[collection] == nil {
			going[collection] = map[int64]known{}
		}
		going[collection][id] = known{}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, docs := range going {
		for id := range docs {
			if docs[id], err = readStored(ctx, tx, id); err != nil {
				return nil, err
			}
		}
	}
	return going, nil
}

func deleteDocuments(ctx context.Context, tx *sql.Tx, collection int64, docs map[int64]known) error {
	var all, gone int
	err := tx.QueryRowContext(ctx, "SELECT sum(chunks) FROM documents WHERE collection_id = ?", collection).Scan(&all)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		gone += doc.chunks
	}
	rebuild := gone*rebuildShare > all-gone
	for id, doc := range docs {
		if err := vacate(ctx, tx, collection, doc, docs, !rebuild); err != nil {
			return fmt.Errorf("document %d: %w", id, err)
		}
	}
	if err := forgetSearches(ctx, tx, collection, docs); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	for id := range docs {
		if _, err := tx.ExecContext(ctx, "DELETE FROM documents WHERE id = ?", id); err != nil {
			return fmt.Errorf("document %d: %w", id, err)
		}
	}
	if rebuild && gone > 0 {
		return rebuildTerms(ctx, tx, collection)
	}
	return nil
}

// deleteChunks removes the chunks of a document from every table, from that of the terms only if it is told
// so. The terms go first: FTS5 asks for the text of the row that it is to forget.
func deleteChunks(ctx context.Context, tx *sql.Tx, collection, document int64, chunks int, terms bool) error {
	if chunks == 0 {
		return nil
	}
	const own = "(SELECT id FROM chunks WHERE document_id = ?)"
	var queries []string
	if terms {
		queries = append(queries, "DELETE FROM "+ftsTable(collection)+" WHERE rowid IN "+own)
	}
	queries = append(queries, "DELETE FROM unembedded WHERE chunk_id IN "+own)
	hasVectors, err := hasTable(ctx, tx, vecTable(collection))
	if err != nil {
		return err
	}
	if hasVectors {
		if err := deleteCodes(ctx, tx, collection, document); err != nil {
			return fmt.Errorf("codes: %w", err)
		}
		queries = append(queries, "DELETE FROM "+roundedTable(collection)+" WHERE chunk_id IN "+own,
			"DELETE FROM "+vecTable(collection)+" WHERE rowid IN "+own)
	}
	queries = append(queries, "DELETE FROM chunks WHERE document_id = ?")
	for _, q := range queries {
		if _, err := tx.ExecContext(ctx, q, document); err != nil {
			return err
		}
	}
	return nil
}

// deleteCodes takes the chunks of a document out of their blocks.
func deleteCodes(ctx context.Context, tx *sql.Tx, collection, document int64) error {
	dim, err := vectorDim(ctx, tx, collection)
	if err != nil {
		return err
	}
	ids, err := queryIDs(ctx, tx, "SELECT id FROM chunks WHERE document_id = ? ORDER BY id", document)
	if err != nil {
		return err
	}
	c := coder{tx: tx, collection: collection, dim: dim}
	if err := c.remove(ctx, ids); err != nil {
		return err
	}
	return c.flush(ctx)
}

// rebuildTerms makes the terms of a collection from its stored text.
func rebuildTerms(ctx context.Context, tx *sql.Tx, collection int64) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO %[1]s(%[1]s) VALUES ('rebuild')", ftsTable(collection)))
	return err
}
