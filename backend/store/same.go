package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"fanous/backend/domain"
)

// known is what the index has of a document.
type known struct {
	id     int64 // 0: nothing
	sameAs int64
	chunks int
	hash   string
	cut    string
	title  string
	state  domain.DocumentState
}

const storedColumns = "id, same_as, chunks, hash, cut, title, state"

func scanStored(row *sql.Row) (s known, err error) {
	err = row.Scan(&s.id, &s.sameAs, &s.chunks, &s.hash, &s.cut, &s.title, &s.state)
	if errors.Is(err, sql.ErrNoRows) {
		return known{}, nil
	}
	return s, err
}

func findStored(ctx context.Context, q querier, d domain.Document) (known, error) {
	return scanStored(q.QueryRowContext(ctx, "SELECT "+storedColumns+
		" FROM documents WHERE collection_id = ? AND path = ? AND member = ?", d.CollectionID, d.Path, d.Member))
}

func readStored(ctx context.Context, tx *sql.Tx, id int64) (known, error) {
	return scanStored(tx.QueryRowContext(ctx, "SELECT "+storedColumns+" FROM documents WHERE id = ?", id))
}

// shared says whether documents of a state share their content: all that can be had of it is stored.
func shared(state domain.DocumentState) bool {
	return state == domain.StateIndexed || state == domain.StateNoText
}

// holds says whether s is of the same bytes as d, cut in the same way.
func (s known) holds(d domain.Document) bool {
	return s.id != 0 && d.Hash != "" && s.hash == d.Hash && shared(s.state) && s.cut != doubted && (d.Cut == "" || s.cut == "" || d.Cut == s.cut)
}

// findTwin finds another document that has the bytes of d, cut in the same way, and its own chunks.
func findTwin(ctx context.Context, q querier, d domain.Document, except int64) (known, error) {
	if d.Hash == "" || !shared(d.State) {
		return known{}, nil
	}
	return scanStored(q.QueryRowContext(ctx, "SELECT "+storedColumns+` FROM documents
		WHERE collection_id = ? AND hash = ? AND same_as = 0 AND id <> ? AND state IN ('indexed', 'no text')
			AND cut <> '`+doubted+`' AND (?4 = '' OR cut IN ('', ?4))
		ORDER BY id LIMIT 1`, d.CollectionID, d.Hash, except, d.Cut))
}

// refresh records what may be new of a document whose content is the same.
func refresh(ctx context.Context, tx *sql.Tx, old known, d domain.Document) error {
	return retitle(ctx, tx, d.CollectionID, old, d.Title, func() error {
		_, err := tx.ExecContext(ctx, `
			UPDATE documents SET title = ?, author = ?, dated = ?, size = ?, mod_time = ?, attempts = ? WHERE id = ?`,
			d.Title, d.Author, nanos(d.Dated), d.Size, nanos(d.ModTime), d.Attempts, old.id)
		return err
	})
}

// copyState gives what was found out about the content of a document to all that share it.
func copyState(ctx context.Context, tx *sql.Tx, owner int64) error {
	return setState(ctx, tx, owner, "same_as = ?2 AND same_as <> 0", owner)
}

// inheritState gives it to the one that now shares it: giving it to all each time would cost the square of their number.
func inheritState(ctx context.Context, tx *sql.Tx, id, owner int64) error {
	return setState(ctx, tx, owner, "id = ?2", id)
}

func setState(ctx context.Context, tx *sql.Tx, owner int64, where string, id int64) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE documents SET (format, author, dated, state, reason, warnings, ocr) =
			(SELECT format, author, dated, state, reason, warnings, ocr FROM documents WHERE id = ?1)
		WHERE `+where, owner, id)
	return err
}

// vacate takes the chunks of a document away: to the first of those that share them and is not going too, or out of
// the index. Its row stays, with no chunks.
func vacate(ctx context.Context, tx *sql.Tx, collection int64, old known, going map[int64]known) error {
	copies, err := queryIDs(ctx, tx, "SELECT id FROM documents WHERE same_as = ? AND same_as <> 0 ORDER BY id", old.id)
	if err != nil {
		return err
	}
	heir := slices.IndexFunc(copies, func(id int64) bool { return going[id].id == 0 })
	if heir < 0 {
		err = deleteChunks(ctx, tx, collection, old.id, old.chunks)
	} else {
		err = bequeath(ctx, tx, collection, old, copies[heir])
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE documents SET chunks = 0 WHERE id = ?", old.id)
	return err
}

// bequeath gives the chunks of a document, with their vectors, to one that shares them.
func bequeath(ctx context.Context, tx *sql.Tx, collection int64, old known, heir int64) error {
	var title string
	if err := tx.QueryRowContext(ctx, "SELECT title FROM documents WHERE id = ?", heir).Scan(&title); err != nil {
		return err
	}
	move := func() error {
		for _, q := range []string{
			"UPDATE chunks SET document_id = ?2 WHERE document_id = ?1",
			"UPDATE OR REPLACE recognised SET document_id = ?2 WHERE document_id = ?1",
			"UPDATE documents SET same_as = 0, chunks = (SELECT chunks FROM documents WHERE id = ?1) WHERE id = ?2",
			"UPDATE documents SET same_as = ?2 WHERE same_as = ?1 AND same_as <> 0",
		} {
			if _, err := tx.ExecContext(ctx, q, old.id, heir); err != nil {
				return fmt.Errorf("give the passages of document %d to %d: %w", old.id, heir, err)
			}
		}
		return nil
	}
	return retitle(ctx, tx, collection, old, title, move)
}

// retitle makes a change after which the chunks of a document stand under a title: the title is among their terms.
// FTS5 must forget them before the change, for it asks for their text to do so.
func retitle(ctx context.Context, tx *sql.Tx, collection int64, old known, title string, change func() error) error {
	if old.chunks == 0 || old.title == title {
		return change()
	}
	ids, err := queryIDs(ctx, tx, "SELECT id FROM chunks WHERE document_id = ?", old.id)
	if err != nil {
		return err
	}
	chunks := jsonIDs(ids)
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+ftsTable(collection)+
		" WHERE rowid IN (SELECT value FROM json_each(?))", chunks); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf(`
		INSERT INTO %[1]s (rowid, head, body)
		SELECT id, head, body FROM %[1]s_source WHERE id IN (SELECT value FROM json_each(?))`, ftsTable(collection)), chunks)
	return err
}
