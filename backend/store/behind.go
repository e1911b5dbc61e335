package store

import (
	"context"
	"database/sql"
	"net/url"
	"sync"
	"time"
)

// behindBusy is how long what is written behind its callers' backs waits for another writer, before it is given up.
const behindBusy = 250 * time.Millisecond

// behind writes what is a convenience and treated as one: behind its callers' backs, beside any Writer, on a
// connection of its own. No call waits or fails, and what cannot be written soon is forgotten. It is safe for
// concurrent use.
type behind[T any] struct {
	db    *sql.DB
	write func(*sql.Tx, T) error

	mu     sync.Mutex
	closed bool
	queue  chan queued[T]
	done   chan struct{}
}

// queued is a piece, or a mark that is closed when everything before it is written.
type queued[T any] struct {
	piece T
	mark  chan struct{}
}

// writeBehind writes with the given function, in one goroutine and a transaction a piece; room is how many pieces may
// wait. Close it before the Store.
func writeBehind[T any](s *Store, room int, write func(*sql.Tx, T) error) *behind[T] {
	b := &behind[T]{
		db: sql.OpenDB(connector{driver: newDriver(), dsn: behindDSN(s.path)}), write: write,
		queue: make(chan queued[T], room), done: make(chan struct{}),
	}
	b.db.SetMaxOpenConns(1)
	go b.work()
	return b
}

// behindDSN does not wait for the disk: what a power cut takes is no loss.
func behindDSN(path string) string {
	return dsn(path, behindBusy, url.Values{
		"_txlock":       {"immediate"},
		"_synchronous":  {"NORMAL"},
		"_foreign_keys": {"on"},
		"_pragma":       {"secure_delete(on)", "temp_store(memory)"},
	})
}

func (b *behind[T]) put(piece T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.enqueue(queued[T]{piece: piece})
}

// enqueue says whether there was room. It is called with mu held.
func (b *behind[T]) enqueue(q queued[T]) bool {
	select {
	case b.queue <- q:
		return true
	default: // the disk does not keep up
		return false
	}
}

// wait returns when what was put before is written or given up; it does not wait where too much of it waits already.
func (b *behind[T]) wait(ctx context.Context) {
	mark := make(chan struct{})
	b.mu.Lock()
	waits := !b.closed && b.enqueue(queued[T]{mark: mark})
	b.mu.Unlock()
	if !waits {
		return
	}
	select {
	case <-mark:
	case <-b.done:
	case <-ctx.Done():
	}
}

// Close writes what waits, or gives it up, and closes the connection. Closing twice is harmless.
func (b *behind[T]) Close() error {
	b.mu.Lock()
	if !b.closed {
		b.closed = true
		close(b.queue)
	}
	b.mu.Unlock()
	<-b.done
	return b.db.Close()
}

// work writes until the queue is closed. Once a piece could not be written, the others of a closed queue are given
// up: the program wants to end.
func (b *behind[T]) work() {
	defer close(b.done)
	for q := range b.queue {
		if q.mark != nil {
			close(q.mark)
			continue
		}
		if err := b.one(q.piece); err != nil && b.ending() {
			return
		}
	}
}

func (b *behind[T]) one(piece T) error {
	tx, err := b.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := b.write(tx, piece); err != nil {
		return err
	}
	return tx.Commit()
}

func (b *behind[T]) ending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}
