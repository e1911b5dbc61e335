package extract

import (
	"context"
	"errors"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"fanous/backend/domain"
)

const wordNames = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`

// word makes a document of its body and further parts, of which the name says the kind.
func word(t testing.TB, body string, parts map[string]string) []byte {
	t.Helper()
	const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	relations := ""
	files := map[string]string{
		"[Content_Types].xml": `<Types/>`,
		"word/document.xml":   `<w:document ` + wordNames + `><w:body>` + body + `</w:body></w:document>`,
		"_rels/.rels":         `<Relationships><Relationship Type="` + relation + `officeDocument" Target="word/document.xml"/><Relationship Type="x/core-properties" Target="docProps/core.xml"/></Relationships>`,
		"docProps/core.xml":   `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>The title</dc:title><dc:creator>The author</dc:creator></cp:coreProperties>`,
	}
	for name, content := range parts {
		kind := strings.TrimRight(strings.TrimSuffix(name, path.Ext(name)), "0123456789")
		relations += `<Relationship Id="` + map[string]string{"aFChunk.htm": "c1", "aFChunk2.rtf": "c2"}[name] + `" Type="` + relation + kind + `" Target="` + name + `"/>`
		files["word/"+name] = strings.Replace(content, "NAMES", wordNames, 1)
	}
	files["word/_rels/document.xml.rels"] = `<Relationships>` + relations + `</Relationships>`
	return archive(t, files)
}

func p(text string) string    { return `<w:p>` + run(text) + `</w:p>` }
func run(text string) string  { return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>` }
func in(tag, s string) string { return "<w:" + tag + ">" + s + "</w:" + tag + ">" }
func styled(id, t string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + id + `"/></w:pPr>` + run(t) + `</w:p>`
}

// The style sheet of a German Word: the ids are translated, the names are not.
const wordStylesPart = `<w:styles NAMES>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Eigen"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Liste"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Kreis"><w:name w:val="a"/><w:basedOn w:val="Kreis"/></w:style>
</w:styles>`

