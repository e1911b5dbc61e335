package extract

import (
	"context"
	"errors"
	"strings"
	"testing"
)

const odfNames = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"`

// openDocument makes a document of the kind "text", "spreadsheet" or "presentation" with this body.
func openDocument(t testing.TB, kind, body string, parts map[string]string) []byte {
	files := map[string]string{
		"mimetype": "application/vnd.oasis.opendocument." + kind,
		"meta.xml": `<office:document-meta ` + odfNames + `><office:meta><dc:title>The title</dc:title><dc:creator>The author</dc:creator></office:meta></office:document-meta>`,
		"content.xml": `<office:document-content ` + odfNames + `><office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/><style:style style:name="P2" style:parent-style-name="Heading_20_2"/>` +
			`<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:` + kind + `>` + body + `</office:` + kind + `></office:body></office:document-content>`,
	}
	for name, content := range parts {
		files[name] = content
	}
	return archive(t, files)
}

func tp(text string) string { return `<text:p>` + text + `</text:p>` }

func TestODT(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"headings", `<text:p text:style-name="P1">T</text:p><text:h text:outline-level="1">A</text:h>` + tp("a") + `<text:h text:outline-level="2">B</text:h>` + tp("b"),
			"h1 [T] T\nh1 [A] A\np [A] a\nh2 [A › B] B\np [A › B] b\n"},
		{"headings by style", `<text:p text:style-name="P2">A</text:p>` + tp("a"), "h2 [A] A\np [A] a\n"},
		{"spaces, tabs, breaks", tp(`a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d` + "\n   e <text:span> f</text:span>"), "p [] a   b\tc⏎d e f\n"},
		{"lists", `<text:list><text:list-item>` + tp("a") + `<text:list><text:list-item>` + tp("b") + `</text:list-item></text:list></text:list-item></text:list>` + tp("c"), "li [] a\nli [] b\np [] c\n"},
		{"tracked changes", `<text:tracked-changes><text:changed-region><text:deletion>` + tp("gone") + `</text:deletion></text:changed-region></text:tracked-changes>` + tp(`a<text:change-start/> new<text:change-end/>`), "p [] a new\n"},
		{"notes and comments", tp(`x<text:note><text:note-citation>1</text:note-citation><text:note-body>`+tp("note")+`</text:note-body></text:note> y<office:annotation><dc:creator>no</dc:creator><dc:date>no</dc:date>`+tp("remark")+`</office:annotation>`) + tp("z"),
			"p [] x y\np [] note\np [] remark\np [] z\n"},
		{"text box", tp(`x<draw:frame><svg:title>no</svg:title><draw:text-box>` + tp("box") + `</draw:text-box></draw:frame> y`), "p [] x y\np [] box\n"},
		{"table", `<table:table><table:table-row><table:table-cell>` + tp("a") + tp("b") + `</table:table-cell><table:table-cell/><table:table-cell>` + tp("c") + `</table:table-cell></table:table-row></table:table>` + tp("d"), "tr [] a⏎b |  | c\np [] d\n"},
		{"table in a table", `<table:table><table:table-row><table:table-cell><table:table><table:table-row><table:table-cell>` + tp("a") + `</table:table-cell><table:table-cell>` + tp("b") + `</table:table-cell></table:table-row></table:table>` +
			tp("c") + `</table:table-cell><table:table-cell>` + tp("d") + `</table:table-cell></table:table-row></table:table>`, "tr [] a | b⏎c | d\n"},
		{"table in a text box", tp(`x<draw:frame><draw:text-box><table:table><table:table-row><table:table-cell>` + tp("a") + `</table:table-cell><table:table-cell>` + tp("b") + `</table:table-cell></table:table-row></table:table></draw:text-box></draw:frame>`), "p [] x\ntr [] a | b\n"},
		{"fields", tp(`on <text:date>1 May</text:date> by <text:user-defined>me</text:user-defined>`), "p [] on 1 May by me\n"},
		{"Persian", tp("می\u200cخواهم ۱۴۰۲"), "p [] می\u200cخواهم ۱۴۰۲\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := extractBytes(t, openDocument(t, "text", test.body, nil))
			if err != nil {
				t.Fatal(err)
			}
			if got := outlineOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if c.Title != "The title" || c.Author != "The author" || len(c.Warnings) > 0 || c.Format != "odt" {
				t.Errorf("title %q, author %q, format %q, warnings %q", c.Title, c.Author, c.Format, c.Warnings)
			}
		})
	}
	styles := `<office:document-styles ` + odfNames + `><style:page-layout><style:header-style>no</style:header-style></style:page-layout><style:master-page><style:header>` + tp("head") +
		`</style:header><style:footer>` + tp("foot") + `</style:footer></style:master-page><style:master-page><style:header>` + tp("head") + `</style:header></style:master-page></office:document-styles>`
	c, err := extractBytes(t, openDocument(t, "text", `<text:h>H</text:h>`, map[string]string{"styles.xml": styles}))
	if got := outlineOf(c.Blocks); err != nil || got != "h1 [H] H\np [] head\np [] foot\n" {
		t.Errorf("margins: %s %v", got, err)
	}
}

