package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
)

// stepChunks is how many chunks are deleted in one transaction, for which others who write must wait.
const stepChunks = 250

// Delete removes documents with their text, terms and vectors, files with their members. What another document has the
// same bytes as keeps its passages. Ids that do not exist are passed over. It goes in steps, a file whole in one of them: others
// write between them, and after the end of ctx the next call goes on with what is left.
func (w *Writer) Delete(ctx context.Context, documentIDs ...int64) error {
	const what = "delete documents"
	var going map[int64][]goingFile
	err := w.s.write(ctx, what, func(tx *sql.Tx) (err error) {
		going, err = findGoing(ctx, tx, documentIDs)
		return err
	})
	if err != nil {
		return err
	}
	for collection, files := range going {
		all := map[int64]known{}
		for _, f := range files {
			maps.Copy(all, f)
		}
		for len(files) > 0 {
			step, chunks, n := map[int64]known{}, 0, 0
			for ; n < len(files) && (n == 0 || chunks < stepChunks); n++ {
				maps.Copy(step, files[n])
				chunks += files[n].chunks()
			}
			err := w.step(ctx, what, func(tx *sql.Tx) error { return deleteDocuments(ctx, tx, collection, step, all) })
			if err != nil {
				return err
			}
			files = files[n:]
		}
	}
	return w.purge(ctx)
}

// goingFile is the documents of one file that are to go.
type goingFile map[int64]known

func (f goingFile) chunks() (n int) {
	for _, doc := range f {
		n += doc.chunks
	}
	return n
}

// findGoing gives the documents that are to go, by collection, file by file.
func findGoing(ctx context.Context, tx *sql.Tx, ids []int64) (map[int64][]goingFile, error) {
	rows, err := tx.QueryContext(ctx, `
		SELECT DISTINCT g.collection_id, g.path, g.id FROM json_each(?) j JOIN documents d ON d.id = j.value
			JOIN documents g ON g.id = d.id OR d.member = '' AND g.collection_id = d.collection_id AND g.path = d.path
		ORDER BY g.collection_id, g.path`, jsonIDs(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	going := map[int64][]goingFile{}
	var before fileKey
	for rows.Next() {
		var key fileKey
		var id int64
		if err := rows.Scan(&key.collection, &key.path, &id); err != nil {
			return nil, err
		}
		if key != before {
			going[key.collection] = append(going[key.collection], goingFile{})
			before = key
		}
		files := going[key.collection]
		files[len(files)-1][id] = known{}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, files := range going {
		for _, f := range files {
			for id := range f {
				if f[id], err = readStored(ctx, tx, id); err != nil {
					return nil, err
				}
			}
		}
	}
	return going, nil
}

// deleteDocuments removes some documents of a collection. going are all that go in this and in other transactions: none of
// them inherits passages.
func deleteDocuments(ctx context.Context, tx *sql.Tx, collection int64, docs, going map[int64]known) error {
	var all int
	err := tx.QueryRowContext(ctx, "SELECT sum(chunks) FROM documents WHERE collection_id = ?", collection).Scan(&all)
	if err != nil {
		return err
	}
	vacated := func() error {
		for id, doc := range docs {
			if err := vacate(ctx, tx, collection, doc, going); err != nil {
				return fmt.Errorf("document %d: %w", id, err)
			}
		}
		return nil
	}
	if goingFile(going).chunks()*purgeShare > all {
		err = marking(ctx, tx, collection, vacated)
	} else {
		err = vacated()
	}
	if err != nil {
		return err
	}
	if err := forgetSearches(ctx, tx, collection, docs); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	if err := noteCopies(ctx, tx); err != nil {
		return err
	}
	for id := range docs {
		if _, err := tx.ExecContext(ctx, "DELETE FROM documents WHERE id = ?", id); err != nil {
			return fmt.Errorf("document %d: %w", id, err)
		}
	}
	return nil
}

// deleteChunks removes the chunks of a document from every table. The terms go first: FTS5 asks for the text of the row that
// it is to forget.
func deleteChunks(ctx context.Context, tx *sql.Tx, collection, document int64, chunks int) error {
	if chunks == 0 {
		return nil
	}
	if err := noteCopies(ctx, tx); err != nil {
		return err
	}
	const own = "(SELECT id FROM chunks WHERE document_id = ?)"
	queries := []string{"DELETE FROM " + ftsTable(collection) + " WHERE rowid IN " + own, "DELETE FROM unembedded WHERE chunk_id IN " + own}
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