func TestDOCX(t *testing.T) {
	box := func(text string) string { return `<w:txbxContent>` + text + `</w:txbxContent>` }
	tests := []struct {
		name, body string
		parts      map[string]string
		want       string
	}{
		{"a deleted row", in("tbl", in("tr", in("trPr", `<w:del w:id="1"/>`)+in("tc", p("gone")))+in("tr", in("trPr", `<w:ins w:id="2"/>`)+in("tc", p("stays")))), nil, "p [] stays\n"},
		{"a choice without text", `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="new"><w:new/></mc:Choice><mc:Fallback><w:pict>` + box(p("fallback")) + `</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`, nil, "p [] fallback\n"},
		{"parts in other formats", p("before") + `<w:altChunk r:id="c1"/><w:altChunk r:id="c2"/>`, map[string]string{
			"aFChunk.htm": "<html><body><h1>Head</h1><p>page</p></body></html>", "aFChunk2.rtf": `{\rtf1 rich}`}, "p [] before\nh1 [Head] Head\np [Head] page\np [Head] rich\n"},
		{"charts and diagrams", p("text"), map[string]string{
			"chart1.xml":       `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:ser><c:cat><c:strRef><c:f>A1</c:f><c:strCache><c:pt><c:v>East</c:v></c:pt><c:pt><c:v>West</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numCache><c:pt><c:v>7</c:v></c:pt></c:numCache></c:val></c:ser><c:ser><c:cat><c:strCache><c:pt><c:v>East</c:v></c:pt><c:pt><c:v>West</c:v></c:pt></c:strCache></c:cat></c:ser></c:chartSpace>`,
			"diagramData1.xml": `<d:dataModel xmlns:d="d" xmlns:a="a"><a:p><a:r><a:t>Step</a:t></a:r></a:p></d:dataModel>`}, "p [] text\np [] Step\np [] Sales\np [] East | West\n"},
		{"runs", `<w:p>` + run("one ") + run("two") + `<w:r><w:tab/><w:t>three</w:t><w:br/><w:t>four</w:t></w:r></w:p>`, nil, "p [] one two\tthree⏎four\n"},
		{"headings by style", styled("Titel", "T") + styled("berschrift1", "A") + p("a") + styled("Eigen", "B") + styled("Kapitel", "C") + p("c"),
			map[string]string{"styles.xml": wordStylesPart},
			"h1 [T] T\nh1 [A] A\np [A] a\nh2 [A › B] B\nh3 [A › B › C] C\np [A › B › C] c\n"},
		{"heading by its own level", `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>` + run("H") + `</w:p>` + p("x"), nil, "h1 [H] H\np [H] x\n"},
		{"body text in a heading's style", `<w:p><w:pPr><w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/></w:pPr>` + run("x") + `</w:p>`, map[string]string{"styles.xml": wordStylesPart}, "p [] x\n"},
		{"no style sheet", styled("Heading2", "H"), nil, "h2 [H] H\n"},
		{"styles based on each other", styled("Kreis", "x"), map[string]string{"styles.xml": wordStylesPart}, "p [] x\n"},
		{"lists", `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr>` + run("a") + `</w:p>` + styled("Liste", "b"), map[string]string{"styles.xml": wordStylesPart}, "li [] a\nli [] b\n"},
		{"table", in("tbl", in("tr", in("tc", p("a"))+in("tc", p("b1")+p("b2")))+in("tr", in("tc", p("c"))+in("tc", p("")))) + p("end"), nil, "tr [] a | b1⏎b2\ntr [] c | \np [] end\n"},
		{"table in a table", in("tbl", in("tr", in("tc", p("a")+in("tbl", in("tr", in("tc", p("x"))+in("tc", p("y"))))+p("z"))+in("tc", p("b")))), nil, "tr [] a⏎x | y⏎z | b\n"},
		{"table for layout", in("tbl", in("tr", in("tc", p("a")))), nil, "p [] a\n"},
		{"content controls", in("sdt", in("sdtPr", `<w:alias w:val="no"/>`)+in("sdtContent", p("block"))) +
			`<w:p>` + in("sdt", in("sdtContent", run("inline"))) + `</w:p>` +
			in("tbl", in("sdt", in("sdtContent", in("tr", in("tc", p("row"))+in("sdt", in("sdtContent", in("tc", p("cell")))))))), nil,
			"p [] block\np [] inline\ntr [] row | cell\n"},
		{"text box once", `<w:p>` + run("before") + `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx>` + box(p("box")) +
			`</wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox>` + box(p("box")) + `</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>` + run(" after") + `</w:p>`, nil,
			"p [] before after\np [] box\n"},
		{"text box of the older kind", `<w:p><w:r><w:pict><v:textbox>` + box(p("box")+p("two")) + `</v:textbox></w:pict></w:r></w:p>`, nil, "p [] box\np [] two\n"},
		{"table in a text box", `<w:p>` + run("x") + `<w:r><wps:txbx>` + box(in("tbl", in("tr", in("tc", p("a"))+in("tc", p("b"))))+p("c")) + `</wps:txbx></w:r></w:p>`, nil, "p [] x\ntr [] a | b\np [] c\n"},
		{"text box in a cell", in("tbl", in("tr", in("tc", `<w:p>`+run("a")+`<w:r><wps:txbx>`+box(p("box"))+`</wps:txbx></w:r></w:p>`)+in("tc", p("b")))), nil, "tr [] a⏎box | b\n"},
		{"alternatives within alternatives", `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="a"><wps:txbx>` + box(`<w:p><w:r><mc:AlternateContent><mc:Choice Requires="b"><w:t>in</w:t></mc:Choice><mc:Fallback><w:t>no</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`) + `</wps:txbx></mc:Choice><mc:Fallback><w:t>no</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`, nil, "p [] in\n"},
		{"tracked changes", `<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>` + run("a ") + in("ins", run("new ")) + in("del", `<w:r><w:delText>old</w:delText></w:r>`) +
			in("moveFrom", run("gone")) + in("moveTo", run("here")) + `</w:p>`, nil, "p [] a new here\n"},
		{"a style that was changed", `<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:pPrChange><w:pPr><w:pStyle w:val="Normal"/><w:outlineLvl w:val="5"/></w:pPr></w:pPrChange></w:pPr>` + run("H") + `</w:p>`, nil, "h1 [H] H\n"},
		{"fields and links", `<w:p><w:r><w:instrText>HYPERLINK x</w:instrText></w:r>` + in("hyperlink", run("link")) + in("fldSimple", run(" 7")) + `</w:p>`, nil, "p [] link 7\n"},
		{"notes and comments", `<w:p>` + run("text") + `<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>` + p("next"),
			map[string]string{
				"footnotes.xml": `<w:footnotes NAMES><w:footnote w:type="separator" w:id="0">` + p("no") + `</w:footnote><w:footnote w:id="2">` + p("foot") + `</w:footnote></w:footnotes>`,
				"endnotes.xml":  `<w:endnotes NAMES><w:endnote w:id="2">` + p("end") + `</w:endnote></w:endnotes>`,
				"comments.xml":  `<w:comments NAMES><w:comment w:id="0">` + p("remark") + `</w:comment></w:comments>`,
			}, "p [] text\np [] foot\np [] end\np [] remark\np [] next\n"},
		{"a picture in words", `<w:p><w:r><w:t>x</w:t><w:drawing><docPr id="1" name="no" descr="a ship"/></w:drawing><w:t>y</w:t></w:r></w:p>`, nil, "p [] x a ship y\n"},
		{"headers and footers once, at the end", styled("Heading1", "H") + p("x"),
			map[string]string{"header1.xml": `<w:hdr NAMES>` + p("head") + `</w:hdr>`, "header2.xml": `<w:hdr NAMES>` + p("head") + `</w:hdr>`, "footer1.xml": `<w:ftr NAMES>` + p("foot") + `</w:ftr>`},
			"h1 [H] H\np [H] x\np [] head\np [] foot\n"},
		{"symbols", `<w:p><w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c &amp; d</w:t></w:r></w:p>`, nil, "p [] a\u2011b\u00adc & d\n"},
		{"Persian", p("می\u200cخواهم ۱۴۰۲ کتاب Word"), nil, "p [] می\u200cخواهم ۱۴۰۲ کتاب Word\n"},
		{"strict form", `<w:p xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main">` + run("strict") + `</w:p>`, nil, "p [] strict\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := extractBytes(t, word(t, test.body, test.parts))
			if err != nil {
				t.Fatal(err)
			}
			if got := outlineOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if c.Title != "The title" || c.Author != "The author" || len(c.Warnings) > 0 || c.Format != "docx" {
				t.Errorf("title %q, author %q, format %q, warnings %q", c.Title, c.Author, c.Format, c.Warnings)
			}
		})
	}
}

