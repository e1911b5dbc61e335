package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"

	"fanous/backend/domain"
)

// maxK is vec0's own limit on the number of neighbours.
const maxK = 4096

// minNorm is the length below which a vector has no direction to speak of.
const minNorm = 1e-6

// encodeVector gives the unit vector in v's direction as vec0 stores it: float32, little endian. A vector that
// is not finite or nearly zero is refused, for it would come before or among exact matches.
func encodeVector(v []float32, dim int) ([]byte, error) {
	if len(v) != dim {
		return nil, fmt.Errorf("the vector has %d numbers, the index has %d", len(v), dim)
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	norm := math.Sqrt(sum)
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return nil, fmt.Errorf("the vector has a number that is not finite")
	}
	if norm < minNorm {
		return nil, fmt.Errorf("the vector is nearly zero (length %g)", norm)
	}
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(float64(x)/norm)))
	}
	return b, nil
}

func decodeVector(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// vectorTable inserts into the vector table of one collection, which it makes when it is first needed.
type vectorTable struct {
	dim    int
	insert *sql.Stmt
}

func openVectors(ctx context.Context, tx *sql.Tx, collection int64) (*vectorTable, error) {
	st, err := readStamp(ctx, tx)
	if err != nil {
		return nil, err
	}
	if st.Dim == 0 || st.Embedder == "" {
		return nil, fmt.Errorf("the index has no stamp of an embedder: call SetStamp before storing vectors")
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(vectorSchema, collection, st.Dim)); err != nil {
		return nil, err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO "+vecTable(collection)+" (rowid, embedding) VALUES (?, ?)")
	if err != nil {
		return nil, err
	}
	return &vectorTable{st.Dim, insert}, nil
}

func (t *vectorTable) close() { t.insert.Close() }

func (p *putter) vector(ctx context.Context, chunkID int64, v []float32) error {
	if p.vectors == nil {
		var err error
		if p.vectors, err = openVectors(ctx, p.tx, p.collection); err != nil {
			return err
		}
	}
	blob, err := encodeVector(v, p.vectors.dim)
	if err != nil {
		return err
	}
	_, err = p.vectors.insert.ExecContext(ctx, chunkID, blob)
	return err
}

// MissingVectors gives up to limit chunks of a collection that have no vector, by id, from the one after
// the given id on. Only ID, DocumentID, Place and Text are needed to embed them, and all fields are filled.
func (s *Store) MissingVectors(ctx context.Context, collectionID, after int64, limit int) ([]domain.Chunk, error) {
	const what = "find chunks without a vector"
	rows, err := s.readers.QueryContext(ctx, `
		SELECT `+chunkColumns+` FROM unembedded u JOIN chunks c ON c.id = u.chunk_id
		WHERE u.collection_id = ? AND u.chunk_id > ? ORDER BY u.chunk_id LIMIT ?`, collectionID, after, limit)
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	var list []domain.Chunk
	for rows.Next() {
		var c domain.Chunk
		if err := rows.Scan(chunkFields(&c)...); err != nil {
			return nil, s.explain(what, err)
		}
		list = append(list, c)
	}
	return list, s.explain(what, rows.Err())
}

// CountMissingVectors says how many chunks of a collection have no vector.
func (s *Store) CountMissingVectors(ctx context.Context, collectionID int64) (n int, err error) {
	err = s.readers.QueryRowContext(ctx, "SELECT count(*) FROM unembedded WHERE collection_id = ?", collectionID).Scan(&n)
	return n, s.explain("count chunks without a vector", err)
}

// PutVectors gives vectors to chunks that lack one. Chunks that are gone, or have one by now, are passed over.
func (w *Writer) PutVectors(ctx context.Context, collectionID int64, vectors map[int64][]float32) error {
	return w.s.write(ctx, "store vectors", func(tx *sql.Tx) error {
		t, err := openVectors(ctx, tx, collectionID)
		if err != nil {
			return err
		}
		defer t.close()
		for id, v := range vectors {
			blob, err := encodeVector(v, t.dim)
			if err != nil {
				return fmt.Errorf("chunk %d: %w", id, err)
			}
			res, err := tx.ExecContext(ctx, "DELETE FROM unembedded WHERE collection_id = ? AND chunk_id = ?", collectionID, id)
			if err != nil {
				return err
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				if err != nil {
					return err
				}
				continue
			}
			if _, err := t.insert.ExecContext(ctx, id, blob); err != nil {
				return fmt.Errorf("chunk %d: %w", id, err)
			}
		}
		return nil
	})
}

// vectorDim is the length of the vectors of a collection, 0 where it has none.
func vectorDim(ctx context.Context, q querier, collection int64) (dim int, err error) {
	err = q.QueryRowContext(ctx, `
		SELECT coalesce((SELECT CAST(value AS INTEGER) FROM stamp WHERE key = 'dim'), 0)
			* EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)`, vecTable(collection)).Scan(&dim)
	return dim, err
}

// Nearest gives the k chunks of a collection whose vectors are nearest to v, best first, with their cosine.
// It gives nothing where the collection has no vectors. k above 4096 counts as 4096.
func (s *Store) Nearest(ctx context.Context, collectionID int64, v []float32, k int) ([]Scored, error) {
	const what = "search the vectors"
	dim, err := vectorDim(ctx, s.readers, collectionID)
	if err != nil || dim == 0 || k <= 0 {
		return nil, s.explain(what, err)
	}
	blob, err := encodeVector(v, dim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	rows, err := s.readers.QueryContext(ctx, "SELECT rowid, distance FROM "+vecTable(collectionID)+
		" WHERE embedding MATCH ? AND k = ?", blob, min(k, maxK))
	if err != nil {
		return nil, s.explain(what, err)
	}
	list, err := scanScored(rows, func(distance float64) float64 {
		return 1 - distance*distance/2 // of unit vectors: |a-b|² = 2 - 2 cos
	})
	return list, s.explain(what, err)
}

// Vectors gives the stored unit vectors of chunks, nothing for those that have none.
func (s *Store) Vectors(ctx context.Context, collectionID int64, chunkIDs []int64) (map[int64][]float32, error) {
	const what = "read vectors"
	found := make(map[int64][]float32, len(chunkIDs))
	dim, err := vectorDim(ctx, s.readers, collectionID)
	if err != nil || dim == 0 {
		return found, s.explain(what, err)
	}
	rows, err := s.readers.QueryContext(ctx, "SELECT rowid, embedding FROM "+vecTable(collectionID)+
		" WHERE rowid IN (SELECT value FROM json_each(?))", jsonIDs(chunkIDs))
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var blob sql.RawBytes
		if err := rows.Scan(&id, &blob); err != nil {
			return nil, s.explain(what, err)
		}
		found[id] = decodeVector(blob)
	}
	return found, s.explain(what, rows.Err())
}
