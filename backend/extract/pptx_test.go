package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"fanous/backend/domain"
)

// pagesOf is an outline with the page or slide that each block stands on.
func pagesOf(blocks []domain.Block) string {
	return outlineAt(blocks, func(p domain.Place) any { return p.Page })
}

const drawingNames = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`

func shape(kind, paragraphs string) string {
	return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr><p:txBody>` + paragraphs + `</p:txBody></p:sp>`
}

func ap(text string) string { return `<a:p><a:r><a:rPr/><a:t>` + text + `</a:t></a:r></a:p>` }

func slidePart(body string) string {
	return `<p:sld ` + drawingNames + `><p:cSld><p:spTree>` + body + `</p:spTree></p:cSld></p:sld>`
}

// slideShow makes a presentation of these slides, shown in this order.
func slideShow(t testing.TB, parts map[string]string, slides ...string) []byte {
	files := map[string]string{}
	var related []string
	list := ""
	for i, s := range slides {
		name := fmt.Sprintf("slides/slide%d.xml", len(slides)-i) // not in the order of their names
		files["ppt/"+name] = s
		related = append(related, "slide", name)
		list += fmt.Sprintf(`<p:sldId id="%d" r:id="r%d"/>`, 256+i, i+1)
	}
	files["ppt/presentation.xml"] = `<p:presentation ` + drawingNames + `><p:sldIdLst>` + list + `</p:sldIdLst></p:presentation>`
	for name, content := range parts {
		files[name] = content
	}
	return office(t, "ppt/presentation.xml", files, related...)
}

func TestPPTX(t *testing.T) {
	table := `<p:graphicFrame><a:graphic><a:tbl><a:tr><a:tc><a:txBody>` + ap("a") + ap("b") + `</a:txBody></a:tc><a:tc><a:txBody>` + ap("c") + `</a:txBody></a:tc></a:tr></a:tbl></a:graphic></p:graphicFrame>`
	tests := []struct{ name, slide, want string }{
		{"the title last", shape("body", ap("one")+ap("two")) + shape("title", ap("The")+ap("title")), "1 h1 [The title] The title\n1 p [The title] one\n1 p [The title] two\n"},
		{"no title", shape("", ap("one")), "1 p [] one\n"},
		{"runs and breaks", shape("", `<a:p><a:pPr/><a:r><a:t>a </a:t></a:r><a:r><a:t>b</a:t></a:r><a:br/><a:fld type="x"><a:t>c</a:t></a:fld></a:p>`), "1 p [] a b⏎c\n"},
		{"what every slide repeats", shape("sldNum", ap("7")) + shape("ftr", ap("no")) + shape("dt", ap("no")) + shape("", ap("x")), "1 p [] x\n"},
		{"table", table + shape("", ap("after")), "1 tr [] a⏎b | c\n1 p [] after\n"},
		{"groups", `<p:grpSp>` + shape("", ap("a")) + `<p:grpSp>` + shape("", ap("b")) + `</p:grpSp></p:grpSp>`, "1 p [] a\n1 p [] b\n"},
		{"alternatives", `<mc:AlternateContent xmlns:mc="m"><mc:Choice>` + shape("", ap("a")) + `</mc:Choice><mc:Fallback>` + shape("", ap("a")) + `</mc:Fallback></mc:AlternateContent>`, "1 p [] a\n"},
		{"Persian", shape("ctrTitle", ap("می\u200cخواهم ۱۴۰۲")) + shape("subTitle", ap("گزارش")), "1 h1 [می\u200cخواهم ۱۴۰۲] می\u200cخواهم ۱۴۰۲\n1 p [می\u200cخواهم ۱۴۰۲] گزارش\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := extractBytes(t, slideShow(t, nil, slidePart(test.slide)))
			if err != nil {
				t.Fatal(err)
			}
			if got := pagesOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if c.Title != "The title" || c.Author != "The author" || len(c.Warnings) > 0 || c.Format != "pptx" {
				t.Errorf("title %q, author %q, format %q, warnings %q", c.Title, c.Author, c.Format, c.Warnings)
			}
		})
	}
}

