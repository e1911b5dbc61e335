package store

import (
	"context"
	"database/sql"
	"fmt"
)

// removed says of a row of collections that it is of one that is being removed: its name is not what anybody types. It is in no
// list any more, and what is left of it goes step by step.
const removed = "name GLOB char(31) || '*'"

// RemoveCollection removes a collection with everything that was indexed in it, and overwrites the pages
// that held it. It refuses while a Writer is open, here or in another process. It goes in steps, between which others write; after
// the end of ctx or of the process the next Writer goes on.
func (s *Store) RemoveCollection(ctx context.Context, name string) error {
	w, err := s.Writer(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	err = s.write(ctx, "remove the collection", func(tx *sql.Tx) error {
		id, err := existing(ctx, tx, name)
		if err != nil {
			return err
		}
		for _, q := range []string{
			"UPDATE collections SET name = char(31) || id WHERE id = ?1",
			"DELETE FROM roots WHERE collection_id = ?1",
			"DELETE FROM history WHERE collection_id = ?1",
			"DELETE FROM stamp WHERE key IN ('" + updatedKey + "' || ?1, '" + purgeKey + "' || ?1)",
		} {
			if _, err := tx.ExecContext(ctx, q, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.completeRemovals(ctx)
}

// completeRemovals removes what is left of collections that are being removed.
func (w *Writer) completeRemovals(ctx context.Context) error {
	const what = "remove the collection"
	ids, err := queryIDs(ctx, w.s.readers, "SELECT id FROM collections WHERE "+removed)
	if err != nil {
		return w.s.explain(what, err)
	}
	for _, id := range ids {
		for done := false; !done; {
			err := w.step(ctx, what, func(tx *sql.Tx) (err error) {
				done, err = removeSome(ctx, tx, id)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// removalSteps take away some megabytes of a collection each, as often as they find any. The terms are none of them: a table of
// terms that lacks some is damaged, so it goes whole.
var removalSteps = []struct{ table, delete string }{
	{"", "DELETE FROM unembedded WHERE (collection_id, chunk_id) IN (SELECT collection_id, chunk_id FROM unembedded WHERE collection_id = ?1 LIMIT 50000)"},
	{"vec_%d_vector_chunks00", "DELETE FROM %s WHERE rowid IN (SELECT rowid FROM %s LIMIT 40)"},
	{"rounded_%d", "DELETE FROM %s WHERE rowid IN (SELECT rowid FROM %s LIMIT 20000)"},
	{"codes_%d", "DELETE FROM %s WHERE rowid IN (SELECT rowid FROM %s LIMIT 100)"},
	{"fts_%d", "DROP TABLE %[1]s; DROP VIEW IF EXISTS %[1]s_source"},
	{"", "DELETE FROM chunks WHERE id IN (SELECT c.id FROM documents d JOIN chunks c ON c.document_id = d.id WHERE d.collection_id = ?1 LIMIT 4000)"},
	{"", "DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE collection_id = ?1 LIMIT 4000)"},
}

// removeSome takes a step, and says whether it was the last.
func removeSome(ctx context.Context, tx *sql.Tx, id int64) (done bool, err error) {
	for _, step := range removalSteps {
		query := step.delete
		if step.table != "" {
			table := fmt.Sprintf(step.table, id)
			if has, err := hasTable(ctx, tx, table); err != nil {
				return false, err
			} else if !has {
				continue
			}
			query = fmt.Sprintf(query, table, table)
		}
		r, err := tx.ExecContext(ctx, query, id)
		if err != nil {
			return false, err
		}
		n, err := r.RowsAffected()
		if err != nil || n > 0 {
			return false, err
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(vectorsDrop, id)); err != nil {
		return false, err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM collections WHERE id = ?", id)
	return true, err
}