func TestDOCXDamaged(t *testing.T) {
	c, err := extractBytes(t, word(t, p("kept")+`<w:p><w:r><w:t>cut</w:r>`, nil))
	if err != nil || outlineOf(c.Blocks) != "p [] kept\n" || len(c.Warnings) != 1 {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := extractBytes(t, word(t, "", nil)); !errors.Is(err, ErrNoText) {
		t.Errorf("empty: %v", err)
	}
	_, err = extractBytes(t, archive(t, map[string]string{"[Content_Types].xml": "", "word/other.xml": ""}))
	if err == nil || errors.Is(err, ErrUnsupported) || errors.Is(err, ErrNoText) {
		t.Errorf("no main part: %v", err)
	}
}

func TestDOCXNames(t *testing.T) {
	// The main part may have any name, and names that climb out of the archive name nothing.
	document := `<w:document ` + wordNames + `>` + p("x") + `</w:document>`
	c, err := extractBytes(t, archive(t, map[string]string{
		"[Content_Types].xml":           "",
		"_rels/.rels":                   `<Relationships><Relationship Type="a/officeDocument" Target="/word/document2.xml"/></Relationships>`,
		"Word/Document2.xml":            document,
		"word/_rels/document2.xml.rels": `<Relationships><Relationship Type="a/header" Target="../../../../etc/passwd"/></Relationships>`,
	}))
	if err != nil || outlineOf(c.Blocks) != "p [] x\n" {
		t.Errorf("%+v %v", c, err)
	}
}

func TestDOCXUTF16(t *testing.T) {
	text := `<?xml version="1.0" encoding="UTF-16"?><w:document ` + wordNames + `>` + p("سلام") + `</w:document>`
	wide := []byte{0xff, 0xfe}
	for _, r := range text {
		wide = append(wide, byte(r), byte(r>>8))
	}
	c, err := extractBytes(t, archive(t, map[string]string{"[Content_Types].xml": "", "word/document.xml": string(wide)}))
	if err != nil || outlineOf(c.Blocks) != "p [] سلام\n" {
		t.Errorf("%+v %v", c, err)
	}
}

func TestDOCXDeep(t *testing.T) {
	const n = 200_000
	for _, tag := range []string{"sdt", "p", "tbl", "tc"} {
		body := strings.Repeat("<w:"+tag+">", n) + p("deep") + strings.Repeat("</w:"+tag+">", n)
		c, err := extractBytes(t, word(t, body, nil))
		if err != nil || !strings.Contains(outlineOf(c.Blocks), "deep") {
			t.Errorf("%s: %v, %d blocks", tag, err, len(c.Blocks))
		}
	}
}

// openWord is a document that may inflate to limit bytes.
func openWord(t testing.TB, data []byte, limit int64) *docx {
	t.Helper()
	return &docx{container: parts(t, context.Background(), data, limit)}
}

func TestDOCXInflates(t *testing.T) {
	const limit = 1 << 20
	many := strings.Repeat(p("text that goes on"), limit/50)
	for name, data := range map[string][]byte{
		"in the body":        word(t, many, nil),
		"in one text":        word(t, p(strings.Repeat("x", limit)), nil),
		"in a note":          word(t, p("x"), map[string]string{"footnotes.xml": `<w:footnotes NAMES>` + many + `</w:footnotes>`}),
		"before the content": word(t, strings.Repeat(" ", limit)+p("x"), nil),
	} {
		if _, err := openWord(t, data, limit).read(); !errors.Is(err, errInflated) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	// What was read before is kept.
	c, err := openWord(t, word(t, p("x"), map[string]string{"header1.xml": `<w:hdr NAMES>` + many + `</w:hdr>`}), limit).read()
	if err != nil || len(c.Blocks) == 0 || len(c.Warnings) != 1 {
		t.Errorf("%v, %d blocks, warnings %q", err, len(c.Blocks), c.Warnings)
	}
	// A document may well be compressed a hundredfold.
	if _, err := openWord(t, word(t, many, nil), 10*limit).read(); err != nil {
		t.Error(err)
	}
}

func FuzzDOCX(f *testing.F) {
	f.Add(in("tbl", in("tr", in("tc", p("a")))))
	f.Add(`<w:p><mc:AlternateContent><mc:Choice/><mc:Fallback>` + p("x") + `</mc:Fallback></mc:AlternateContent></w:p>`)
	f.Add(in("tr", in("tc", p("a"))) + `</w:tbl><w:p><w:txbxContent><w:tbl><w:tr>` + p("a"))
	f.Fuzz(func(t *testing.T, body string) {
		c, err := openWord(t, word(t, body, nil), 1<<20).read()
		if err != nil {
			return
		}
		for _, b := range c.Blocks {
			if b.Text == "" || !utf8.ValidString(b.Text) || b.Kind == domain.KindHeading && b.Level < 1 {
				t.Errorf("block %+v", b)
			}
		}
	})
}

// TestNamesOfParts: programs of Windows that write backslashes, and those that leave the list of types out.
func TestNamesOfParts(t *testing.T) {
	data := archive(t, map[string]string{
		`_rels\.rels`:       `<Relationships><Relationship Type="x/officeDocument" Target="word/document.xml"/></Relationships>`,
		`word\document.xml`: `<w:document ` + wordNames + `><w:body>` + p("text") + `</w:body></w:document>`,
	})
	found := readAll(t, "a.docx", data)
	if got := listOf(found); got != "(docx, indexed)\np [] text\n" {
		t.Errorf("%s", got)
	}
}
