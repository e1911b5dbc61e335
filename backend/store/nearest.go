package store

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
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

// Nearest is Selection.Nearest of all passages of a collection.
func (s *Store) Nearest(ctx context.Context, collectionID int64, v []float32, k int) ([]Scored, error) {
	return s.Everything(collectionID).Nearest(ctx, v, k)
}

// Nearest gives the k passages whose vectors are nearest to v, best first, with their cosine. It gives nothing where the
// collection has no vectors. k above 4096 counts as 4096. In a large collection they are found by their codes, which
// miss one in some hundreds.
func (sel Selection) Nearest(ctx context.Context, v []float32, k int) ([]Scored, error) {
	const what = "search the vectors"
	s := sel.store
	dim, err := vectorDim(ctx, s.readers, sel.collection)
	if err != nil || dim == 0 || k <= 0 {
		return nil, s.explain(what, err)
	}
	unit, err := unitVector(v, dim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	query := vectorBytes(unit)
	k = min(k, maxK)
	parts, err := s.codeParts(ctx, sel.collection, dim)
	if err != nil {
		return nil, s.explain(what, err)
	}
	if len(parts) > 0 {
		// Codes that can not be read are no reason to find nothing: the vectors are there.
		if list, err := sel.nearestByCodes(ctx, parts, query, k); err == nil || ctx.Err() != nil {
			return list, s.explain(what, err)
		}
	}
	list, err := sel.nearestOfAll(ctx, query, k)
	return list, s.explain(what, err)
}

// nearestOfAll compares every vector.
func (sel Selection) nearestOfAll(ctx context.Context, query []byte, k int) ([]Scored, error) {
	where, args := "", []any{query, k}
	if sel.only != nil {
		ids, err := sel.ids(ctx)
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		where, args = " AND rowid IN (SELECT value FROM json_each(?))", append(args, jsonIDs(ids))
	}
	rows, err := sel.store.readers.QueryContext(ctx, "SELECT rowid, distance FROM "+vecTable(sel.collection)+
		" WHERE embedding MATCH ? AND k = ?"+where, args...)
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

// compared is how many vectors are compared for the k that are asked for.
func compared(k int) int { return max(oversample*k, minCompared) }

// nearestByCodes searches the parts at once. Each compares the rounded vectors of the best by their codes. A selection
// of no more passages than that has all of them compared.
func (sel Selection) nearestByCodes(ctx context.Context, parts [][2]int64, query []byte, k int) ([]Scored, error) {
	if sel.only != nil && sel.only.Some() && sel.only.Named() <= compared(k)*len(parts) {
		return sel.nearestRounded(ctx, "json_each(?2)", query, k, jsonIDs(sel.only.IDs()))
	}
	set := sel.set()
	lists, errs := make([][]Scored, len(parts)), make([]error, len(parts))
	var all sync.WaitGroup
	for i, part := range parts {
		all.Go(func() {
			lists[i], errs[i] = sel.nearestRounded(ctx, "json_each((SELECT fanous_nearest(?1, ?2, block, codes, ?5) FROM "+
				codesTable(sel.collection)+" WHERE block >= ?3 AND block < ?4 AND fanous_block(?5, block)))",
				query, k, compared(k), part[0], part[1], set)
		})
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

// nearestRounded compares the rounded vectors of the ids that an expression lists. Its arguments are numbered from 2.
func (sel Selection) nearestRounded(ctx context.Context, ids string, query []byte, k int, args ...any) ([]Scored, error) {
	args = append(append([]any{query}, args...), k)
	rows, err := sel.store.codes.QueryContext(ctx, fmt.Sprintf(`
		SELECT r.chunk_id, fanous_cosine(?1, r.vector) AS cosine
		FROM %s j CROSS JOIN %s r ON r.chunk_id = j.value
		ORDER BY cosine DESC, r.chunk_id LIMIT ?%d`, ids, roundedTable(sel.collection), len(args)), args...)
	if err != nil {
		return nil, err
	}
	return scanScored(rows, func(cosine float64) float64 { return cosine })
}

// CompareScored orders by falling score, equal scores by id.
func CompareScored(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ChunkID, b.ChunkID))
}
