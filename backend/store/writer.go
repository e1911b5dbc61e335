package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"fanous/backend/domain"
)

// Writer writes documents. There is at most one for a file, over all processes; searching goes on beside it.
// What a call acknowledged is on the disk. Its methods may be called from several goroutines: the analysing
// of one call then overlaps with the writing of another.
type Writer struct {
	s     *Store
	lock  *flock.Flock
	close func() error

	putting sync.Mutex // held from a transaction's begin until members has what it stored
	members memberSet
}

// Writer takes the lock of the file for writing. The error has domain.CodeLocked where another Writer is
// open. The lock ends with the process, however that ends. Once ctx has ended, Close leaves to GoOn what takes long.
func (s *Store) Writer(ctx context.Context) (*Writer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	lock := flock.New(s.path + ".lock")
	ok, err := lock.TryLock()
	if err != nil {
		return nil, notWritable(s.path, err)
	}
	if !ok {
		return nil, indexing(s.path)
	}
	w := &Writer{s: s, lock: lock}
	w.close = sync.OnceValue(func() error { return w.release(ctx) })
	for _, goOn := range []func(context.Context) error{w.completeCodes, w.purge} {
		if err := goOn(ctx); err != nil {
			return nil, errors.Join(err, lock.Unlock())
		}
	}
	return w, nil
}

// Close overwrites the room of what was deleted, empties the log into the index file and gives the lock back. A second call
// does nothing more.
func (w *Writer) Close() error { return w.close() }

func (w *Writer) release(ctx context.Context) error {
	err := w.s.scrub(ctx)
	if ctx.Err() != nil {
		err = nil // the next start or run goes on
	}
	err = errors.Join(err, w.s.truncateLog(context.WithoutCancel(ctx)))
	if unlockErr := w.lock.Unlock(); err == nil {
		err = unlockErr
	}
	return w.s.explain("close the index", err)
}

// SetStamp records what this program writes with. It refuses where the index was made with something else
// and still holds what that made; see Mismatch for the ways out. A different chunker is recorded at once:
// old and new cuts live side by side until the documents have been indexed again.
func (w *Writer) SetStamp(ctx context.Context, want Stamp) error {
	return w.s.write(ctx, "stamp the index", func(tx *sql.Tx) error {
		have, err := readStamp(ctx, tx)
		if err != nil {
			return err
		}
		if m := compare(have, want); m.Lexical || m.Vectors {
			return &domain.Error{Code: domain.CodeInternal,
				Message: fmt.Sprintf("the index was made with %+v, the program has %+v", have, want),
				Hint:    "index the collection again from the start"}
		}
		return writeStamp(ctx, tx, want)
	})
}

// RebuildTerms makes the terms of every collection again from the stored text with the analyser of this
// program, and stamps it. Searches see the old terms until it is done.
func (w *Writer) RebuildTerms(ctx context.Context, analyser string) error {
	return w.s.write(ctx, "rebuild the terms", func(tx *sql.Tx) error {
		list, err := collections(ctx, tx)
		if err != nil {
			return err
		}
		for _, c := range list {
			if err := rebuildTerms(ctx, tx, c.ID); err != nil {
				return fmt.Errorf("collection %s: %w", c.Name, err)
			}
		}
		return writeStamp(ctx, tx, Stamp{Analyser: analyser})
	})
}

// DropVectors removes the vectors of every collection and stamps the embedder whose vectors come next, so
// that MissingVectors lists every chunk.
func (w *Writer) DropVectors(ctx context.Context, embedder string, dim int) error {
	return w.s.write(ctx, "drop the vectors", func(tx *sql.Tx) error {
		list, err := collections(ctx, tx)
		if err != nil {
			return err
		}
		for _, c := range list {
			_, err := tx.ExecContext(ctx, fmt.Sprintf(vectorsDrop, c.ID))
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `
				INSERT INTO unembedded (collection_id, chunk_id)
				SELECT ?1, c.id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE d.collection_id = ?1
				ON CONFLICT DO NOTHING`, c.ID)
			if err != nil {
				return err
			}
		}
		return writeStamp(ctx, tx, Stamp{Embedder: embedder, Dim: dim})
	})
}

// gap is how long a step that took longer leaves to those who wait to write. They look every 100 ms whether they can.
const gap = 100 * time.Millisecond

// step is one transaction of a work of many, between which others write and the work can end.
func (w *Writer) step(ctx context.Context, what string, fn func(*sql.Tx) error) error {
	start := time.Now()
	if err := w.s.write(ctx, what, fn); err != nil {
		return err
	}
	w.bound(ctx)
	if time.Since(start) < gap {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(gap):
		return nil
	}
}

// bound keeps the log from growing without end: above logLimit it is moved into the file and cut. A reader
// of another program can hold that up; the next commit tries again.
func (w *Writer) bound(ctx context.Context) {
	if fileSize(w.s.path+"-wal") > logLimit {
		_ = w.s.truncateLog(ctx)
	}
}
