package language_test

import (
	"database/sql"
	"testing"

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

func TestSmoke(t *testing.T) {
	for _, c := range []struct{ doc, query string }{
		{"من می‌خواهم بروم", "میخواهم"}, {"من میخواهم بروم", "می خواهم"}, {"من می خواهم بروم", "می‌خواهم"},
		{"مُحَمَّد", "محمد"}, {"كتاب", "کتاب‌ها"}, {"我喜欢北京烤鸭", "烤鸭"}, {"costs 38.101 now", "38.101"}, {"C++", "c++"},
	} {
		x := newIndex(t, c.doc)
		q := language.ParseQuery(c.query)
		if got := x.search(t, q); len(got) != 1 {
			t.Errorf("%q does not find %q: %s in %s", c.query, c.doc, q.Match(nil), language.AppendTerms(nil, c.doc))
		}
		if h := q.Highlights(c.doc); len(h) == 0 {
			t.Errorf("%q marks nothing in %q", c.query, c.doc)
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"what's up?", "C++", `"foo`, "-foo", "a -b \"c d\"", "\x00\xff", "((((", "38.101", "می خواهم", "中", "👍🏽"} {
		f.Add(s)
	}
	x := newIndex(f, "some text with 38.101 and C++")
	f.Fuzz(func(t *testing.T, s string) {
		q := language.ParseQuery(s)
		x.search(t, q)
		q.Highlights(s)
	})
}
