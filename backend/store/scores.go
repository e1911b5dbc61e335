package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"fanous/backend/domain"
)

const (
	// scoreLimit bounds how many scores are kept: 5,000 searches of 40 passages, about 25 MB.
	scoreLimit = 200_000
	// scoreQueue is how many batches may wait to be written.
	scoreQueue = 16
	// scoreUsed is how exactly the last use is known. Without it every look would be a write.
	scoreUsed = 24 * time.Hour
)

// Scores keeps the scores of rerankers in the index file. Reading goes through the pool of readers. No call fails. A
// score goes when its chunk does, and the least recently used go when there are too many.
type Scores struct {
	*behind[scoreWork]
	s     *Store
	limit int
	now   func() time.Time

	// Of the goroutine that writes.
	counted bool
	room    int // how many more fit, as far as this process knows
}

// scoreWork is one batch: scores to keep, and keys that were used.
type scoreWork struct {
	keep []domain.KeptScore
	used [][32]byte
}

// Scores opens the kept scores. Close them before the Store.
func (s *Store) Scores() *Scores { return s.openScores(scoreLimit, time.Now) }

func (s *Store) openScores(limit int, now func() time.Time) *Scores {
	c := &Scores{s: s, limit: limit, now: now}
	c.behind = writeBehind(s, scoreQueue, c.write)
	return c
}

// Get gives the scores that are kept under the keys.
func (c *Scores) Get(ctx context.Context, keys [][32]byte) map[[32]byte]float64 {
	found := make(map[[32]byte]float64, len(keys))
	var used [][32]byte
	stale := c.now().Add(-scoreUsed).Unix()
	const batch = 500 // SQLite takes many more, but a statement as long as that is no quicker
	for len(keys) > 0 {
		n := min(len(keys), batch)
		args := make([]any, n)
		for i, key := range keys[:n] {
			args[i] = key[:]
		}
		rows, err := c.s.readers.QueryContext(ctx,
			"SELECT key, raw, used FROM scores WHERE key IN (?"+strings.Repeat(",?", n-1)+")", args...)
		if err != nil {
			return found
		}
		for rows.Next() {
			var key []byte
			var raw float64
			var at int64
			if rows.Scan(&key, &raw, &at) != nil || len(key) != 32 {
				continue
			}
			found[[32]byte(key)] = raw
			if at < stale {
				used = append(used, [32]byte(key))
			}
		}
		_ = rows.Close()
		keys = keys[n:]
	}
	if len(used) > 0 {
		c.put(scoreWork{used: used})
	}
	return found
}

// Put keeps scores. It returns at once; they can be read a little later, or never.
func (c *Scores) Put(scores []domain.KeptScore) {
	if len(scores) > 0 {
		c.put(scoreWork{keep: scores})
	}
}

func (c *Scores) write(tx *sql.Tx, w scoreWork) (err error) {
	now := c.now().Unix()
	for _, s := range w.keep {
		// The chunk may be gone in the meantime; identifiers are never used twice.
		r, err := tx.Exec(`
			INSERT INTO scores (key, chunk_id, raw, used)
			SELECT ?1, id, ?3, ?4 FROM chunks WHERE id = ?2
			ON CONFLICT (key) DO UPDATE SET raw = excluded.raw, used = excluded.used`, s.Key[:], s.ChunkID, s.Raw, now)
		if err != nil {
			return err
		}
		n, err := r.RowsAffected()
		if err != nil {
			return err
		}
		c.room -= int(n)
	}
	for _, key := range w.used {
		if _, err := tx.Exec("UPDATE scores SET used = ? WHERE key = ?", now, key[:]); err != nil {
			return err
		}
	}
	if c.room < 0 || !c.counted {
		c.room, err = c.bound(tx)
		c.counted = err == nil
	}
	return err
}

// bound removes the least recently used above the limit, and a tenth more so that it is seldom needed; it
// says how many now fit. Other processes write too, so it counts.
func (c *Scores) bound(tx *sql.Tx) (room int, err error) {
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM scores").Scan(&n); err != nil {
		return 0, fmt.Errorf("count the scores: %w", err)
	}
	if n <= c.limit {
		return c.limit - n, nil
	}
	gone := n - c.limit + c.limit/10
	_, err = tx.Exec("DELETE FROM scores WHERE key IN (SELECT key FROM scores ORDER BY used, key LIMIT ?)", gone)
	return c.limit - n + gone, err
}
