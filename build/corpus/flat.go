package corpus

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// What LibreOffice converts from is OpenDocument in one plain XML file: everything that its formats have can be said in it.

// flat wraps the parts of a document of a kind: "text", "spreadsheet" or "presentation".
func flat(kind, title, styles, automatic, masters, body string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"
 xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.%[1]s">
<office:meta><dc:title>%[2]s</dc:title><meta:initial-creator>The keeper</meta:initial-creator><dc:creator>The keeper</dc:creator></office:meta>
<office:styles>%[3]s</office:styles>
<office:automatic-styles>%[4]s</office:automatic-styles>
<office:master-styles>%[5]s</office:master-styles>
<office:body><office:%[1]s>%[6]s</office:%[1]s></office:body>
</office:document>
`, kind, escape(title), styles, automatic, masters, body)
}

// writer is a text document whose paragraphs run in one direction. head and foot are those of the page.
func writer(title, language string, rightToLeft bool, head, foot, body string) string {
	mode := "lr-tb"
	if rightToLeft {
		mode = "rl-tb"
	}
	// A language stands in one of three places, by its script.
	language = fmt.Sprintf(`fo:language=%[1]q style:language-complex=%[1]q style:language-asian=%[1]q`, language)
	const fonts = `fo:font-family="Noto Sans" style:font-family-complex="Noto Naskh Arabic" fo:font-size="12pt" style:font-size-complex="12pt"`
	heading := func(level int) string {
		return fmt.Sprintf(`<style:style style:name="Heading_20_%[1]d" style:display-name="Heading %[1]d" style:family="paragraph" style:parent-style-name="Standard" style:default-outline-level="%[1]d"><style:text-properties fo:font-size="%[2]dpt" style:font-size-complex="%[2]dpt"/></style:style>`, level, 26-4*level)
	}
	styles := `<style:default-style style:family="paragraph"><style:paragraph-properties style:writing-mode="` + mode + `"/><style:text-properties ` + fonts + ` ` + language + `/></style:default-style>` +
		`<style:style style:name="Standard" style:family="paragraph"/>` + heading(1) + heading(2)
	automatic := `<style:style style:name="Next" style:family="paragraph" style:parent-style-name="Heading_20_2"><style:paragraph-properties fo:break-before="page"/></style:style>` +
		`<style:style style:name="Columns" style:family="section"><style:section-properties><style:columns fo:column-count="2" fo:column-gap="1cm"/></style:section-properties></style:style>` +
		`<style:style style:name="Narrow" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:margin-right="13.2cm" fo:margin-left="0cm"/></style:style>` +
		`<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm" style:writing-mode="` + mode + `"/>` +
		`<style:header-style/><style:footer-style/></style:page-layout>`
	masters := `<style:master-page style:name="Standard" style:page-layout-name="Page">`
	if head != "" {
		masters += `<style:header>` + paragraph(head) + `</style:header>`
	}
	if foot != "" {
		masters += `<style:footer>` + paragraph(foot) + `</style:footer>`
	}
	return flat("text", title, styles, automatic, masters+`</style:master-page>`, body)
}

func paragraph(text string) string {
	return `<text:p text:style-name="Standard">` + escape(text) + `</text:p>`
}

// heading is one of a level, on a new page if style says so.
func heading(level int, style, text string) string {
	if style == "" {
		style = fmt.Sprintf("Heading_20_%d", level)
	}
	return fmt.Sprintf(`<text:h text:style-name="%s" text:outline-level="%d">%s</text:h>`, style, level, escape(text))
}

func (t text) flat() string {
	return writer(t.title, t.lang, t.rightToLeft, "", "", heading(1, "", t.title)+paragraph(t.first)+heading(2, "Next", t.chapter)+paragraph(t.second))
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder does not fail
	}
	return b.String()
}
