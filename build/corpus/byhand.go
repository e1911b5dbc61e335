package corpus

import (
	"archive/zip"
	"bytes"
	"strings"

	"fanous/backend/domain"
)

// What LibreOffice cannot be made to write is written here as Word and Excel write it.

// part is a file of an archive.
type part struct{ name, content string }

func zipped(parts ...part) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, p := range parts {
		w, err := z.Create(p.name)
		if err == nil {
			_, err = w.Write([]byte(p.content))
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

const (
	xmlHead     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	contentType = `http://schemas.openxmlformats.org/package/2006/content-types`
	relation    = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	packageRel  = `http://schemas.openxmlformats.org/package/2006/relationships`
	wordNames   = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ` +
		`xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:r="` + relation + `"`
)

// wordDocument is the main part of a document of Word's.
func wordDocument(head, body string) string {
	return head + `<w:document ` + wordNames + `><w:body>` + body + `</w:body></w:document>`
}

// word is a document of Word's: its main part, and others by their names below word/.
func word(document string, more ...part) ([]byte, error) {
	types := `<Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>`
	links := ""
	parts := []part{{"word/document.xml", document}}
	for _, p := range more {
		kind := strings.TrimRight(strings.TrimSuffix(p.name, ".xml"), "0123456789")
		types += `<Override PartName="/word/` + p.name + `" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.` + kind + `+xml"/>`
		links += `<Relationship Id="r` + p.name + `" Type="` + relation + `/` + kind + `" Target="` + p.name + `"/>`
		parts = append(parts, part{"word/" + p.name, xmlHead + strings.Replace(p.content, ">", " "+wordNames+">", 1)})
	}
	return zipped(append([]part{
		{"[Content_Types].xml", xmlHead + `<Types xmlns="` + contentType + `">` + types + `</Types>`},
		{"_rels/.rels", xmlHead + `<Relationships xmlns="` + packageRel + `"><Relationship Id="r1" Type="` + relation + `/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/_rels/document.xml.rels", xmlHead + `<Relationships xmlns="` + packageRel + `">` + links + `</Relationships>`},
	}, parts...)...)
}

func run(text string) string {
	return `<w:r><w:t xml:space="preserve">` + escape(text) + `</w:t></w:r>`
}
func wordP(runs string) string { return `<w:p>` + runs + `</w:p>` }
func control(content string) string {
	return `<w:sdt><w:sdtPr><w:alias w:val="ghostname"/></w:sdtPr><w:sdtContent>` + content + `</w:sdtContent></w:sdt>`
}

// byHand writes what Word and Excel write.
func (m *maker) byHand() error {
	once := func(words ...string) (all []Sought) {
		for _, w := range words {
			all = append(all, Sought{Query: w, Marked: []string{w}, Once: true})
		}
		return all
	}
	box := `<w:txbxContent>` + wordP(run("kestrel in the box")) + `</w:txbxContent>`
	cell := func(s string) string { return `<w:tc>` + s + `</w:tc>` }
	body := control(wordP(run("avocet around a block"))) +
		wordP(run("inline ")+control(run("bittern"))+run(" here")) +
		`<w:tbl>` + control(`<w:tr>`+cell(wordP(run("curlew")))+control(cell(wordP(run("dunlin"))))+`</w:tr>`) + `</w:tbl>` +
		wordP(run("the box ")+`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx>`+box+`</wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox>`+box+`</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`) +
		wordP(run("it was ")+`<w:ins w:id="1" w:author="k">`+run("fieldfare ")+`</w:ins><w:del w:id="2" w:author="k"><w:r><w:delText>ironclad</w:delText></w:r></w:del>`+
			`<w:moveFrom w:id="3">`+run("jackdawfrom")+`</w:moveFrom><w:moveTo w:id="4">`+run("grebe")+`</w:moveTo>`) +
		wordP(`<w:r><w:drawing><wp:inline><wp:docPr id="1" name="ghostpicture" descr="a picture of a nutcracker"/></wp:inline></w:drawing></w:r>`) +
		wordP(run("split ")+run("lap")+run("wing")+run(" word and می")+`<w:r><w:noBreakHyphen/></w:r>`+run("end")) +
		wordP(run("note")+`<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r>`)
	data, err := word(wordDocument(xmlHead, body),
		part{"footnotes.xml", `<w:footnotes><w:footnote w:type="separator" w:id="0">` + wordP(run("separatorword")) + `</w:footnote><w:footnote w:id="2">` + wordP(run("hobby at the foot")) + `</w:footnote></w:footnotes>`},
		part{"endnotes.xml", `<w:endnotes><w:endnote w:id="2">` + wordP(run("ibis at the end")) + `</w:endnote></w:endnotes>`},
		part{"comments.xml", `<w:comments><w:comment w:id="0" w:author="k">` + wordP(run("linnet remarked")) + `</w:comment></w:comments>`},
		part{"header1.xml", `<w:hdr>` + wordP(run("merlin above")) + `</w:hdr>`}, part{"footer1.xml", `<w:ftr>` + wordP(run("osprey under")) + `</w:ftr>`})
	if err != nil {
		return err
	}
	sought := append(once("avocet", "bittern", "curlew", "dunlin", "kestrel", "fieldfare", "grebe", "lapwing", "hobby", "ibis", "linnet", "merlin", "osprey", "nutcracker"),
		missing("ironclad"), missing("jackdawfrom"), missing("separatorword"), missing("ghostname"), missing("ghostpicture"))
	if err := m.put(File{Name: "by-hand/word.docx", Sought: sought}, data); err != nil {
		return err
	}
	if err := m.powerPoint(once); err != nil {
		return err
	}
	return m.excel(once)
}

// powerPoint writes slides whose order is another than that of their names.
func (m *maker) powerPoint(once func(...string) []Sought) error {
	const names = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="` + relation + `"`
	slide := func(text string) string {
		return xmlHead + `<p:sld ` + names + `><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
	}
	link := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="` + relation + `/` + kind + `" Target="` + target + `"/>`
	}
	data, err := zipped(
		part{"[Content_Types].xml", xmlHead + `<Types xmlns="` + contentType + `"><Default Extension="xml" ContentType="application/xml"/></Types>`},
		part{"_rels/.rels", xmlHead + `<Relationships xmlns="` + packageRel + `">` + link("r1", "officeDocument", "ppt/presentation.xml") + `</Relationships>`},
		part{"ppt/presentation.xml", xmlHead + `<p:presentation ` + names + `><p:sldIdLst><p:sldId id="257" r:id="r2"/><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`},
		part{"ppt/_rels/presentation.xml.rels", xmlHead + `<Relationships xmlns="` + packageRel + `">` + link("r1", "slide", "slides/slide1.xml") + link("r2", "slide", "slides/slide2.xml") + `</Relationships>`},
		part{"ppt/slides/slide1.xml", slide("wallcreeper last")}, part{"ppt/slides/slide2.xml", slide("wryneck first")},
	)
	if err != nil {
		return err
	}
	sought := once("wryneck", "wallcreeper")
	sought[0].Place.Page, sought[1].Place.Page = 1, 2
	return m.put(File{Name: "by-hand/slides.pptx", Sought: sought}, data)
}

// excel writes a workbook with text within its cells, shared text in pieces, and dates in both calendars of Excel.
func (m *maker) excel(once func(...string) []Sought) error {
	const sheetNames = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + relation + `"`
	types := `<Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`
	book := func(name, kind string) string {
		return `<Relationship Id="` + name + `" Type="` + relation + `/` + kind + `" Target="` + name + `"/>`
	}
	data, err := zipped(
		part{"[Content_Types].xml", xmlHead + `<Types xmlns="` + contentType + `">` + types + `</Types>`},
		part{"_rels/.rels", xmlHead + `<Relationships xmlns="` + packageRel + `"><Relationship Id="r1" Type="` + relation + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		part{"xl/workbook.xml", xmlHead + `<workbook ` + sheetNames + `><workbookPr date1904="1"/><sheets><sheet name="Log" sheetId="1" r:id="sheet1.xml"/><sheet name="More" sheetId="2" r:id="sheet2.xml"/></sheets></workbook>`},
		part{"xl/_rels/workbook.xml.rels", xmlHead + `<Relationships xmlns="` + packageRel + `">` + book("sheet1.xml", "worksheet") + book("sheet2.xml", "worksheet") + book("sharedStrings.xml", "sharedStrings") + book("styles.xml", "styles") + `</Relationships>`},
		part{"xl/styles.xml", xmlHead + `<styleSheet ` + sheetNames + `><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/><numFmt numFmtId="165" formatCode="[$-FC19]d mmmm yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`},
		part{"xl/sharedStrings.xml", xmlHead + `<sst ` + sheetNames + `><si><r><t>pho</t></r><r><t>ebe</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>ghostreading</t></rPh></si></sst>`},
		part{"xl/sheet1.xml", xmlHead + `<worksheet ` + sheetNames + `><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>quail within</t></is></c><c r="B1" t="s"><v>0</v></c></row>` +
			`<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>43830</v></c><c r="C2" t="str"><f>CONCATENATE("redstart")</f><v>redstart</v></c><c r="D2" t="b"><v>1</v></c><c r="E2" s="2"><v>43955</v></c></row></sheetData></worksheet>`},
		part{"xl/sheet2.xml", xmlHead + `<worksheet ` + sheetNames + `><sheetData><row r="40"><c r="C40" t="inlineStr"><is><t>siskin far down</t></is></c></row></sheetData></worksheet>`},
	)
	if err != nil {
		return err
	}
	sought := append(once("quail", "phoebe", "redstart"),
		Sought{Query: "東京", Marked: []string{"東京"}}, Sought{Query: "2024-01-01", Marked: []string{"2024-01-01"}}, Sought{Query: `"5 мая 2024"`, Marked: []string{"5 мая 2024"}}, missing("ghostreading"), missing("CONCATENATE"),
		Sought{Query: "siskin", Marked: []string{"siskin"}, Place: domain.Place{Heading: "More", Cells: "C40"}})
	return m.put(File{Name: "by-hand/excel.xlsx", Sought: sought}, data)
}
