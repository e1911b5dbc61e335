package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fanous/backend/store/codes"
)

// codesSchema makes the tables of what a search compares instead of the vectors in vec_N: their codes, a block a
// row, and the vectors themselves rounded, which a search can look up one by one. They say of every vector in
// vec_N the same as it says itself, and change in the same transaction.
const codesSchema = `
CREATE TABLE IF NOT EXISTS codes_%[1]d (block INTEGER PRIMARY KEY, codes BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS rounded_%[1]d (chunk_id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
`

const codesDrop = `
DROP TABLE IF EXISTS codes_%[1]d;
DROP TABLE IF EXISTS rounded_%[1]d;
`

func codesTable(collection int64) string   { return fmt.Sprintf("codes_%d", collection) }
func roundedTable(collection int64) string { return fmt.Sprintf("rounded_%d", collection) }

func prepareRounded(ctx context.Context, tx *sql.Tx, collection int64) (*sql.Stmt, error) {
	return tx.PrepareContext(ctx, "INSERT INTO "+roundedTable(collection)+" (chunk_id, vector) VALUES (?, ?)")
}

// completeCodes codes the vectors of collections that an older program stored. Until then they are searched by
// their vectors.
func (w *Writer) completeCodes(ctx context.Context) error {
	list, err := w.s.Collections(ctx)
	if err != nil {
		return err
	}
	for _, c := range list {
		var lacking bool
		err := w.s.readers.QueryRowContext(ctx, `
			SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?) AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)`,
			vecTable(c.ID), codesTable(c.ID)).Scan(&lacking)
		if err != nil {
			return w.s.explain("look for codes", err)
		}
		if lacking {
			err := w.s.write(ctx, "code the vectors", func(tx *sql.Tx) error { return codeAll(ctx, tx, c.ID) })
			if err != nil {
				return err
			}
			w.bound(ctx)
		}
	}
	return nil
}

// codeAll makes the codes of a collection that has none.
func codeAll(ctx context.Context, tx *sql.Tx, collection int64) error {
	dim, err := vectorDim(ctx, tx, collection)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(codesSchema, collection)); err != nil {
		return err
	}
	round, err := prepareRounded(ctx, tx, collection)
	if err != nil {
		return err
	}
	defer round.Close()
	rows, err := tx.QueryContext(ctx, "SELECT rowid, embedding FROM "+vecTable(collection))
	if err != nil {
		return err
	}
	defer rows.Close()
	c := coder{tx: tx, collection: collection, dim: dim}
	var ids []int64
	var units [][]float32
	for rows.Next() {
		var id int64
		var blob sql.RawBytes
		if err := rows.Scan(&id, &blob); err != nil {
			return err
		}
		v := decodeVector(blob)
		if _, err := round.ExecContext(ctx, id, codes.Round(v)); err != nil {
			return err
		}
		if ids, units = append(ids, id), append(units, v); len(ids) == codes.BlockSize {
			if err := c.add(ctx, ids, units); err != nil {
				return err
			}
			ids, units = ids[:0], units[:0]
		}
	}
	if err := errors.Join(rows.Err(), c.add(ctx, ids, units)); err != nil {
		return err
	}
	return c.flush(ctx)
}

// coder changes the codes of one collection in one transaction. The block that it changed last is in memory until
// flush, or until another is changed.
type coder struct {
	tx         *sql.Tx
	collection int64
	dim        int
	number     int64
	block      *codes.Block // nil: the block in hand does not exist
}

// add codes the unit vectors of chunks.
func (c *coder) add(ctx context.Context, ids []int64, vectors [][]float32) error {
	for i, id := range ids {
		if err := c.open(ctx, codes.BlockOf(id)); err != nil {
			return err
		}
		if c.block == nil {
			before, err := c.before(ctx)
			if err != nil {
				return err
			}
			c.block = codes.New(c.number, before, vectors[i:])
		}
		c.block.Add(id, vectors[i])
	}
	return nil
}

// remove takes the codes of chunks out. Chunks that have none are passed over.
func (c *coder) remove(ctx context.Context, ids []int64) error {
	for len(ids) > 0 {
		if err := c.open(ctx, codes.BlockOf(ids[0])); err != nil {
			return err
		}
		n := 1
		for n < len(ids) && codes.BlockOf(ids[n]) == c.number {
			n++
		}
		if c.block != nil {
			c.block.Remove(ids[:n]...)
		}
		ids = ids[n:]
	}
	return nil
}

// open takes a block in hand, if it exists.
func (c *coder) open(ctx context.Context, number int64) error {
	if c.block != nil && c.number == number {
		return nil
	}
	if err := c.flush(ctx); err != nil {
		return err
	}
	c.number = number
	var err error
	c.block, err = readBlock(ctx, c.tx, c.collection, c.dim, "block = ?", number)
	return err
}

// before gives the block before the one in hand, if there is one.
func (c *coder) before(ctx context.Context) (*codes.Block, error) {
	return readBlock(ctx, c.tx, c.collection, c.dim, "block < ? ORDER BY block DESC LIMIT 1", c.number)
}

// readBlock gives the block of a collection that a condition on a number says, nil where there is none.
func readBlock(ctx context.Context, q querier, collection int64, dim int, where string, number int64) (*codes.Block, error) {
	var found int64
	var data []byte
	err := q.QueryRowContext(ctx, "SELECT block, codes FROM "+codesTable(collection)+" WHERE "+where, number).Scan(&found, &data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return codes.Parse(found, data, dim)
}

// flush stores the block in hand, or drops it where nothing is left in it.
func (c *coder) flush(ctx context.Context) error {
	if c.block == nil {
		return nil
	}
	var err error
	if c.block.Len() == 0 {
		_, err = c.tx.ExecContext(ctx, "DELETE FROM "+codesTable(c.collection)+" WHERE block = ?", c.number)
	} else {
		_, err = c.tx.ExecContext(ctx, "INSERT INTO "+codesTable(c.collection)+
			" (block, codes) VALUES (?1, ?2) ON CONFLICT (block) DO UPDATE SET codes = ?2", c.number, c.block.Bytes())
	}
	c.block = nil
	return err
}
