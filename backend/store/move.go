package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Move is a file that was found under another path with the same bytes.
type Move struct {
	Document int64 // of the file
	Path     string
	Title    string
	ModTime  time.Time
}

// Move records new paths of files, their members with them. Passages and vectors stay as they are.
func (w *Writer) Move(ctx context.Context, moves ...Move) error {
	if len(moves) == 0 {
		return nil
	}
	return w.s.write(ctx, "move files", func(tx *sql.Tx) error {
		for _, m := range moves {
			if err := move(ctx, tx, m); err != nil {
				return fmt.Errorf("to %s: %w", m.Path, err)
			}
		}
		return nil
	})
}

func move(ctx context.Context, tx *sql.Tx, m Move) error {
	old, err := readStored(ctx, tx, m.Document)
	if err != nil || old.id == 0 {
		return err
	}
	var collection int64
	var from string
	err = tx.QueryRowContext(ctx, "SELECT collection_id, path FROM documents WHERE id = ?", m.Document).Scan(&collection, &from)
	if err != nil {
		return err
	}
	return retitle(ctx, tx, collection, old, m.Title, func() error {
		_, err := tx.ExecContext(ctx, "UPDATE documents SET title = ?, mod_time = ? WHERE id = ?", m.Title, nanos(m.ModTime), m.Document)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE documents SET path = ? WHERE collection_id = ? AND path = ?", m.Path, collection, from)
		return err
	})
}