func TestODS(t *testing.T) {
	cells := func(texts ...string) string {
		row := `<table:table-row>`
		for _, s := range texts {
			row += `<table:table-cell>` + tp(s) + `</table:table-cell>`
		}
		return row + `</table:table-row>`
	}
	body := `<table:table table:name="هزینه"><table:table-column table:number-columns-repeated="16384"/>` + cells("کالا", "بها") +
		`<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>` + cells("پمپ", "1,200 ریال") +
		`<table:table-row><table:table-cell/><table:covered-table-cell/><table:table-cell table:number-columns-repeated="2" office:value="5">` + tp("5") + `<office:annotation>` + tp("remark") + `</office:annotation></table:table-cell></table:table-row></table:table>` +
		`<table:table table:name="Empty"><table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row></table:table>` +
		`<table:table table:name="Secret" table:style-name="ta2">` + cells("1", "2") + `</table:table>`
	c, err := extractBytes(t, openDocument(t, "spreadsheet", body, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := " h1 [هزینه] هزینه\nA1:B1 h2 [هزینه › کالا | بها] کالا | بها\nA5:B5 tr [هزینه › کالا | بها] پمپ | 1,200 ریال\n" +
		"C6:D6 tr [هزینه › کالا | بها]  |  | 5 remark | 5 remark\n h1 [Secret] Secret\nA1:B1 tr [Secret] 1 | 2\n"
	if got := cellsOf(c.Blocks); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c.Format != "ods" || len(c.Warnings) != 1 || !strings.HasSuffix(c.Warnings[0], ": Secret") {
		t.Errorf("format %s, warnings %q", c.Format, c.Warnings)
	}
}

func TestODP(t *testing.T) {
	frame := func(class, text string) string {
		return `<draw:frame presentation:class="` + class + `"><draw:text-box>` + tp(text) + `</draw:text-box></draw:frame>`
	}
	c, err := extractBytes(t, openDocument(t, "presentation", `<draw:page>`+frame("outline", "one")+frame("title", "First")+frame("footer", "no")+
		`<presentation:notes>`+frame("notes", "said aloud")+`</presentation:notes></draw:page><draw:page><draw:custom-shape>`+tp("in a shape")+`</draw:custom-shape></draw:page>`, nil))
	if got := pagesOf(c.Blocks); err != nil || got != "1 h1 [First] First\n1 p [First] one\n1 p [First] said aloud\n2 p [] in a shape\n" || c.Format != "odp" {
		t.Errorf("%s: %s %v", c.Format, got, err)
	}
}

// openODF reads a document that may inflate to limit bytes.
func openODF(t testing.TB, ctx context.Context, data []byte, limit int64) error {
	t.Helper()
	c, err := readOpenDocument(parts(t, ctx, data, limit))
	wellFormed(t, c)
	return err
}

func TestODFHostile(t *testing.T) {
	for _, tag := range []string{"text:p", "text:list-item", "table:table", "table:table-cell", "draw:frame"} {
		deep := strings.Repeat("<"+tag+">", 200_000) + tp("deep") + strings.Repeat("</"+tag+">", 200_000)
		c, err := extractBytes(t, openDocument(t, "text", deep, nil))
		if err != nil || !strings.Contains(outlineOf(c.Blocks), "deep") {
			t.Errorf("%s: %v, %d blocks", tag, err, len(c.Blocks))
		}
	}
	repeated := `<table:table table:name="x"><table:table-row table:number-rows-repeated="999999999"><table:table-cell table:number-columns-repeated="999999999">` + tp("7") + `</table:table-cell></table:table-row>` +
		`<table:table-row><table:table-cell>` + tp("8") + `</table:table-cell></table:table-row></table:table>`
	if c, err := extractBytes(t, openDocument(t, "spreadsheet", repeated, nil)); err != nil || len(c.Blocks) != 3 || len(c.Blocks[1].Text) > 300 {
		t.Errorf("absurd repetition: %d blocks, %v", len(c.Blocks), err)
	}
	protected := map[string]string{"META-INF/manifest.xml": `<manifest><file-entry><encryption-data/></file-entry></manifest>`}
	if _, err := extractBytes(t, openDocument(t, "text", "", protected)); !errors.Is(err, ErrNeedsPassword) {
		t.Errorf("encrypted: %v", err)
	}
	if _, err := extractBytes(t, archive(t, map[string]string{"encrypted-package": "x", "META-INF/manifest.xml": "x"})); !errors.Is(err, ErrNeedsPassword) {
		t.Errorf("encrypted as a whole: %v", err)
	}
	whole := openDocument(t, "text", tp("kept")+`<text:p>cut</text:h>`, nil)
	if c, err := extractBytes(t, whole); err != nil || outlineOf(c.Blocks) != "p [] kept\n" || len(c.Warnings) != 1 {
		t.Errorf("broken off: %+v %v", c, err)
	}
	if _, err := extractBytes(t, whole[:len(whole)/2]); err == nil {
		t.Error("half an archive gave no error")
	}
	if err := openODF(t, t.Context(), openDocument(t, "text", strings.Repeat(tp("text that goes on"), 1<<16), nil), 1<<20); !errors.Is(err, errInflated) {
		t.Errorf("inflating: %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := openODF(t, canceled, openDocument(t, "text", tp("x"), nil), maxInflated); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func FuzzODF(f *testing.F) {
	f.Add("text", `<table:table><table:table-row><table:table-cell>`+tp("a"))
	f.Add("spreadsheet", `</table:table-row><table:table table:name="x"/><table:table-cell table:number-columns-repeated="9"/>`+tp("a"))
	f.Add("presentation", `<draw:page><draw:frame presentation:class="title">`+tp("a")+`</draw:frame><draw:page>`)
	f.Fuzz(func(t *testing.T, kind, body string) {
		_ = openODF(t, context.Background(), openDocument(t, kind, body, nil), 1<<20)
	})
}

func TestFlatODF(t *testing.T) {
	flat := func(kind, body string) []byte {
		return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ` +
			`xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
			`office:mimetype="application/vnd.oasis.opendocument.` + kind + `"><office:meta><dc:title>T</dc:title></office:meta><office:master-styles><style:header><text:p>Head</text:p></style:header></office:master-styles><office:body>` + body + `</office:body></office:document>`)
	}
	for _, test := range []struct{ kind, body, want string }{
		{"text", `<office:text><text:h text:outline-level="1">H<office:annotation><dc:creator>no</dc:creator></office:annotation></text:h><text:p>one <text:title>no</text:title></text:p></office:text>`, "(odt, indexed)\nh1 [H] H\np [H] one no\np [] Head\n"},
		{"spreadsheet", `<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`, "(ods, indexed)\nh1 [S] S\np [S] a\n"},
		{"presentation", `<office:presentation><draw:page><draw:frame><draw:text-box><text:p>s</text:p></draw:text-box></draw:frame></draw:page></office:presentation>`, "(odp, indexed)\np [] s\n"},
	} {
		found := readAll(t, "a.xml", flat(test.kind, test.body))
		if got := listOf(found); got != test.want || found[0].Content.Title != "T" {
			t.Errorf("%s, titled %q, want\n%s", got, found[0].Content.Title, test.want)
		}
	}
}