func TestPPTXSlides(t *testing.T) {
	c, err := extractBytes(t, slideShow(t, map[string]string{
		"ppt/slides/_rels/slide3.xml.rels": `<Relationships><Relationship Type="x/notesSlide" Target="../notes.xml"/><Relationship Type="x/comments" Target="../old.xml"/>` +
			`<Relationship Type="y/comments" Target="../new.xml"/><Relationship Type="x/diagramData" Target="../diagram.xml"/><Relationship Type="x/slideLayout" Target="../layout.xml"/></Relationships>`,
		"ppt/notes.xml":   `<p:notes ` + drawingNames + `>` + shape("sldImg", "") + shape("body", ap("said aloud")) + shape("sldNum", ap("1")) + `</p:notes>`,
		"ppt/old.xml":     `<p:cmLst ` + drawingNames + `><p:cm><p:text>an older remark</p:text></p:cm></p:cmLst>`,
		"ppt/new.xml":     `<p188:cmLst xmlns:p188="n" ` + drawingNames + `><p188:cm><p188:txBody>` + ap("a newer remark") + `</p188:txBody></p188:cm></p188:cmLst>`,
		"ppt/diagram.xml": `<dgm:dataModel xmlns:dgm="d" ` + drawingNames + `><dgm:pt><dgm:t>` + ap("in a diagram") + `</dgm:t></dgm:pt></dgm:dataModel>`,
		"ppt/layout.xml":  slidePart(shape("title", ap("Click to edit"))),
	}, slidePart(shape("title", ap("First"))), strings.Replace(slidePart(shape("", ap("second"))), "<p:sld ", `<p:sld show="0" `, 1), slidePart(shape("title", ap("Third"))+`<a:p>`)))
	if err != nil {
		t.Fatal(err)
	}
	want := "1 h1 [First] First\n1 p [First] in a diagram\n1 p [First] said aloud\n1 p [First] an older remark\n1 p [First] a newer remark\n2 p [] second\n3 h1 [Third] Third\n"
	if got := pagesOf(c.Blocks); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(c.Warnings) != 2 || c.Warnings[0] != "slide 3 could not all be read" || !strings.HasSuffix(c.Warnings[1], ": 2") {
		t.Errorf("warnings %q", c.Warnings)
	}
}

// openShow is a presentation that may inflate to limit bytes.
func openShow(t testing.TB, ctx context.Context, data []byte, limit int64) *pptx {
	t.Helper()
	return &pptx{container: parts(t, ctx, data, limit)}
}

func TestPPTXHostile(t *testing.T) {
	for _, tag := range []string{"p:grpSp", "a:tbl", "a:tc", "a:p"} {
		deep := strings.Repeat("<"+tag+">", 200_000) + ap("deep") + strings.Repeat("</"+tag+">", 200_000)
		c, err := extractBytes(t, slideShow(t, nil, slidePart(shape("", deep))))
		if err != nil && !errors.Is(err, ErrNoText) {
			t.Errorf("%s: %v, %d blocks", tag, err, len(c.Blocks))
		}
	}
	whole := slideShow(t, map[string]string{"ppt/slides/_rels/slide1.xml.rels": `<Relationships><Relationship Type="x/notesSlide" Target="../../../../etc/passwd"/></Relationships>`}, slidePart(shape("", ap("x"))))
	if c, err := extractBytes(t, whole); err != nil || pagesOf(c.Blocks) != "1 p [] x\n" || len(c.Warnings) != 1 {
		t.Errorf("a name that climbs out: %+v %v", c, err)
	}
	if _, err := extractBytes(t, whole[:len(whole)/2]); err == nil {
		t.Error("half an archive gave no error")
	}
	// A slide that is shown a hundred times counts a hundred times.
	again := slideShow(t, map[string]string{"ppt/presentation.xml": `<p:presentation ` + drawingNames + `>` + strings.Repeat(`<p:sldId r:id="r1"/>`, 100) + `</p:presentation>`},
		slidePart(strings.Repeat(shape("", ap("text that goes on")), 1000)))
	if _, err := openShow(t, t.Context(), again, 4<<20).read(); !errors.Is(err, errInflated) {
		t.Errorf("inflating: %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openShow(t, canceled, whole, maxInflated).read(); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func FuzzPPTX(f *testing.F) {
	f.Add(shape("title", ap("x")) + `<a:tbl><a:tr><a:tc>` + ap("y"))
	f.Add(`</p:spTree><a:tr></a:tr></a:tbl><p:ph type="title"/>` + ap("x"))
	f.Fuzz(func(t *testing.T, body string) {
		c, err := openShow(t, context.Background(), slideShow(t, nil, slidePart(body)), 1<<20).read()
		if err != nil {
			return
		}
		for _, b := range c.Blocks {
			if b.Text == "" || !utf8.ValidString(b.Text) || b.Place.Page != 1 {
				t.Errorf("block %+v", b)
			}
		}
	})
}
