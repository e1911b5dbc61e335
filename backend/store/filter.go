package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/backend/store/codes"
)

// Filter says which passages of a collection may be found. The zero value is all of them.
type Filter struct {
	// Conditions are of the kinds file, type, lang, before and after; others are passed over. Each holds, those of which the
	// later has Or as one; of several types and of several languages, where none is negated, one is enough. All that speak of
	// files hold for one of the places where a document's bytes are.
	Conditions []domain.QueryFilter
	With       []string // FTS5 expressions that a passage matches
	Without    []string // and that it does not
}

// Selection is the passages that a filter leaves of a collection, as they were when it was made.
type Selection struct {
	store      *Store
	collection int64
	only       *codes.Set // nil: all
}

// Everything selects all passages of a collection.
func (s *Store) Everything(collection int64) Selection { return Selection{s, collection, nil} }

// Select finds the passages of a collection that a filter leaves.
func (s *Store) Select(ctx context.Context, collectionID int64, f Filter) (Selection, error) {
	const what = "filter the passages"
	sel := s.Everything(collectionID)
	documents, languages := groups(f.Conditions)
	if len(documents) > 0 {
		where, args := documentsWhere(documents)
		// The ids of a document's chunks follow one another: the first is sooner found than all.
		err := sel.and(ctx, false, `
			SELECT fanous_set((SELECT id FROM chunks WHERE document_id = owner ORDER BY ordinal LIMIT 1), n)
			FROM (SELECT iif(d.same_as = 0, d.id, d.same_as) AS owner,
					iif(d.same_as = 0, d.chunks, (SELECT chunks FROM documents WHERE id = d.same_as)) AS n
				FROM documents d WHERE d.collection_id = ? AND `+where+`)`,
			append([]any{collectionID}, args...)...)
		if err != nil {
			return sel, s.explain(what, err)
		}
	}
	for _, group := range languages {
		if err := sel.written(ctx, group); err != nil {
			return sel, s.explain(what, err)
		}
	}
	return sel.Narrow(ctx, f.With, f.Without)
}

// Narrow is what of a selection matches all of some FTS5 expressions and none of others.
func (sel Selection) Narrow(ctx context.Context, with, without []string) (Selection, error) {
	fts := ftsTable(sel.collection)
	for i, match := range slices.Concat(with, without) {
		err := sel.and(ctx, i >= len(with), "SELECT fanous_set(rowid) FROM "+fts+" WHERE "+fts+" MATCH ?", match)
		if err != nil {
			return sel, sel.store.explain("filter the passages", err)
		}
	}
	return sel, nil
}

// and narrows the selection by the ids that a query collects, or by all but these.
func (sel *Selection) and(ctx context.Context, not bool, query string, args ...any) error {
	set, err := sel.store.set(ctx, query, args...)
	if err != nil {
		return err
	}
	if not {
		set = set.Not()
	}
	sel.narrow(set)
	return nil
}

func (sel *Selection) narrow(set codes.Set) {
	if sel.only != nil {
		set = sel.only.And(set)
	}
	sel.only = &set
}

// written narrows the selection by alternatives of languages.
func (sel *Selection) written(ctx context.Context, group []domain.QueryFilter) error {
	var any codes.Set
	for _, f := range group {
		tags, err := json.Marshal(f.Languages)
		if err != nil {
			return err
		}
		set, err := sel.store.set(ctx, `
			SELECT fanous_set(c.id) FROM documents d CROSS JOIN chunks c INDEXED BY chunks_language
				ON c.document_id = d.id AND c.language IN (SELECT value FROM json_each(?2))
			WHERE d.collection_id = ?1`, sel.collection, string(tags))
		if err != nil {
			return err
		}
		if f.Not {
			set = set.Not()
		}
		any = any.Or(set)
	}
	sel.narrow(any)
	return nil
}

// set reads the set that a query for fanous_set gives.
func (s *Store) set(ctx context.Context, query string, args ...any) (codes.Set, error) {
	var data []byte
	if err := s.readers.QueryRowContext(ctx, query, args...).Scan(&data); err != nil {
		return codes.Set{}, err
	}
	return codes.ParseSet(data)
}

// All says whether nothing was left out.
func (sel Selection) All() bool { return sel.only == nil }

// Count is how many passages the collection has, and how many of them are selected.
func (sel Selection) Count(ctx context.Context) (all, selected int, err error) {
	err = sel.store.readers.QueryRowContext(ctx, fmt.Sprintf("SELECT count(*) FROM %s_docsize", ftsTable(sel.collection))).Scan(&all)
	if err != nil {
		return 0, 0, sel.store.explain("count the passages", err)
	}
	switch {
	case sel.only == nil:
		return all, all, nil
	case sel.only.Some():
		return all, min(all, sel.only.Named()), nil
	}
	return all, max(0, all-sel.only.Named()), nil
}

