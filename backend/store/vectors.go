package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/store/codes"
)

// maxK is vec0's own limit on the number of neighbours.
const maxK = 4096

// minNorm is the length below which a vector has no direction to speak of.
const minNorm = 1e-6

// unitVector gives the unit vector in v's direction. A vector that is not finite or nearly zero is refused, for it
// would come before or among exact matches.
func unitVector(v []float32, dim int) ([]float32, error) {
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
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / norm)
	}
	return unit, nil
}

// vectorBytes is a vector as vec0 stores it: float32, little endian.
func vectorBytes(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func decodeVector(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// vectorTable inserts into the vector tables of one collection, which it makes when they are first needed.
type vectorTable struct {
	dim    int
	insert *sql.Stmt
	round  *sql.Stmt
	codes  coder
	// Vectors that are inserted and not yet coded.
	ids   []int64
	units [][]float32
}

func openVectors(ctx context.Context, tx *sql.Tx, collection int64) (*vectorTable, error) {
	st, err := readStamp(ctx, tx)
	if err != nil {
		return nil, err
	}
	if st.Dim == 0 || st.Embedder == "" {
		return nil, fmt.Errorf("the index has no stamp of an embedder: call SetStamp before storing vectors")
	}
	for _, schema := range []string{fmt.Sprintf(vectorSchema, collection, st.Dim), fmt.Sprintf(codesSchema, collection)} {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return nil, err
		}
	}
	t := &vectorTable{dim: st.Dim, codes: coder{tx: tx, collection: collection, dim: st.Dim}}
	t.insert, err = tx.PrepareContext(ctx, "INSERT INTO "+vecTable(collection)+" (rowid, embedding) VALUES (?, ?)")
	if err != nil {
		return nil, err
	}
	t.round, err = prepareRounded(ctx, tx, collection)
	if err != nil {
		t.insert.Close()
		return nil, err
	}
	return t, nil
}

func (t *vectorTable) close() {
	t.insert.Close()
	t.round.Close()
}

// add stores the vector of a chunk; finish must follow.
func (t *vectorTable) add(ctx context.Context, chunkID int64, v []float32) error {
	unit, err := unitVector(v, t.dim)
	if err != nil {
		return err
	}
	if _, err := t.insert.ExecContext(ctx, chunkID, vectorBytes(unit)); err != nil {
		return err
	}
	if _, err := t.round.ExecContext(ctx, chunkID, codes.Round(unit)); err != nil {
		return err
	}
	t.ids, t.units = append(t.ids, chunkID), append(t.units, unit)
	return nil
}

// finish codes the vectors that were added.
func (t *vectorTable) finish(ctx context.Context) error {
	if err := t.codes.add(ctx, t.ids, t.units); err != nil {
		return fmt.Errorf("codes: %w", err)
	}
	t.ids, t.units = t.ids[:0], t.units[:0]
	return t.codes.flush(ctx)
}

func (p *putter) vector(ctx context.Context, chunkID int64, v []float32) error {
	if p.vectors == nil {
		var err error
		if p.vectors, err = openVectors(ctx, p.tx, p.collection); err != nil {
			return err
		}
	}
	return p.vectors.add(ctx, chunkID, v)
}

// MissingVectors gives up to limit chunks of a collection that have no vector, by id, from the one after
// the given id on. Only ID, DocumentID, Place and Text are needed to embed them, and all fields are filled.
func (s *Store) MissingVectors(ctx context.Context, collectionID, after int64, limit int) ([]domain.Chunk, error) {
	return s.chunks(ctx, "find chunks without a vector", `
		SELECT `+chunkColumns+` FROM unembedded u JOIN chunks c ON c.id = u.chunk_id
		WHERE u.collection_id = ? AND u.chunk_id > ? ORDER BY u.chunk_id LIMIT ?`, collectionID, after, limit)
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
		for _, id := range slices.Sorted(maps.Keys(vectors)) {
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
			if err := t.add(ctx, id, vectors[id]); err != nil {
				return fmt.Errorf("chunk %d: %w", id, err)
			}
		}
		return t.finish(ctx)
	})
}

// vectorDim is the length of the vectors of a collection, 0 where it has none.
func vectorDim(ctx context.Context, q querier, collection int64) (dim int, err error) {
	err = q.QueryRowContext(ctx, `
		SELECT coalesce((SELECT CAST(value AS INTEGER) FROM stamp WHERE key = 'dim'), 0)
			* EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)`, vecTable(collection)).Scan(&dim)
	return dim, err
}

// HasVectors says whether any passage of a collection has a vector.
func (s *Store) HasVectors(ctx context.Context, collectionID int64) (bool, error) {
	dim, err := vectorDim(ctx, s.readers, collectionID)
	if err != nil || dim == 0 {
		return false, s.explain("look for vectors", err)
	}
	var some bool
	err = s.readers.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+vecTable(collectionID)+")").Scan(&some)
	return some, s.explain("look for vectors", err)
}

// Vectors gives the stored unit vectors of chunks, nothing for those that have none.
func (s *Store) Vectors(ctx context.Context, collectionID int64, chunkIDs []int64) (map[int64][]float32, error) {
	const what = "read vectors"
	found := make(map[int64][]float32, len(chunkIDs))
	dim, err := vectorDim(ctx, s.readers, collectionID)
	if err != nil || dim == 0 {
		return found, s.explain(what, err)
	}
	rows, err := s.readers.QueryContext(ctx, "SELECT v.rowid, v.embedding FROM json_each(?) j CROSS JOIN "+
		vecTable(collectionID)+" v ON v.rowid = j.value", jsonIDs(chunkIDs)) // vec0 answers IN by reading everything
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
