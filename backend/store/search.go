package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Scored is a chunk with the score of one arm, higher is better: BM25, or a cosine.
type Scored struct {
	ChunkID int64
	Score   float64
}

// headWeight is how much a term in the title or the heading counts beside one in the text.
const headWeight = "1.0"

// Lexical gives the k best chunks of a collection for an FTS5 MATCH expression, by BM25, best first, equal
// scores by id. The expression is language.Query.Match's; it is never made of raw text.
func (s *Store) Lexical(ctx context.Context, collectionID int64, match string, k int) ([]Scored, error) {
	const what = "search the terms"
	if match == "" || k <= 0 {
		return nil, nil
	}
	fts := ftsTable(collectionID)
	rows, err := s.readers.QueryContext(ctx, "SELECT rowid, bm25("+fts+", "+headWeight+", 1.0) AS score FROM "+fts+
		" WHERE "+fts+" MATCH ? ORDER BY score, rowid LIMIT ?", match, k)
	if err != nil {
		return nil, s.explain(what, err)
	}
	list, err := scanScored(rows, func(score float64) float64 { return -score })
	return list, s.explain(what, err)
}

// TermFrequency says how many chunks of a collection hold each of the terms.
func (s *Store) TermFrequency(ctx context.Context, collectionID int64, terms []string) (map[string]int, error) {
	const what = "count terms"
	in := make(map[string]int, len(terms))
	st, err := s.readers.PrepareContext(ctx, "SELECT doc FROM "+vocabTable(collectionID)+" WHERE term = ?")
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer st.Close()
	for _, term := range terms {
		var n int
		err := st.QueryRowContext(ctx, term).Scan(&n)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, s.explain(what, err)
		}
		in[term] = n
	}
	return in, nil
}

// scanScored reads and closes rows of (id, value), in order of falling score, equal scores by id.
func scanScored(rows *sql.Rows, score func(float64) float64) ([]Scored, error) {
	defer rows.Close()
	var list []Scored
	for rows.Next() {
		var id int64
		var value float64
		if err := rows.Scan(&id, &value); err != nil {
			return nil, err
		}
		list = append(list, Scored{id, score(value)})
	}
	slices.SortStableFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ChunkID, b.ChunkID))
	})
	return list, rows.Err()
}

// jsonIDs makes the argument of json_each.
func jsonIDs(ids []int64) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	b.WriteByte(']')
	return b.String()
}
