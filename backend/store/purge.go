package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// Terms of deleted chunks go in one of two ways. Few of them are taken out of the pages that hold them one by one, which costs
// a chunk about 20 times what it costs to mark its terms as deleted. Many are marked; then the pages are merged, which leaves out
// what is marked, and costs what it costs for the size of the collection.

// purgeShare says when the second is quicker: where there is one deleted chunk for so many of the collection.
const purgeShare = 400

// purgeKey begins the keys of the stamp that say in which collections terms are marked as deleted, and not merged yet.
const purgeKey = "purge/"

// purgePages is how many pages are merged in one transaction, for which others who write must wait.
const purgePages = 500

// marking deletes terms of a collection by marking them. Purge must come after it, which the stamp says until it has.
func marking(ctx context.Context, tx *sql.Tx, collection int64, remove func() error) error {
	at := func(secure int) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO %[1]s(%[1]s, rank) VALUES ('secure-delete', ?)", ftsTable(collection)), secure)
		return err
	}
	if err := at(0); err != nil {
		return err
	}
	if err := remove(); err != nil {
		return err
	}
	if err := at(1); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO stamp (key, value) VALUES (?, '') ON CONFLICT DO NOTHING", fmt.Sprint(purgeKey, collection))
	return err
}

// purge merges what is marked as deleted out of the terms, in steps. What is cut off is gone on with by the next call; a Writer
// begins with one.
func (w *Writer) purge(ctx context.Context) error {
	const what = "purge the terms"
	rows, err := w.s.readers.QueryContext(ctx, "SELECT key FROM stamp WHERE key GLOB ?", purgeKey+"*")
	if err != nil {
		return w.s.explain(what, err)
	}
	defer rows.Close()
	var marked []int64
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return w.s.explain(what, err)
		}
		id, err := strconv.ParseInt(strings.TrimPrefix(key, purgeKey), 10, 64)
		if err != nil {
			return w.s.explain(what, err)
		}
		marked = append(marked, id)
	}
	if err := rows.Err(); err != nil {
		return w.s.explain(what, err)
	}
	for _, collection := range marked {
		for pages, done := -purgePages, false; !done; pages = purgePages { // below 0: everything is to be merged
			err := w.step(ctx, what, func(tx *sql.Tx) (err error) {
				done, err = mergeTerms(ctx, tx, collection, pages)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// mergeTerms merges some pages of terms and says whether all are merged and nothing is marked any more, which it notes.
func mergeTerms(ctx context.Context, tx *sql.Tx, collection int64, pages int) (done bool, err error) {
	fts := ftsTable(collection)
	changes := func() (n int, err error) {
		err = tx.QueryRowContext(ctx, "SELECT total_changes()").Scan(&n)
		return n, err
	}
	before, err := changes()
	if err != nil {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO %[1]s(%[1]s, rank) VALUES ('merge', ?)", fts), pages); err != nil {
		return false, err
	}
	after, err := changes()
	if err != nil || after-before >= 2 { // fewer: there was nothing to merge, as FTS5 has it
		return false, err
	}
	if whole, err := mergedWhole(ctx, tx, fts); err != nil {
		return false, err
	} else if !whole {
		if err := rebuildTerms(ctx, tx, collection); err != nil {
			return false, err
		}
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM stamp WHERE key = ?", fmt.Sprint(purgeKey, collection))
	return true, err
}

// mergedWhole says whether what is marked was left out when everything was merged. FTS5 leaves it out only of a segment on the
// highest level, and where about half of the terms were marked at once, it may have merged on a lower one. The record of the
// structure ends with the highest level, and for one that is empty with two zeros.
func mergedWhole(ctx context.Context, tx *sql.Tx, fts string) (whole bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT substr(block, -2) <> x'0000' FROM "+fts+"_data WHERE id = 10").Scan(&whole)
	return whole, err
}

// rebuildTerms makes the terms of a collection from its stored text.
func rebuildTerms(ctx context.Context, tx *sql.Tx, collection int64) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO %[1]s(%[1]s) VALUES ('rebuild')", ftsTable(collection)))
	return err
}
