package language_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// show writes a filter as "-type(pdf)=[pdf]", an OR before it as a bar.
func show(f domain.QueryFilter) string {
	var b strings.Builder
	if f.Or {
		b.WriteByte('|')
	}
	if f.Not {
		b.WriteByte('-')
	}
	fmt.Fprintf(&b, "%s(%s)", f.Kind, f.Value)
	if list := slices.Concat(f.Formats, f.Extensions, f.Languages); len(list) > 0 {
		fmt.Fprint(&b, "=", list)
	}
	if f.Date != "" {
		b.WriteString("=" + f.Date)
	}
	return b.String()
}

func TestFilters(t *testing.T) {
	for _, c := range []struct{ query, words, want string }{
		{"budget type:pdf", "budget", "type(pdf)=[pdf]"},
		{"type:PDF budget", "budget", "type(PDF)=[pdf]"},
		{"-type:pdf budget", "budget", "-type(pdf)=[pdf]"},
		{"type:pdf,docx budget", "budget", "type(pdf,docx)=[pdf docx]"},
		{"type:pdf OR type:docx budget", "budget", "type(pdf)=[pdf] |type(docx)=[docx]"},
		{"type:pdf | type:docx | file:x", "", "type(pdf)=[pdf] |type(docx)=[docx] |file(x)"},
		{"type:mail", "", "type(mail)=[eml msg mbox mbox]"},
		{"(type:pdf) budget", "budget", "type(pdf)=[pdf]"},
		{"type:py def", "def", "type(py)=[py]"},
		{"نوع:تصویر بودجه", "بودجه", "type(تصویر)=[image]"},
		{"نوع:صفحه‌گسترده بودجه", "بودجه", "type(صفحه‌گسترده)=[xlsx ods csv]"},
		{"lang:fa budget", "budget", "lang(fa)=[fa]"},
		{"lang:Persian lang:per lang:فارسی x", "x", "lang(Persian)=[fa] lang(per)=[fa] lang(فارسی)=[fa]"},
		{"زبان:عربي x", "x", "lang(عربي)=[ar]"},
		{"lang:deutsch -lang:en x", "x", "lang(deutsch)=[de] -lang(en)=[en]"},
		{"lang:no,ku", "", "lang(no,ku)=[nb ckb kmr]"},
		{"file:report budget", "budget", "file(report)"},
		{`file:"annual report.pdf" budget`, "budget", "file(annual report.pdf)"},
		{`file:C:\docs\*.pdf -file:old*`, "", `file(C:\docs\*.pdf) -file(old*)`},
		{"file:report(1).pdf", "", "file(report(1).pdf)"},
		{"پرونده:گزارش بودجه", "بودجه", "file(گزارش)"},
		{"پیش‌از:۱۴۰۲ پس‌از:1401-05 x", "x", "before(۱۴۰۲)=2023-03-21 after(1401-05)=2022-07-23"},
		{"before:2024 after:2023-02", "", "before(2024)=2024-01-01 after(2023-02)=2023-02-01"},
		{"after:2024-02-29 x", "x", "after(2024-02-29)=2024-02-29"},
		{"after:۱۴۰۲/۵/۱ x", "x", "after(۱۴۰۲/۵/۱)=2023-07-23"},
		{"after:١٤٠٢/٥/١ x", "x", "after(١٤٠٢/٥/١)=2023-07-23"},
		{`after:"مرداد ۱۴۰۲" before:"5 May 2024"`, "", "after(مرداد ۱۴۰۲)=2023-07-23 before(5 May 2024)=2024-05-05"},
		{"after:1403-12-30 x", "x", "after(1403-12-30)=2025-03-20"},
		{"in:heading budget", "budget", "heading(budget)"},
		{`lantern in:heading "annual report" the end type:pdf`, "lantern annual report the end", "heading(annual report) type(pdf)=[pdf]"},
		{"in:heading type:pdf a OR b end in:heading c", "a b end c", "heading(a b) type(pdf)=[pdf] heading(c)"},
		{"the budget in:heading", "the budget", "heading(the budget)"},
		{"in:heading -draft budget", "budget", "heading(draft) -word(draft)"},
		{"budget -in:heading draft", "budget", "-heading(draft)"},
		{"در:عنوان بودجه", "بودجه", "heading(بودجه)"},
		{`"annual report" -draft`, "annual report", "phrase(annual report) -word(draft)"},
		{"“annual report” file:“my plan” -“old plan”", "annual report", "phrase(annual report) file(my plan) -phrase(old plan)"},
		{"“open x", "“open x", ""},
		{"cats OR dogs", "cats dogs", "any(cats OR dogs)"},
		{`fox "a b" OR dogs | cow end`, "fox a b dogs cow end", `any("a b" OR dogs | cow)`},
		{"type:pdf -draft", "", "type(pdf)=[pdf] -word(draft)"},

		// Words, every one.
		{"type: pdf", "type: pdf", ""},
		{"type:pdff x", "type:pdff x", ""},
		{"type:pdf,nonsense", "type:pdf,nonsense", ""},
		{"lang:xx after:yesterday before:1402-13 after:2023-02-30 before:99", "lang:xx after:yesterday before:1402-13 after:2023-02-30 before:99", ""},
		{"after:1403-مرداد-۴۰ after:1550 after:1402-12-30 after:may-may-2020", "after:1403-مرداد-۴۰ after:1550 after:1402-12-30 after:may-may-2020", ""},
		{"file: file:* file:** x", "file: file:* file:** x", ""},
		{`file:"open x`, `x`, `file(open)`},
		{"in:heading", "in:heading", ""},
		{"in:heading type:pdf", "in:heading", "type(pdf)=[pdf]"},
		{"in:2024 http://a.b:80 12:30 re:budget", "in:2024 http://a.b:80 12:30 re:budget", ""},
		{"xtype:pdf x-type:pdf", "xtype:pdf x-type:pdf", ""},
		{"OR", "OR", ""},
		{"OR OR", "OR OR", ""},
		{"Salem OR", "Salem OR", ""},
		{"OR gate", "OR gate", ""},
		{"cats or dogs", "cats or dogs", ""},
		{"budget OR type:pdf", "budget OR", "type(pdf)=[pdf]"},
		{"cats OR -dogs", "cats OR", "-word(dogs)"},
		{"lang:fa OR type:pdf x", "OR x", "lang(fa)=[fa] type(pdf)=[pdf]"},
	} {
		q := language.ParseQuery(c.query)
		var got []string
		for _, f := range q.Filters() {
			got = append(got, show(f))
		}
		if strings.Join(got, " ") != c.want || q.Plain() != c.words {
			t.Errorf("%s\n is %q and %q\nwant %q and %q", c.query, strings.Join(got, " "), q.Plain(), c.want, c.words)
		}
	}
}

