package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"modernc.org/sqlite"

	"fanous/backend/store/codes"
)

const (
	// scannedBlocks is up to how many blocks of codes a collection is searched by all its vectors instead: a few
	// milliseconds.
	scannedBlocks = 4
	// codedDim is the least length of vectors whose codes say enough.
	codedDim = 128
	// oversample is how many vectors are compared for each that is asked for, and minCompared how many at least;
	// decisions/retrieval-at-size.md has the recall.
	oversample  = 8
	minCompared = 320
	// maxParts is in how many parts at once a collection is searched at most.
	maxParts = 4
)

// Nearest gives the k chunks of a collection whose vectors are nearest to v, best first, with their cosine.
// It gives nothing where the collection has no vectors. k above 4096 counts as 4096. In a large collection they are
// found by their codes, which miss one in some hundreds.
func (s *Store) Nearest(ctx context.Context, collectionID int64, v []float32, k int) ([]Scored, error) {
	const what = "search the vectors"
	dim, err := vectorDim(ctx, s.readers, collectionID)
	if err != nil || dim == 0 || k <= 0 {
		return nil, s.explain(what, err)
	}
	unit, err := unitVector(v, dim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	query := vectorBytes(unit)
	k = min(k, maxK)
	parts, err := s.codeParts(ctx, collectionID, dim)
	if err != nil {
		return nil, s.explain(what, err)
	}
	if len(parts) > 0 {
		// Codes that can not be read are no reason to find nothing: the vectors are there.
		if list, err := s.nearestByCodes(ctx, collectionID, parts, query, k); err == nil || ctx.Err() != nil {
			return list, s.explain(what, err)
		}
	}
	list, err := s.nearestOfAll(ctx, collectionID, query, k)
	return list, s.explain(what, err)
}

// nearestOfAll compares every vector.
func (s *Store) nearestOfAll(ctx context.Context, collection int64, query []byte, k int) ([]Scored, error) {
	rows, err := s.readers.QueryContext(ctx, "SELECT rowid, distance FROM "+vecTable(collection)+
		" WHERE embedding MATCH ? AND k = ?", query, k)
	if err != nil {
		return nil, err
	}
	return scanScored(rows, func(distance float64) float64 {
		return 1 - distance*distance/2 // of unit vectors: |a-b|² = 2 - 2 cos
	})
}

// codeParts divides the blocks of codes of a collection in ranges, one a core. It gives none where there are no codes,
// or they would save nothing.
func (s *Store) codeParts(ctx context.Context, collection int64, dim int) ([][2]int64, error) {
	if dim < codedDim {
		return nil, nil
	}
	ok, err := hasTable(ctx, s.readers, codesTable(collection))
	if err != nil || !ok {
		return nil, err
	}
	var first, end int64
	err = s.readers.QueryRowContext(ctx, fmt.Sprintf(`
		SELECT coalesce((SELECT min(block) FROM %[1]s), 0), coalesce((SELECT max(block) + 1 FROM %[1]s), 0)`,
		codesTable(collection))).Scan(&first, &end)
	if err != nil || end-first <= scannedBlocks {
		return nil, err
	}
	n := int64(min(maxParts, runtime.GOMAXPROCS(0)))
	parts := make([][2]int64, n)
	for i := range n {
		parts[i] = [2]int64{first + (end-first)*i/n, first + (end-first)*(i+1)/n}
	}
	return parts, nil
}

// nearestByCodes searches the parts at once. Each compares the rounded vectors of the best by their codes.
func (s *Store) nearestByCodes(ctx context.Context, collection int64, parts [][2]int64, query []byte, k int) ([]Scored, error) {
	lists, errs := make([][]Scored, len(parts)), make([]error, len(parts))
	var all sync.WaitGroup
	for i, part := range parts {
		all.Go(func() { lists[i], errs[i] = s.nearestInPart(ctx, collection, part, query, k) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	list := slices.Concat(lists...)
	slices.SortFunc(list, CompareScored)
	return list[:min(k, len(list))], nil
}

func (s *Store) nearestInPart(ctx context.Context, collection int64, part [2]int64, query []byte, k int) ([]Scored, error) {
	rows, err := s.codes.QueryContext(ctx, `
		SELECT r.chunk_id, fanous_cosine(?1, r.vector) AS cosine
		FROM json_each((SELECT fanous_nearest(?1, ?2, block, codes) FROM `+codesTable(collection)+` WHERE block >= ?3 AND block < ?4)) j
		CROSS JOIN `+roundedTable(collection)+` r ON r.chunk_id = j.value
		ORDER BY cosine DESC, r.chunk_id LIMIT ?5`, query, max(oversample*k, minCompared), part[0], part[1], k)
	if err != nil {
		return nil, err
	}
	return scanScored(rows, func(cosine float64) float64 { return cosine })
}

// CompareScored orders by falling score, equal scores by id.
func CompareScored(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ChunkID, b.ChunkID))
}

// registerCodes gives a driver the SQL functions of the codes. They read vectors and codes where SQLite has them in
// memory, and keep nothing of them.
//
//   - fanous_nearest(query, keep, block, codes) is an aggregate: the ids of the vectors that are nearest to a query
//     by their codes, as a JSON array, best first;
//   - fanous_cosine(query, rounded) is the cosine of a query with a rounded vector.
func registerCodes(d *sqlite.Driver) {
	d.MustRegisterFunction("fanous_nearest", &sqlite.FunctionImpl{
		NArgs: 4, VolatileArgs: true,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return &nearest{}, nil },
	})
	d.MustRegisterFunction("fanous_cosine", &sqlite.FunctionImpl{
		NArgs: 2, VolatileArgs: true, Deterministic: true,
		Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			query, _ := args[0].([]byte)
			rounded, _ := args[1].([]byte)
			return codes.Cosine(query, rounded)
		},
	})
}

// nearest is one run of fanous_nearest.
type nearest struct{ search *codes.Search }

func (n *nearest) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	if n.search == nil {
		query, _ := args[0].([]byte)
		keep, _ := args[1].(int64)
		n.search = codes.NewSearch(decodeVector(query), int(keep))
	}
	block, _ := args[2].(int64)
	data, _ := args[3].([]byte)
	return n.search.Block(block, data)
}

func (n *nearest) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	return fmt.Errorf("fanous_nearest is no window function")
}

func (n *nearest) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if n.search == nil {
		return "[]", nil
	}
	list := []byte{'['}
	for i, c := range n.search.Best() {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, c.ID, 10)
	}
	return string(append(list, ']')), nil
}

func (n *nearest) Final(*sqlite.FunctionContext) {}
