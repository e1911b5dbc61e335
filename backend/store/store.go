// Package store keeps collections, documents, chunks, their analysed terms and their vectors in one
// SQLite file. It is the only package that knows SQL.
//
// Reading and the small administrative writes are methods of Store and work while another process is
// indexing. Writing documents needs a Writer, of which there is one a file at any time.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

const (
	// busyTimeout is how long a connection waits for another writer.
	busyTimeout = 5 * time.Second
	// logLimit is the size in bytes above which the write-ahead log is truncated after a commit.
	logLimit = 64 << 20
)

// Options of Open. The zero value is what the program uses.
type Options struct {
	// Readers is how many reading connections may be open at once; 0 means one a core and at least 4.
	Readers int
	// BusyTimeout is how long a write waits for another process; 0 means 5 s.
	BusyTimeout time.Duration
}

// Store is one open index file. Its methods may be called from several goroutines.
type Store struct {
	path    string
	writer  *sql.DB        // one connection, immediate transactions
	readers *sql.DB        // a pool that can not write
	codes   *sql.DB        // another, for reading codes from end to end: it remembers little
	fresh   func() *sql.DB // one more connection like the writer's, with nothing cached
}

// Open opens the index file at path and makes it, and its folder, where they do not exist. An older schema
// is brought up to date. Errors carry a domain code: locked, damaged, or internal with a hint.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, notWritable(path, err)
	}
	if opt.Readers == 0 {
		opt.Readers = max(4, runtime.GOMAXPROCS(0))
	}
	if opt.BusyTimeout == 0 {
		opt.BusyTimeout = busyTimeout
	}
	s := unopened(path, opt)
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(s.explain("open the index", err), s.Close())
	}
	return s, nil
}

// unopened is a store whose file was not looked at yet.
func unopened(path string, opt Options) *Store {
	drv := newDriver()
	fresh := func() *sql.DB {
		db := sql.OpenDB(connector{drv, writerDSN(path, opt.BusyTimeout), opt.BusyTimeout})
		db.SetMaxOpenConns(1)
		return db
	}
	s := &Store{
		path:    path,
		writer:  fresh(),
		readers: sql.OpenDB(connector{drv, readerDSN(path, opt.BusyTimeout, readerCache), opt.BusyTimeout}),
		codes:   sql.OpenDB(connector{drv, readerDSN(path, opt.BusyTimeout, codesCache), opt.BusyTimeout}),
		fresh:   fresh,
	}
	s.readers.SetMaxOpenConns(opt.Readers)
	s.readers.SetMaxIdleConns(opt.Readers)
	s.codes.SetMaxOpenConns(maxParts)
	s.codes.SetMaxIdleConns(maxParts)
	return s
}

// Path is the absolute path of the index file.
func (s *Store) Path() string { return s.path }

// Close closes every connection. It waits for nobody: a Writer empties the log when it closes, and else the
// last connection of all processes does.
func (s *Store) Close() error {
	return errors.Join(s.readers.Close(), s.codes.Close(), s.writer.Close())
}

// Bytes is the size of the index on the disk, its log included.
func (s *Store) Bytes() int64 {
	return fileSize(s.path) + fileSize(s.path+"-wal")
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// truncateLog moves the write-ahead log into the file and cuts it to nothing. It waits for readers at most
// as long as the busy timeout.
func (s *Store) truncateLog(ctx context.Context) error {
	var busy, logged, moved int
	err := s.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &logged, &moved)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// write runs fn in one immediate transaction of the writer connection.
func (s *Store) write(ctx context.Context, what string, fn func(*sql.Tx) error) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(what, err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return s.explain(what, err)
	}
	return s.explain(what, tx.Commit())
}
