package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fanous/backend/domain"
)

// updatedKey begins the keys of the stamp that say when each collection was last gone through.
const updatedKey = "updated/"

// MarkUpdated says that a run over the whole collection has just ended.
func (w *Writer) MarkUpdated(ctx context.Context, collectionID int64, at time.Time) error {
	return w.s.write(ctx, "note the run", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			"INSERT INTO stamp (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
			fmt.Sprint(updatedKey, collectionID), strconv.FormatInt(at.UnixNano(), 10))
		return err
	})
}

// updated tells the summaries, by their collections' ids, when the last run over each ended.
func (s *Store) updated(ctx context.Context, sums map[int64]*domain.CollectionSummary) error {
	rows, err := s.readers.QueryContext(ctx, "SELECT key, value FROM stamp WHERE key GLOB ?", updatedKey+"*")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var nanos int64
		if err := rows.Scan(&key, &nanos); err != nil {
			return err
		}
		id, err := strconv.ParseInt(strings.TrimPrefix(key, updatedKey), 10, 64)
		if err != nil {
			return fmt.Errorf("stamp %s: %w", key, err)
		}
		if sum := sums[id]; sum != nil {
			sum.Updated = fromNanos(nanos)
		}
	}
	return rows.Err()
}
