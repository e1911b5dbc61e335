package language_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/language/languagetest"
)

func TestOddQueries(t *testing.T) {
	x := newIndex(t, "foo bar, what's up: C++ C# .NET 38.101 state of the art", "ًٌٍ ـ 中 🙂 the")
	for _, c := range languagetest.Odds() {
		short := c.Query[:min(len(c.Query), 40)]
		q := language.ParseQuery(c.Query)
		if q.Empty() != c.Empty {
			t.Errorf("%q: empty %t, want %t", short, q.Empty(), c.Empty)
		}
		if (q.Match(nil) == "") != c.Empty {
			t.Errorf("%q: matches by %q", short, q.Match(nil))
		}
		x.search(t, q) // fails the test on an error
		if n := strings.Count(q.Match(nil), " OR "); n > 200 {
			t.Errorf("%q: %d alternatives", short, n)
		}
	}
}

func TestSyntax(t *testing.T) {
	for _, c := range languagetest.Syntaxes() {
		t.Run(c.Kind, func(t *testing.T) {
			q := language.ParseQuery(c.Query)
			got := newIndex(t, c.Docs...).search(t, q)
			slices.Sort(got)
			if !slices.Equal(got, c.Found) {
				t.Errorf("%s finds %v of %q, want %v; it asks %s", c.Query, got, c.Docs, c.Found, q.Match(nil))
			}
		})
	}
}

func TestPlain(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"what's up?", "what's up?"},
		{`the "exact phrase" here`, "the exact phrase here"},
		{"fox -quick", "fox"},
		{"-quick", "quick"},
		{`open "quote`, `open "quote`},
		{"  می‌خواهم  ", "می‌خواهم"},
		{"", ""},
	} {
		if got := language.ParseQuery(c.query).Plain(); got != c.want {
			t.Errorf("plain form of %q is %q, want %q", c.query, got, c.want)
		}
	}
}

func TestMatchSkips(t *testing.T) {
	common := func(term string) language.Part {
		if term == "the" || term == "of" {
			return language.Idle
		}
		return language.Finds
	}
	for _, c := range []struct{ query, want string }{
		{"house of the", `("hous")`},
		{"of the", `("of" OR "the")`},
		{`"of the" house`, `("of" + "the") AND ("hous")`},
	} {
		q := language.ParseQuery(c.query)
		got := strings.Join(slices.DeleteFunc(strings.Split(q.Match(common), " OR "), func(s string) bool {
			return strings.HasPrefix(s, `"~`)
		}), " OR ")
		if strings.Count(got, "(") > strings.Count(got, ")") {
			got += ")"
		}
		if got != c.want {
			t.Errorf("%q asks %s, want %s", c.query, got, c.want)
		}
	}
}

// A document of nine thousand words finds itself, though the query is cut, and the rare word is not what is cut.
func TestLongQueryKeepsRareWords(t *testing.T) {
	query := strings.Repeat("alpha beta gamma ", 300) + "zirconium"
	x := newIndex(t, "zirconium", "alpha")
	q := language.ParseQuery(query)
	if got := x.search(t, q); len(got) != 2 {
		t.Errorf("found %v", got)
	}
}

