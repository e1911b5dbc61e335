package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"fanous/backend/domain"
)

// MaxHistory is how many searches the history holds at most.
const MaxHistory = 10_000

// historyQueue is how many searches may wait to be written.
const historyQueue = 64

// HistoryWriter keeps finished searches, the latest ones.
type HistoryWriter struct {
	*behind[domain.HistoryEntry]
	keep int
}

// HistoryWriter makes one that keeps this many searches, MaxHistory at most; the oldest goes for a new one. Close it
// before the Store.
func (s *Store) HistoryWriter(keep int) *HistoryWriter {
	w := &HistoryWriter{keep: min(keep, MaxHistory)}
	w.behind = writeBehind(s, historyQueue, w.write)
	return w
}

// Put keeps a search; its ID is not looked at. It returns at once; the search is there a little later, or never. A
// collection that is gone keeps nothing, nor does a search that has shown a document which is gone by now.
func (w *HistoryWriter) Put(e domain.HistoryEntry) { w.put(e) }

// Wait returns when what was put before is written, or has been given up.
func (w *HistoryWriter) Wait(ctx context.Context) { w.wait(ctx) }

func (w *HistoryWriter) write(tx *sql.Tx, e domain.HistoryEntry) error {
	trace, err := json.Marshal(e.Trace)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`
		INSERT INTO history (at, collection_id, query, trace)
		SELECT ?1, id, ?2, ?3 FROM collections WHERE name = ?4 AND NOT EXISTS (
			SELECT 1 FROM json_each(?3, '$.hits') hit LEFT JOIN documents d ON d.id = hit.value ->> '$.document_id'
				WHERE d.id IS NULL AND hit.value ->> '$.document_id' <> 0)`,
		e.At.UnixNano(), e.Query, string(trace), e.Collection); err != nil {
		return err
	}
	_, err = tx.Exec(`
		DELETE FROM history WHERE id <= (SELECT id FROM history ORDER BY id DESC LIMIT 1 OFFSET ?)`, w.keep)
	return err
}

// History gives the searches that are kept, the latest first; a limit of 0 is none.
func (s *Store) History(ctx context.Context, limit int) ([]domain.HistoryEntry, error) {
	return s.FindHistory(ctx, limit, func(string) bool { return true })
}

// FindHistory is History of the queries that wanted lets through.
func (s *Store) FindHistory(ctx context.Context, limit int, wanted func(query string) bool) ([]domain.HistoryEntry, error) {
	const what = "read the history"
	if limit <= 0 {
		limit = MaxHistory
	}
	rows, err := s.readers.QueryContext(ctx, `
		SELECT h.id, h.at, c.name, h.query, h.trace FROM history h JOIN collections c ON c.id = h.collection_id ORDER BY h.id DESC`)
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	list := []domain.HistoryEntry{}
	var trace sql.RawBytes
	for len(list) < limit && rows.Next() {
		var e domain.HistoryEntry
		var at int64
		if err := rows.Scan(&e.ID, &at, &e.Collection, &e.Query, &trace); err != nil {
			return nil, s.explain(what, err)
		}
		if !wanted(e.Query) {
			continue
		}
		if err := json.Unmarshal(trace, &e.Trace); err != nil {
			return nil, fmt.Errorf("%s: search %d: %w", what, e.ID, err)
		}
		e.At = fromNanos(at)
		list = append(list, e)
	}
	return list, s.explain(what, rows.Err())
}

// HistoryEntry gives one search that is kept.
func (s *Store) HistoryEntry(ctx context.Context, id int64) (domain.HistoryEntry, error) {
	const what = "read a search of the history"
	e := domain.HistoryEntry{ID: id}
	var at int64
	var trace []byte
	err := s.readers.QueryRowContext(ctx, `
		SELECT h.at, c.name, h.query, h.trace FROM history h JOIN collections c ON c.id = h.collection_id WHERE h.id = ?`, id).
		Scan(&at, &e.Collection, &e.Query, &trace)
	if errors.Is(err, sql.ErrNoRows) {
		return e, notFound("this search is not kept any more", "search again")
	}
	if err != nil {
		return e, s.explain(what, err)
	}
	e.At = fromNanos(at)
	if err := json.Unmarshal(trace, &e.Trace); err != nil {
		return e, fmt.Errorf("%s: search %d: %w", what, id, err)
	}
	return e, nil
}

// ForgetSearch forgets one search; that it is not there is no error.
func (s *Store) ForgetSearch(ctx context.Context, id int64) error {
	return s.write(ctx, "forget a search", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM history WHERE id = ?", id)
		return err
	})
}

// ClearHistory forgets every search.
func (s *Store) ClearHistory(ctx context.Context) error {
	return s.write(ctx, "clear the history", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM history")
		return err
	})
}

// Movement counts how far reranking moved the hits in the history.
func (s *Store) Movement(ctx context.Context) (domain.Movement, error) {
	const what = "count the movement in the history"
	var searches int
	if err := s.readers.QueryRowContext(ctx, "SELECT count(*) FROM history").Scan(&searches); err != nil {
		return domain.Movement{}, s.explain(what, err)
	}
	rows, err := s.readers.QueryContext(ctx, `
		SELECT hit.value ->> '$.rerank_delta' AS delta, count(*)
		FROM history, json_each(history.trace, '$.hits') hit WHERE delta IS NOT NULL GROUP BY delta`)
	if err != nil {
		return domain.Movement{}, s.explain(what, err)
	}
	defer rows.Close()
	counts := map[int]int{}
	for rows.Next() {
		var delta, count int
		if err := rows.Scan(&delta, &count); err != nil {
			return domain.Movement{}, s.explain(what, err)
		}
		counts[delta] = count
	}
	return domain.MovementOf(searches, counts), s.explain(what, rows.Err())
}