// However long a query, what is asked of the index is not.
func TestSyntaxIsBounded(t *testing.T) {
	for _, piece := range []string{"a%d OR b ", "type:pdf OR ", `"a%d b" | `, "in:heading a%d ", "-a%d b ", "-file:a%d "} {
		var b strings.Builder
		for i := range 3000 {
			b.WriteString(strings.ReplaceAll(piece, "%d", fmt.Sprint(i)))
		}
		q := language.ParseQuery(b.String())
		with, without := q.Phrases()
		in, notIn := q.Headings()
		asked := strings.Join(slices.Concat(with, in, []string{without, notIn, q.Match(nil)}), "")
		if len(q.Filters()) > 64 || strings.Count(asked, `"`) > 5000 {
			t.Errorf("%s: %d filters, and %d bytes are asked", piece, len(q.Filters()), len(asked))
		}
	}
}

func TestWithout(t *testing.T) {
	for query, want := range map[string]string{
		"a type:pdf b":                       "a b",
		"type:pdf":                           "",
		"type:pdf OR type:docx a":            "type:docx a",
		"a in:heading b":                     "a b",
		"a پرونده:گزارش b":                   "a b",
		`"annual report" x`:                  "x",
		"a OR b c":                           "c",
		"type:nonsense lang:fa OR lang:en c": "type:nonsense lang:en c",
	} {
		if got := language.Without(query, language.ParseQuery(query).Filters(), 0); got != want {
			t.Errorf("%q without its filter is %q, want %q", query, got, want)
		}
	}
	q := "a type:pdf OR type:docx OR type:eml b"
	if got := language.Without(q, language.ParseQuery(q).Filters(), 1); got != "a type:pdf OR type:eml b" {
		t.Error(got)
	}
}

func TestPathPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		matches       bool
	}{
		{"report", "/data/Reports/a.pdf", true},
		{"REPORT", "/data/reports/a.pdf", true},
		{"reports/a", "/data/reports/a.pdf", true},
		{`reports\a`, "/data/reports/a.pdf", true},
		{"reports/a", `C:\data\Reports\a.pdf`, true},
		{"budget", "/data/Inbox.mbox/0007 Re: Budget/plan.xlsx", true},
		{"*.pdf", "/data/reports/a.pdf", true},
		{"*.pdf", "/data/reports/a.pdf.txt", false},
		{"*.zip", "/data/a.zip/b.txt", true},
		{"report*", "/data/my-reports/a.pdf", false},
		{"report*", "/data/reports/a.pdf", true},
		{"reports/*.pdf", "/data/reports/a.pdf", true},
		{"reports/*.pdf", "/data/reports/old/a.pdf", false},
		{"reports/**.pdf", "/data/reports/old/a.pdf", true},
		{"/data/*", "/data/reports/a.pdf", true},
		{"/reports/*", "/data/reports/a.pdf", false},
		{"a?c.txt", "/abc.txt", true},
		{"a?c.txt", "/abbc.txt", false},
		{"[draft]*", "/[draft] plan.txt", true},
		{"a.c", "/abc", false},
		{"a.*", "/abc", false},
		{"گزارش", "/گزارش‌ها/الف.pdf", true},
		{"گزارشها", "/گزارش‌ها/الف.pdf", true},
		{"كتاب", "/کتاب.txt", true},
		{"1402", "/گزارش ۱۴۰۲.pdf", true},
		{"caf\u00e9", "/cafe\u0301.txt", true},
		{"*ها", "/گزارش‌ها/الف.pdf", true},
	} {
		if got := language.NewPathPattern(c.pattern).Matches(c.name); got != c.matches {
			t.Errorf("file:%s matches %s: %v", c.pattern, c.name, got)
		}
	}
}
