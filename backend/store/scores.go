package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"time"

	"fanous/backend/domain"
)

const (
	// scoreLimit bounds how many scores are kept: 5,000 searches of 40 passages, about 25 MB.
	scoreLimit = 200_000
	// scoreBusy is how long the writing of scores waits for another writer, before they are given up.
	scoreBusy = 250 * time.Millisecond
	// scoreQueue is how many batches may wait to be written.
	scoreQueue = 16
	// scoreUsed is how exactly the last use is known. Without it every look would be a write.
	scoreUsed = 24 * time.Hour
)

// Scores keeps the scores of rerankers in the index file. It is a convenience and treated as one: reading goes
// through the pool of readers, writing happens behind the caller's back on a connection of its own, beside any
// Writer, and what cannot be written soon is forgotten. No call fails. A score goes when its chunk does, and the
// least recently used go when there are too many.
type Scores struct {
	s     *Store
	db    *sql.DB // one connection that waits for nobody
	limit int
	now   func() time.Time

	mu     sync.Mutex
	closed bool
	queue  chan scoreWork
	done   chan struct{}

	room int // how many more fit, as far as this process knows; of the goroutine that writes
}

// scoreWork is one batch: scores to keep, and keys that were used.
type scoreWork struct {
	keep []domain.KeptScore
	used [][32]byte
}

// Scores opens the kept scores. Close them before the Store.
func (s *Store) Scores() *Scores { return s.openScores(scoreLimit, time.Now) }

func (s *Store) openScores(limit int, now func() time.Time) *Scores {
	c := &Scores{
		s: s, limit: limit, now: now,
		db:    sql.OpenDB(connector{newDriver(), scoresDSN(s.path)}),
		queue: make(chan scoreWork, scoreQueue), done: make(chan struct{}),
	}
	c.db.SetMaxOpenConns(1)
	go c.work()
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

func (c *Scores) put(w scoreWork) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	select {
	case c.queue <- w:
	default: // the disk does not keep up
	}
}

// Close writes what is waiting, or gives it up, and closes the connection. Closing twice is harmless.
func (c *Scores) Close() error {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.queue)
	}
	c.mu.Unlock()
	<-c.done
	return c.db.Close()
}

// work writes until the queue is closed. After a batch that could not be written the others of a closed queue
// are given up: the program wants to end.
func (c *Scores) work() {
	defer close(c.done)
	counted := false
	for w := range c.queue {
		if err := c.write(w, &counted); err != nil && c.isClosed() {
			return
		}
	}
}

func (c *Scores) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func (c *Scores) write(w scoreWork, counted *bool) error {
	tx, err := c.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
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
	if c.room < 0 || !*counted {
		if c.room, err = c.bound(tx); err != nil {
			return err
		}
		*counted = true
	}
	return tx.Commit()
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
