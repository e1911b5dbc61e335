package store

import (
	"context"
	"database/sql"
	"fmt"
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

// Lexical is Selection.Lexical of all passages of a collection.
func (s *Store) Lexical(ctx context.Context, collectionID int64, match string, k, every int) ([]Scored, error) {
	return s.Everything(collectionID).Lexical(ctx, match, k, every)
}

// Lexical gives the k best passages for an FTS5 MATCH expression, by BM25, best first, equal scores by id. The expression is
// language.Query.Match's; it is never made of raw text. Of the passages that match one in every is ranked, spread over
// the collection: ranking is what costs. 1 ranks them all.
func (sel Selection) Lexical(ctx context.Context, match string, k, every int) ([]Scored, error) {
	const what = "search the terms"
	if match == "" || k <= 0 {
		return nil, nil
	}
	fts := ftsTable(sel.collection)
	where, args := sel.where(match)
	args = append([]any{every}, append(args, k)...)
	rows, err := sel.store.readers.QueryContext(ctx, "SELECT rowid, bm25("+fts+", "+headWeight+", 1.0) AS score FROM "+fts+
		" WHERE (rowid * 2654435761 >> 16) % ? = 0 AND "+where+" ORDER BY score, rowid LIMIT ?", args...)
	if err != nil {
		return nil, sel.store.explain(what, err)
	}
	list, err := scanScored(rows, func(score float64) float64 { return -score })
	return list, sel.store.explain(what, err)
}

// TermFrequency says how many chunks of a collection hold each of the terms. Up to the given number it is exact. Above
// it is estimated from how soon in the collection so many were found, for counting them all takes as long as a search.
func (s *Store) TermFrequency(ctx context.Context, collectionID int64, terms []string, exact int) (map[string]int, error) {
	matches := make([]string, len(terms))
	for i, term := range terms {
		matches[i] = `"` + strings.ReplaceAll(term, `"`, `""`) + `"`
	}
	counts, err := s.MatchFrequency(ctx, collectionID, matches, exact)
	if err != nil {
		return nil, err
	}
	in := make(map[string]int, len(terms))
	for i, term := range terms {
		in[term] = counts[i]
	}
	return in, nil
}

// MatchFrequency is TermFrequency of MATCH expressions.
func (s *Store) MatchFrequency(ctx context.Context, collectionID int64, matches []string, exact int) ([]int, error) {
	return s.Everything(collectionID).MatchFrequency(ctx, matches, exact)
}

// MatchFrequency says likewise how many passages of the selection match each of some expressions.
func (sel Selection) MatchFrequency(ctx context.Context, matches []string, exact int) ([]int, error) {
	const what = "count matches"
	s, fts := sel.store, ftsTable(sel.collection)
	var first, last int64
	err := s.readers.QueryRowContext(ctx, fmt.Sprintf(
		"SELECT coalesce((SELECT min(id) FROM %[1]s_docsize), 0), coalesce((SELECT max(id) FROM %[1]s_docsize), 0)", fts)).
		Scan(&first, &last)
	if err != nil {
		return nil, s.explain(what, err)
	}
	where, _ := sel.where("")
	st, err := s.readers.PrepareContext(ctx, "SELECT count(*), coalesce(max(rowid), 0) FROM (SELECT rowid FROM "+
		fts+" WHERE "+where+" LIMIT ?)")
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer st.Close()
	counts := make([]int, len(matches))
	for i, match := range matches {
		var n int
		var at int64
		_, args := sel.where(match)
		if err := st.QueryRowContext(ctx, append(args, exact+1)...).Scan(&n, &at); err != nil {
			return nil, s.explain(what, err)
		}
		if n > exact {
			n = max(n, int(float64(n)*float64(last-first+1)/float64(at-first+1)))
		}
		counts[i] = n
	}
	return counts, nil
}

// AboutChunks is how many chunks a collection has, or more: the span of their ids, which costs nothing to know.
func (s *Store) AboutChunks(ctx context.Context, collectionID int64) (n int, err error) {
	err = s.readers.QueryRowContext(ctx, fmt.Sprintf(
		"SELECT coalesce((SELECT max(id) FROM %[1]s_docsize) - (SELECT min(id) FROM %[1]s_docsize) + 1, 0)", ftsTable(collectionID))).Scan(&n)
	return n, s.explain("count chunks", err)
}

// listed is up to how many selected passages a search has a list of: looking a row up there takes a sixth of the time
// that fanous_has does.
const listed = 5000

// where is the condition that a passage matches an expression and is selected.
func (sel Selection) where(match string) (string, []any) {
	where, args := ftsTable(sel.collection)+" MATCH ?", []any{match}
	if sel.only == nil {
		return where, args
	}
	if first, last, ok := sel.only.Bounds(); ok { // FTS5 leaves the rest unread
		where, args = where+" AND rowid BETWEEN ? AND ?", append(args, first, last)
	}
	if sel.only.Some() && sel.only.Named() <= listed { // FTS5 must not see the list, or it begins anew for each
		return where + " AND +rowid IN (SELECT value FROM json_each(?))", append(args, jsonIDs(sel.only.IDs()))
	}
	return where + " AND fanous_has(?, rowid)", append(args, sel.set())
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
	slices.SortStableFunc(list, CompareScored)
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
