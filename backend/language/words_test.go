package language_test

import (
	"database/sql"
	"slices"
	"testing"

	"fanous/backend/language/languagetest"

	_ "modernc.org/sqlite"

	"fanous/backend/language"
)

// index is a real FTS5 table set up as the store sets up its own.
type index struct{ db *sql.DB }

func newIndex(t testing.TB, docs ...string) index {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("CREATE VIRTUAL TABLE t USING fts5(body, tokenize=\"ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\\]^_`{|}~'\")"); err != nil {
		t.Fatal(err)
	}
	for i, d := range docs {
		if _, err := db.Exec("INSERT INTO t(rowid, body) VALUES (?, ?)", i, string(language.AppendTerms(nil, d))); err != nil {
			t.Fatal(err)
		}
	}
	return index{db}
}

// search gives the documents that match, best first.
func (x index) search(t testing.TB, q language.Query) []int {
	t.Helper()
	if q.Empty() {
		return nil
	}
	rows, err := x.db.Query("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank", q.Match(nil))
	if err != nil {
		t.Fatalf("%s: %v", q.Match(nil), err)
	}
	defer rows.Close()
	var out []int
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		out = append(out, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", q.Match(nil), err)
	}
	return out
}

func TestWords(t *testing.T) {
	for _, c := range languagetest.Words() {
		t.Run(c.Kind, func(t *testing.T) {
			q := language.ParseQuery(c.Query)
			got := newIndex(t, c.Doc).search(t, q)
			if (len(got) == 1) != c.Found {
				t.Fatalf("%q finds %q: %t, want %t\nquery %s\nindex %s",
					c.Query, c.Doc, !c.Found, c.Found, q.Match(nil), language.AppendTerms(nil, c.Doc))
			}
			if !c.Found || c.Highlights == nil {
				return
			}
			var marked []string
			for _, h := range q.Highlights(c.Doc) {
				marked = append(marked, c.Doc[h[0]:h[1]])
			}
			if !slices.Equal(marked, c.Highlights) {
				t.Errorf("%q marks %+q in %q, want %+q", c.Query, marked, c.Doc, c.Highlights)
			}
		})
	}
}
