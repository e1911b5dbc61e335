package extract

import (
	"strings"
	"testing"
	"time"
)

// TestMetadata: what documents say about themselves, in every format that can.
func TestMetadata(t *testing.T) {
	core := func(dates string) map[string]string {
		return map[string]string{"word/document.xml": `<w:document ` + wordNames + `><w:body>` + p("x") + `</w:body></w:document>`,
			"docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Title</dc:title><dc:creator>Author</dc:creator>` + dates + `</cp:coreProperties>`}
	}
	created, modified := `<dcterms:created>2020-01-02T03:04:05Z</dcterms:created>`, `<dcterms:modified>2024-05-01T08:30:00Z</dcterms:modified>`
	odf := func(meta string) map[string]string {
		return map[string]string{"meta.xml": `<office:document-meta ` + odfNames + ` xmlns:meta="m"><office:meta><dc:title>Title</dc:title>` + meta + `</office:meta></office:document-meta>`}
	}
	book := book(t, "<p>x", "<p>y", map[string]string{"OEBPS/book.opf": `<package xmlns:dc="d" xmlns:opf="o"><metadata><dc:title>Title</dc:title><dc:creator>Author</dc:creator>` +
		`<dc:date opf:event="modification">2001</dc:date><dc:date opf:event="publication">1999-03</dc:date></metadata><manifest><item id="a" href="text/a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`})
	page := func(meta string) string {
		return `<html><head><title>Title</title><meta name="Author" content="Author">` + meta + `</head><p>x</html>`
	}
	tests := []struct{ name, data, want string }{
		{"Office, changed", string(office(t, "word/document.xml", core(created+modified))), "2024-05-01 08:30:00"},
		{"Office, created", string(office(t, "word/document.xml", core(created))), "2020-01-02 03:04:05"},
		{"Office, changed before there were computers", string(office(t, "word/document.xml", core(created+`<dcterms:modified>1601-01-01T00:00:00Z</dcterms:modified>`))), "2020-01-02 03:04:05"},
		{"Office, none", string(office(t, "word/document.xml", core(""))), ""},
		{"OpenDocument", string(openDocument(t, "text", tp("x"), odf(`<dc:creator>Another</dc:creator><meta:initial-creator>Author</meta:initial-creator><meta:creation-date>2020-01-02T03:04:05.123</meta:creation-date><dc:date>2024-05-01T08:30:00.5</dc:date>`))), "2024-05-01 08:30:00"},
		{"OpenDocument, created", string(openDocument(t, "text", tp("x"), odf(`<dc:creator>Author</dc:creator><meta:creation-date>2020-01-02T03:04:05</meta:creation-date>`))), "2020-01-02 03:04:05"},
		{"book", string(book), "1999-03-01 00:00:00"},
		{"page", page(`<meta property="article:modified_time" content="2024-05-02"><meta property="article:published_time" content="2024-05-01T12:00:00+03:30">`), "2024-05-01 08:30:00"},
		{"page, changed", page(`<meta http-equiv="Last-Modified" content="Wed, 01 May 2024 08:30:00 GMT">`), "2024-05-01 08:30:00"},
		{"page, in another calendar", page(`<meta name="date" content="1403-02-12">`), ""},
		{"RTF", `{\rtf1{\info{\title Title}{\author Author}{\creatim\yr2020\mo1\dy2\hr3\min4}{\revtim\yr2024\mo5\dy1\hr8\min30}}x\par}`, "2024-05-01 08:30:00"},
		{"RTF, created", `{\rtf1{\info{\title Title}{\author Author}{\creatim\yr2020\mo1\dy2\hr3\min4}{\revtim\yr0\mo0\dy0}}x\par}`, "2020-01-02 03:04:00"},
		{"saved page", "From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\nSubject: Title\nDate: Wed, 1 May 2024 12:00:00 +0330\nMIME-Version: 1.0\nContent-Type: text/html\n\n" + page(""), "2024-05-01 08:30:00"},
		{"message", "From: Author\nTo: b\nSubject: Title\nDate: Wed, 1 May 2024 12:00:00 +0330\n\nx", "2024-05-01 08:30:00"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := extractBytes(t, []byte(test.data))
			got := ""
			if !c.Dated.IsZero() {
				got = c.Dated.UTC().Format(time.DateTime)
			}
			if err != nil || got != test.want || c.Title != "Title" || c.Author != "Author" {
				t.Errorf("%v: %q by %q, %s, want %s", err, c.Title, c.Author, got, test.want)
			}
		})
	}
	found := readAll(t, "a.md", []byte("---\ntitle: Title\nauthor: Author\ndate: 2024-05-01\n---\n\nx\n"))
	if c := found[0].Content; c.Title != "Title" || c.Author != "Author" || !c.Dated.Equal(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("Markdown: %+v", c)
	}
}

func TestFirstDate(t *testing.T) {
	for s, want := range map[string]string{
		"2024-05-01": "2024-05-01", "2024": "2024-01-01", " 2024-05 ": "2024-05-01", "20240501": "2024-05-01", "2024/05/01": "2024-05-01", "May 2024": "", "": "", "99": "",
		"2024-05-01T10:00": "2024-05-01", "1402-05-01": "", "0001-01-01T00:00:00Z": "", "Wed, 01 May 2024 08:30:00 GMT": "2024-05-01",
	} {
		got := ""
		if d := firstDate("nonsense", s); !d.IsZero() {
			got = d.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if d := firstDate(strings.Repeat("2024-", 100_000)); !d.IsZero() {
		t.Errorf("a long date: %v", d)
	}
}