// set is what fanous_has takes.
func (sel Selection) set() any {
	if sel.only == nil {
		return nil
	}
	return sel.only.Bytes()
}

// ids lists the selected passages.
func (sel Selection) ids(ctx context.Context) ([]int64, error) {
	if sel.only.Some() {
		return sel.only.IDs(), nil
	}
	every, err := sel.store.set(ctx, fmt.Sprintf("SELECT fanous_set(id) FROM %s_docsize", ftsTable(sel.collection)))
	return every.And(*sel.only).IDs(), err
}

// Newest gives the first selected passage of the documents with the latest dates, one each. A document has the date that it
// gives itself, else that of its file.
func (sel Selection) Newest(ctx context.Context, k int) ([]int64, error) {
	ids, err := queryIDs(ctx, sel.store.readers, `
		SELECT first FROM (SELECT `+dateColumn+` AS at, d.path AS path, d.member AS member,
			(SELECT c.id FROM chunks c WHERE c.document_id = d.id AND fanous_has(?2, c.id) ORDER BY c.ordinal LIMIT 1) AS first
			FROM documents d WHERE d.collection_id = ?1 AND d.chunks > 0)
		WHERE first IS NOT NULL ORDER BY at DESC, path, member LIMIT ?3`, sel.collection, sel.set(), k)
	return ids, sel.store.explain("list the newest passages", err)
}

// groups puts alternatives together, conditions on documents apart from those on languages.
func groups(conditions []domain.QueryFilter) (documents, languages [][]domain.QueryFilter) {
	var into *[][]domain.QueryFilter
	same := map[domain.FilterKind]int{} // where the alternatives of a kind are
	for _, f := range conditions {
		switch f.Kind {
		case domain.FilterLanguage:
			into = &languages
		case domain.FilterFile, domain.FilterType, domain.FilterBefore, domain.FilterAfter:
			into = &documents
		default:
			continue
		}
		at, known := same[f.Kind]
		if f.Or {
			at, known = len(*into)-1, len(*into) > 0
		}
		if (f.Or || !f.Not) && known {
			(*into)[at] = append((*into)[at], f)
			continue
		}
		*into = append(*into, []domain.QueryFilter{f})
		if !f.Not && (f.Kind == domain.FilterType || f.Kind == domain.FilterLanguage) {
			same[f.Kind] = len(*into) - 1
		}
	}
	return documents, languages
}

// documentsWhere is the condition of groups on the documents d.
func documentsWhere(groups [][]domain.QueryFilter) (string, []any) {
	var all []string
	var args []any
	for _, group := range groups {
		var any []string
		for _, f := range group {
			where, values := documentWhere(f)
			if f.Not {
				where = "NOT " + where
			}
			any, args = append(any, where), append(args, values...)
		}
		all = append(all, "("+strings.Join(any, " OR ")+")")
	}
	return strings.Join(all, " AND "), args
}

// dateColumn is the date of the document d, 0 where none is known.
const dateColumn = "iif(d.dated <> 0, d.dated, d.mod_time)"

func documentWhere(f domain.QueryFilter) (string, []any) {
	switch f.Kind {
	case domain.FilterFile:
		return "fanous_path(?, d.path, d.member)", []any{f.Value}
	case domain.FilterBefore:
		return "(" + dateColumn + " <> 0 AND " + dateColumn + " < ?)", []any{startOf(f.Date)}
	case domain.FilterAfter:
		return "(" + dateColumn + " <> 0 AND " + dateColumn + " >= ?)", []any{startOf(f.Date)}
	}
	any, args := []string{"FALSE"}, []any{}
	for _, format := range f.Formats {
		any, args = append(any, "d.format = ?"), append(args, format)
	}
	for _, ext := range f.Extensions {
		any, args = append(any, "d.path LIKE ? OR d.member LIKE ?"), append(args, "%."+ext, "%."+ext)
	}
	return "(" + strings.Join(any, " OR ") + ")", args
}

// startOf is when a day begins on this machine, as dates are stored.
func startOf(day string) int64 {
	t, err := time.ParseInLocation(time.DateOnly, day, time.Local)
	switch {
	case err != nil || t.Year() > 2261: // what the number can hold
		return math.MaxInt64
	case t.Year() < 1679:
		return math.MinInt64
	}
	return t.UnixNano()
}
