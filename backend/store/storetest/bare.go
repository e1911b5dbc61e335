package storetest

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"

	_ "modernc.org/sqlite"     // the driver "sqlite"
	_ "modernc.org/sqlite/vec" // vec0
)

// Bare asks an index directly in SQL, for measuring what a search costs beside its two queries.
type Bare struct{ db *sql.DB }

// OpenBare opens the index file at path for reading.
func OpenBare(path string) (*Bare, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	return &Bare{db}, nil
}

// Close closes the connection.
func (b *Bare) Close() error { return b.db.Close() }

// Lexical is the bare FTS5 query, with FTS5's own ranking. It gives the number of rows found.
func (b *Bare) Lexical(ctx context.Context, collection int64, match string, k int) (int, error) {
	ids, err := b.ids(ctx, fmt.Sprintf("SELECT rowid, rank FROM fts_%[1]d WHERE fts_%[1]d MATCH ? ORDER BY rank LIMIT ?",
		collection), match, k)
	return len(ids), err
}

// Nearest is the bare vec0 query. It gives the number of rows found.
func (b *Bare) Nearest(ctx context.Context, collection int64, v []float32, k int) (int, error) {
	ids, err := b.NearestIDs(ctx, collection, v, k)
	return len(ids), err
}

// NearestIDs is the bare vec0 query and gives what it found, best first.
func (b *Bare) NearestIDs(ctx context.Context, collection int64, v []float32, k int) ([]int64, error) {
	blob := make([]byte, 0, 4*len(v))
	for _, x := range v {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(x))
	}
	return b.ids(ctx, fmt.Sprintf("SELECT rowid, distance FROM vec_%d WHERE embedding MATCH ? AND k = ?", collection), blob, k)
}

func (b *Bare) ids(ctx context.Context, query string, args ...any) (ids []int64, err error) {
	rows, err := b.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var score float64
		if err := rows.Scan(&id, &score); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
