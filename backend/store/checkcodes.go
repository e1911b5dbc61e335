package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fanous/backend/store/codes"
)

// checkCodes compares the codes of a collection with its vectors. Those that an older program stored have none
// yet.
func (s *Store) checkCodes(ctx context.Context, id int64, vectors int) error {
	ok, err := hasTable(ctx, s.readers, codesTable(id))
	if err != nil || !ok {
		return err
	}
	coded, err := s.countCodes(ctx, id)
	if err != nil {
		return damaged("check", s.path, err)
	}
	var rounded int
	if err := s.readers.QueryRowContext(ctx, "SELECT count(*) FROM "+roundedTable(id)).Scan(&rounded); err != nil {
		return err
	}
	if coded != vectors || rounded != vectors {
		return damaged("check", s.path, fmt.Errorf("%d vectors, but %d codes and %d rounded ones", vectors, coded, rounded))
	}
	rows, err := s.readers.QueryContext(ctx, fmt.Sprintf(
		"SELECT v.rowid, v.embedding, r.vector FROM vec_%[1]d v CROSS JOIN rounded_%[1]d r ON r.chunk_id = v.rowid", id))
	if err != nil {
		return err
	}
	defer rows.Close()
	var block *codes.Block
	number := int64(-1)
	for ; rows.Next(); vectors-- {
		var chunk int64
		var vector, rounded sql.RawBytes
		if err := rows.Scan(&chunk, &vector, &rounded); err != nil {
			return err
		}
		v := decodeVector(vector)
		if number != codes.BlockOf(chunk) {
			number = codes.BlockOf(chunk)
			if block, err = readBlock(ctx, s.readers, id, len(v), "block = ?", number); err != nil {
				return err
			}
		}
		if block == nil || !block.Holds(chunk, v) || !bytes.Equal(rounded, codes.Round(v)) {
			return damaged("check", s.path, fmt.Errorf("the code of chunk %d is not that of its vector", chunk))
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if vectors != 0 {
		return damaged("check", s.path, errors.New("codes of other chunks than the vectors"))
	}
	return nil
}

func (s *Store) countCodes(ctx context.Context, collection int64) (n int, err error) {
	dim, err := vectorDim(ctx, s.readers, collection)
	if err != nil {
		return 0, err
	}
	rows, err := s.readers.QueryContext(ctx, "SELECT block, codes FROM "+codesTable(collection))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		var data sql.RawBytes
		if err := rows.Scan(&number, &data); err != nil {
			return 0, err
		}
		b, err := codes.Parse(number, data, dim)
		if err != nil {
			return 0, err
		}
		n += b.Len()
	}
	return n, rows.Err()
}
