package main

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"
)

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="{{.Lang}}" dir="{{.Dir}}"><head><meta charset="utf-8"><title>{{.Title}}</title>
<style>body{font:12pt/1.7 "Noto Sans","Noto Naskh Arabic",sans-serif;margin:1cm}h1{font-size:20pt}h2{font-size:15pt}</style></head>
<body>{{range .Blocks}}{{if eq .Level 1}}<h1>{{.Text}}</h1>{{else if eq .Level 2}}<h2>{{.Text}}</h2>{{else}}<p>{{.Text}}</p>{{end}}
{{end}}</body></html>`))

func html(s source) string {
	type view struct {
		Level int
		Text  string
	}
	data := struct {
		Title, Lang, Dir string
		Blocks           []view
	}{s.title, s.lang, "ltr", nil}
	if s.rtl() {
		data.Dir = "rtl"
	}
	for _, b := range s.blocks {
		data.Blocks = append(data.Blocks, view{b.level, b.text})
	}
	var out strings.Builder
	if err := page.Execute(&out, data); err != nil {
		panic(err) // the template is fixed and the data are strings
	}
	return out.String()
}

const wordNamespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

// writeDOCX writes the few parts that a word processor needs to open a document.
func writeDOCX(path string, s source) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
			`<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>` +
			`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>` +
			`<Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`},
		{"word/_rels/document.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`},
		{"docProps/core.xml", `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
			`<dc:title>` + escape(s.title) + `</dc:title><dc:creator>Fanous sample</dc:creator></cp:coreProperties>`},
		{"word/styles.xml", `<w:styles xmlns:w="` + wordNamespace + `">` + headingStyle(1) + headingStyle(2) + `</w:styles>`},
		{"word/document.xml", `<w:document xmlns:w="` + wordNamespace + `"><w:body>` + paragraphs(s) + `</w:body></w:document>`},
	} {
		w, err := z.Create(part.name) // without a time, so that the same source gives the same bytes
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, xml.Header+part.content); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

func headingStyle(level int) string {
	return fmt.Sprintf(`<w:style w:type="paragraph" w:styleId="Heading%d"><w:name w:val="heading %d"/><w:pPr><w:outlineLvl w:val="%d"/></w:pPr>`+
		`<w:rPr><w:b/><w:sz w:val="%d"/></w:rPr></w:style>`, level, level, level-1, 44-8*level)
}

func paragraphs(s source) string {
	var b strings.Builder
	for _, p := range s.blocks {
		b.WriteString(`<w:p><w:pPr>`)
		if p.level > 0 {
			fmt.Fprintf(&b, `<w:pStyle w:val="Heading%d"/>`, p.level)
		}
		run := ""
		if s.rtl() {
			b.WriteString(`<w:bidi/>`)
			run = `<w:rPr><w:rtl/></w:rPr>`
		}
		b.WriteString(`</w:pPr><w:r>` + run + `<w:t xml:space="preserve">` + escape(p.text) + `</w:t></w:r></w:p>`)
	}
	return b.String()
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder does not fail
	}
	return b.String()
}
