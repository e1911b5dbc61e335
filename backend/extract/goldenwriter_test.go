package extract

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// madeUp are the golden files that this program writes itself, with -update: made-up texts in English,
// Persian and Arabic. The workbook is written by excelize, the others are the least that a program
// of the format would open.
func madeUp(t *testing.T) map[string][]byte {
	const persian, arabic = "نگهبان فانوس هر کشتی را می‌نوشت", "كتب حارس المنارة كل سفينة"
	return map[string][]byte{
		"made-up.xlsx": madeUpBook(t),
		"made-up.csv":  []byte("\ufeffShip;Port;Tons\r\nNorth Star;Bushehr;1,200\r\nفانوس;بندر عباس;۸۵۰\r\n\"المنارة; القديمة\";البصرة;٤٠٠\r\n"),
		"made-up.pptx": slideShow(t, map[string]string{
			"ppt/slides/_rels/slide2.xml.rels": `<Relationships><Relationship Type="x/notesSlide" Target="../notes.xml"/></Relationships>`,
			"ppt/notes.xml":                    `<p:notes ` + drawingNames + `>` + shape("body", ap(arabic)) + `</p:notes>`,
		}, slidePart(shape("subTitle", ap(persian))+shape("ctrTitle", ap("The lighthouse"))), slidePart(shape("title", ap("فانوس دریایی"))+shape("body", ap("built in 1890")))),
		"made-up.odt": openDocument(t, "text", `<text:h text:outline-level="1">The lighthouse</text:h>`+tp("The keeper wrote down every ship.")+`<text:h text:outline-level="2">`+persian+`</text:h>`+tp(arabic), nil),
		"made-up.ods": openDocument(t, "spreadsheet", `<table:table table:name="کشتی‌ها"><table:table-row><table:table-cell>`+tp("نام")+`</table:table-cell><table:table-cell>`+tp("تن")+
			`</table:table-cell></table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"/></table:table-row><table:table-row><table:table-cell>`+tp("North Star")+
			`</table:table-cell><table:table-cell>`+tp("۱٬۲۰۰")+`</table:table-cell></table:table-row></table:table>`, nil),
		"made-up.odp": openDocument(t, "presentation", `<draw:page><draw:frame presentation:class="title"><draw:text-box>`+tp(arabic)+`</draw:text-box></draw:frame><draw:frame presentation:class="outline"><draw:text-box>`+tp(persian)+`</draw:text-box></draw:frame></draw:page>`, nil),
		"made-up.eml": []byte(mailStart + "Subject: =?windows-1256?B?" + base64.StdEncoding.EncodeToString([]byte(arabic1256(t, "گزارش فانوس"))) + "?=\n" +
			multi("mixed", multi("alternative", "Content-Type: text/plain; charset=utf-8\n\n"+persian, "Content-Type: text/html; charset=utf-8\n\n<p>"+persian+" <b>1402</b></p>"), attached("ships.csv", []byte("Ship,Tons\nNorth Star,1200\n")))),
		"made-up.mbox": []byte("From a@example.org Mon Jan  1 10:00:00 2024\n" + letter("The lighthouse", "", "The keeper wrote down every ship.\n\n") +
			"From a@example.org Tue Jan  2 10:00:00 2024\n" + letter("=?utf-8?B?"+base64.StdEncoding.EncodeToString([]byte("المنارة"))+"?=", "Content-Type: text/plain; charset=windows-1256\n", arabic1256(t, arabic)+"\n")),
		"made-up.mhtml": []byte("From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\nSubject: The lighthouse\nMIME-Version: 1.0\n" +
			multi("related", "Content-Type: text/html; charset=utf-8\n\n<html><h1>"+arabic+"</h1><p>"+persian)),
		"made-up.epub": book(t, `<html><body><h1>The lighthouse</h1><p>The keeper wrote down every ship.</p></body></html>`, `<html><body><h1>فانوس</h1><p>`+persian+`</p><p>`+arabic+`</p></body></html>`, nil),
		"made-up.rtf": []byte(`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset178 Arabic;}}{\info{\title The lighthouse}}\pard\outlinelevel0 The lighthouse\par` +
			`\pard\f1 ` + hexes(arabic1256(t, arabic)) + `\par\pard \u1601?\u1575?\u1606?\u1608?\u1587? 1890\par}`),
		"made-up.json": []byte("{\n  \"title\": \"The lighthouse\",\n  \"keeper\": \"\\u0646\\u06af\\u0647\\u0628\\u0627\\u0646\",\n  \"ships\": [{\"name\": \"المنارة\", \"tons\": 400}]\n}\n"),
		"made-up.py":   []byte("#!/usr/bin/env python3\n# " + persian + "\n\ndef keeper(ship):\n    return \"" + arabic + "\", ship\n"),
	}
}

func hexes(s string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(`\'` + string(digits[s[i]>>4]) + string(digits[s[i]&15]))
	}
	return b.String()
}

func madeUpBook(t *testing.T) []byte {
	t.Helper()
	f := excelize.NewFile()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(f.SetSheetName("Sheet1", "Ships"))
	rials, persianDate := `#,##0 "ریال"`, "[$-fa-IR,16]yyyy/mm/dd;@"
	must(f.SetSheetRow("Ships", "A1", &[]any{"Ship", "Arrived", "Harbour dues"}))
	must(f.SetSheetRow("Ships", "A2", &[]any{"North Star", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), 1250000}))
	must(f.SetSheetRow("Ships", "A3", &[]any{"فانوس", 45371, 99.5}))
	for cell, code := range map[string]*string{"B2": nil, "C2": &rials, "B3": &persianDate} {
		style := excelize.Style{NumFmt: 14}
		if code != nil {
			style = excelize.Style{CustomNumFmt: code}
		}
		id, err := f.NewStyle(&style)
		must(err)
		must(f.SetCellStyle("Ships", cell, cell, id))
	}
	must(f.AddComment("Ships", excelize.Comment{Cell: "A2", Author: "no", Text: "seen twice"}))
	_, err := f.NewSheet("المنارة")
	must(err)
	must(f.SetCellStr("المنارة", "C7", "كتب حارس المنارة كل سفينة"))
	must(f.SetSheetVisible("المنارة", false))
	must(f.SetDocProps(&excelize.DocProperties{Title: "The lighthouse", Creator: "The keeper"}))
	b, err := f.WriteToBuffer()
	must(err)
	return b.Bytes()
}

// writeMadeUp writes the files that are not there yet; real ones may differ between releases of what
// writes them.
func writeMadeUp(t *testing.T) {
	for name, data := range madeUp(t) {
		path := filepath.Join("testdata", name)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