func TestPhraseHighlights(t *testing.T) {
	for _, c := range []struct {
		query, doc string
		want       []string
	}{
		{`"quick brown"`, "quick fox, the quick, brown fox", []string{"quick, brown"}},
		{`"می خواهم بروم"`, "بروم؟ من می‌خواهم بروم.", []string{"می‌خواهم بروم"}},
		{`"北京大学"`, "大学？北京大学。", []string{"北京大学"}},
		{"38.101", "38 and 38.101", []string{"38.101"}},
		{"fox -brown", "brown fox", []string{"fox"}},
	} {
		var got []string
		for _, h := range language.ParseQuery(c.query).Highlights(c.doc) {
			got = append(got, c.doc[h[0]:h[1]])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s marks %q in %q, want %q", c.query, got, c.doc, c.want)
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, c := range languagetest.Odds() {
		if len(c.Query) < 1000 {
			f.Add(c.Query, "foo bar")
		}
	}
	for _, c := range languagetest.Words() {
		f.Add(c.Query, c.Doc)
	}
	for _, c := range languagetest.Syntaxes() {
		f.Add(c.Query, c.Docs[0])
	}
	for _, query := range []string{
		`-type:pdf,docx OR file:"a b" x -lang:fa`, "پیش‌از:۱۴۰۲/۵/۱ در:عنوان بودجه", `in:heading a "b c" -d`, `a OR "b" | c OR`,
		`after:"5 مرداد ۱۴۰۲" before:2024-02-29`, "(file:**/x*?.pdf)",
	} {
		f.Add(query, "foo bar")
	}
	x := newIndex(f, "some text with 38.101 and C++")
	f.Fuzz(func(t *testing.T, query, doc string) {
		q := language.ParseQuery(query)
		x.search(t, q)
		if q.Empty() != (len(q.Terms()) == 0) {
			t.Errorf("empty %t with terms %q", q.Empty(), q.Terms())
		}
		checkFilters(t, query, q.Filters())
		q.Names(doc) // whatever the pattern and the name
		asked := make(map[string]bool)
		for _, term := range q.Terms() {
			checkTerm(t, term)
			asked[term] = true
		}
		end := 0
		for _, h := range q.Highlights(doc) {
			if h[0] < end || h[1] <= h[0] || h[1] > len(doc) || !onBoundary(doc, h[0]) || !onBoundary(doc, h[1]) {
				t.Fatalf("%q marks %v of %q", query, h, doc)
			}
			end = h[1]
			stands := slices.ContainsFunc(language.Terms(doc), func(w language.Term) bool {
				return asked[w.Text] && w.Start >= h[0] && w.End <= h[1]
			}) || slices.ContainsFunc(q.Terms(), func(term string) bool { // a lone mark is listed where it first stands
				return utf8.RuneCountInString(term) == 1 && strings.Contains(doc[h[0]:h[1]], term)
			})
			if !stands {
				t.Errorf("%q marks %q of %q, where none of %q stands", query, doc[h[0]:h[1]], doc, q.Terms())
			}
		}
	})
}

// checkFilters holds the ranges of filters to the query, and what is taken out of it to less.
func checkFilters(t *testing.T, query string, filters []domain.QueryFilter) {
	t.Helper()
	end := 0
	for i, f := range filters {
		r := f.Range
		if r[0] < end || r[1] <= r[0] || r[1] > len(query) || !onBoundary(query, r[0]) || !onBoundary(query, r[1]) {
			t.Fatalf("%q: filter %d is at %v", query, i, r)
		}
		if i == 0 && f.Or {
			t.Fatalf("%q: nothing is before an OR", query)
		}
		end = r[1]
		if less := language.Without(query, filters, i); len(less) >= len(query) || strings.Contains(less, "\uFFFD") != strings.Contains(query, "\uFFFD") && utf8.ValidString(query) {
			t.Fatalf("%q without %q is %q", query, query[r[0]:r[1]], less)
		}
	}
}

func onBoundary(s string, i int) bool {
	return i == len(s) || utf8.RuneStart(s[i]) || !utf8.ValidString(s)
}

func checkTerm(t *testing.T, term string) {
	t.Helper()
	if term == "" || !utf8.ValidString(term) || strings.ContainsFunc(term, func(r rune) bool {
		return r <= ' ' || r == '"' || r == 0x7F
	}) {
		t.Errorf("term %q", term)
	}
}

// What the terms of a query do, and how many passages they find at most.
func TestParts(t *testing.T) {
	in := map[string]int{"the": 900, "of": 800, "report": 300, "lantern": 3, "38": 50, "101": 20, "38101": 1}
	parts := map[string]language.Part{"the": language.Idle, "of": language.Joins, "report": language.Orders, "lantern": language.Finds}
	part := func(term string) language.Part {
		if p, ok := parts[term]; ok {
			return p
		}
		return language.Idle
	}
	for _, c := range []struct {
		query, want string
		rows        int
	}{
		{"lantern", `("lantern")`, 3},
		{"the lantern report", `("lantern") AND ("lantern" OR "report")`, 3},
		{"lantern of", `("lantern" OR ("of"))`, 803},
		{"38.101", `("38" + "101")`, 20},
		{`"report of" lantern`, `("report" + "of") AND ("lantern")`, 3},
		{`"report of" report`, `("report" + "of") AND ("report" OR ("report" + "of"))`, 300},
		{`lantern -report`, `(("lantern")) NOT ("report")`, 3},
	} {
		q := language.ParseQuery(c.query)
		if got := q.Match(part); got != c.want {
			t.Errorf("%q asks %s, want %s", c.query, got, c.want)
		}
		if got := q.Rows(part, func(term string) int { return in[term] }); got != c.rows {
			t.Errorf("%q finds at most %d, want %d", c.query, got, c.rows)
		}
	}
}
