package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// removed says of a row of collections that it is of one that is being removed: a character that nobody types, its id and a
// slash stand before its name. It is in no list any more, and what is left of it goes step by step.
const removed = "name GLOB char(31) || '*'"

// Forget is told the name of a collection that has gone, before the index forgets that name: what others keep of it goes too.
type Forget func(name string) error

// RemoveCollection removes a collection with everything that was indexed in it, and overwrites the pages
// that held it. It refuses while a Writer is open, here or in another process. It goes in steps, between which others write; after
// the end of ctx or of the process GoOn goes on. forget may be nil.
func (s *Store) RemoveCollection(ctx context.Context, name string, forget Forget) error {
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
			"UPDATE collections SET name = char(31) || id || '/' || name WHERE id = ?1",
			"DELETE FROM roots WHERE collection_id = ?1",
			"DELETE FROM history WHERE collection_id = ?1",
			"DELETE FROM stamp WHERE key IN ('" + updatedKey + "' || ?1, '" + purgeKey + "' || ?1)",
		} {
			if _, err := tx.ExecContext(ctx, q, id); err != nil {
				return err
			}
		}
		return noteCopies(ctx, tx)
	})
	if err != nil {
		return err
	}
	return w.completeRemovals(ctx, forget)
}

// GoOn completes what deletions that were cut off have left. It has nothing to do where there were none.
func (s *Store) GoOn(ctx context.Context, forget Forget) error {
	var left bool
	err := s.readers.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM collections WHERE "+removed+") OR EXISTS (SELECT 1 FROM stamp WHERE key GLOB ? OR key = ?)",
		purgeKey+"*", copiesKey).Scan(&left)
	if err != nil || !left {
		return s.explain("look for deletions that were cut off", err)
	}
	w, err := s.Writer(ctx) // which merges the terms
	if err != nil {
		return err
	}
	return errors.Join(w.completeRemovals(ctx, forget), w.Close())
}

// completeRemovals removes what is left of collections that are being removed.
func (w *Writer) completeRemovals(ctx context.Context, forget Forget) error {
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
		if err := w.forgetName(ctx, id, forget); err != nil {
			return err
		}
	}
	return nil
}

// forgetName removes the row of a collection, after forget was told its name where no other has it by now.
func (w *Writer) forgetName(ctx context.Context, id int64, forget Forget) error {
	var name string
	var taken bool
	err := w.s.readers.QueryRowContext(ctx, `
		SELECT old, EXISTS (SELECT 1 FROM collections WHERE name = old)
		FROM (SELECT substr(name, instr(name, '/') + 1) AS old FROM collections WHERE id = ?)`, id).Scan(&name, &taken)
	if err == nil && !taken && forget != nil {
		err = forget(name)
	}
	if err != nil {
		return w.s.explain("remove the collection", err)
	}
	return w.s.write(ctx, "remove the collection", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM collections WHERE id = ?", id)
		return err
	})
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

// removeSome takes a step, and says whether it was the last: nothing but its row is left of the collection.
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
	_, err = tx.ExecContext(ctx, fmt.Sprintf(vectorsDrop, id))
	return err == nil, err
}
