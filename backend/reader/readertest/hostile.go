package readertest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// Output is what Hostile's archives may give at most, in bytes: with more they take too long to store.
const Output = 16 << 20

// Hostile writes files that are bad for whoever reads them into a folder, and gives the state that each ends in, read
// with enough time and memory, and with the limit Output. All of them are made up here.
func Hostile(t testing.TB, dir string) map[string]domain.DocumentState {
	t.Helper()
	const (
		failed, indexed, container       = domain.StateFailed, domain.StateIndexed, domain.StateContainer
		noText, unsupported, quarantined = domain.StateNoText, domain.StateUnsupported, domain.StateQuarantined
	)
	states := map[string]domain.DocumentState{}
	put := func(name string, data []byte, ends domain.DocumentState) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		states[name] = ends
	}
	text := func(name, data string, ends domain.DocumentState) { t.Helper(); put(name, []byte(data), ends) }
	repeat := strings.Repeat
	const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	word := func(body string) []byte {
		return archive(t, "[Content_Types].xml", types, "word/document.xml",
			`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`+body+`</w:body></w:document>`)
	}
	const paragraph = "<w:p><w:r><w:t>lantern</w:t></w:r></w:p>"

	// Archives.
	put("flat-bomb.zip", bomb(t, "a.txt", 5<<30), container)
	put("bomb.docx", bomb(t, "word/document.xml", 5<<30, "[Content_Types].xml", types), quarantined)
	put("nested-bomb.zip", nested(t, 30, 4), quarantined)
	put("one-entry-many-names.zip", overlapping(t, 60_000), quarantined)
	put("names.zip", archive(t, "../../evil.txt", "lantern", "/etc/evil.txt", "lantern", `..\..\evil.txt`, "lantern", "a/../../b.txt", "lantern", "nul\x00.txt", "lantern"), container)
	put("absurd-sizes.zip", absurdSizes(t), container)
	put("cut.zip", cut(archive(t, "a.txt", repeat("lantern ", 10_000))), failed)
	put("cut.docx", cut(word(repeat(paragraph, 1000))), failed)
	// Office.
	put("nested.docx", word(repeat("<w:sdt>", 200_000)+paragraph+repeat("</w:sdt>", 200_000)), indexed)
	put("entities.docx", archive(t, "[Content_Types].xml", types, "word/document.xml", entities()), failed)
	put("climbs.docx", archive(t, "[Content_Types].xml", types, "_rels/.rels",
		`<Relationships><Relationship Id="a" Type="x/officeDocument" Target="../../../../etc/passwd"/></Relationships>`), unsupported)
	put("absurd.xlsx", archive(t, "xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", `<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row r="99999999999"><c r="ZZZZZZZ99999999999" t="s"><v>99999999999</v></c>`+
			`<c r="XFD1048576"><v>1e999</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>`), indexed)
	put("repeated.ods", archive(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml",
		`<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table><table:table-row table:number-rows-repeated="2000000000">`+
			`<table:table-cell table:number-columns-repeated="2000000000"><text:p>lantern</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`), indexed)
	put("circle.epub", archive(t, "mimetype", "application/epub+zip", "META-INF/container.xml",
		`<container><rootfiles><rootfile full-path="META-INF/container.xml"/></rootfiles></container>`), noText)
	// PDF.
	text("circle-of-pages.pdf", "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF", failed)
	text("circle-of-tables.pdf", "%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R/Prev 9/Size 1>>\nstartxref\n9\n%%EOF", failed)
	text("absurd.pdf", "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 2147483647/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e38 -1e38]/Contents 4 0 R>>endobj\n4 0 obj<</Length 99999999999>>stream\nBT (x) Tj ET\nendstream endobj\ntrailer<</Root 1 0 R/Size 2147483647>>\n%%EOF", noText)
	put("bomb.pdf", pdfBomb(t), failed)
	text("cut.pdf", "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R", failed)
	text("nested.pdf", "%PDF-1.4\n1 0 obj"+repeat("[", 1_000_000)+"\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF", failed)
	// Text.
	text("nested.html", repeat("<div>", 200_000)+"lantern", indexed)
	text("attributes.html", "<p "+repeat(`a="b" `, 500_000)+">lantern", indexed)
	text("spans.html", `<table><tr><td colspan="2147483647" rowspan="2147483647">lantern</table>`, indexed)
	text("entities.xml", entities(), indexed)
	text("nested.json", repeat("[", 3_000_000), indexed)
	text("nested.md", repeat("> ", 50_000)+"lantern", indexed)
	text("brackets.md", repeat("[", 200_000)+repeat("](", 50_000), indexed)
	text("line.csv", repeat("lantern,", 3_000_000), indexed)
	text("quote.csv", "\""+repeat("lantern,\n", 1_000_000), indexed)
	text("numbers.rtf", `{\rtf1\ansi\bin99999999999999999999 a\u-99999999999999? \uc2147483647 \u1 lantern\'`, noText)
	text("nested.rtf", `{\rtf1 `+repeat("{", 1_000_000)+"lantern", indexed)
	put("bytes.txt", slices.Repeat([]byte{0xff, 0xfe, 0, 0xd8}, 500_000), indexed)
	// Mail.
	text("multiparts.eml", multiparts(2000), noText)
	text("letters.eml", repeat("Content-Type: message/rfc822\n\n", 2000)+"Subject: lantern\n\nlantern", noText)
	text("parts.eml", "Content-Type: multipart/mixed; boundary=b\n\n"+repeat("--b\n\n", 300_000), noText)
	text("headers.eml", "Subject: "+repeat("=?utf-8?q?=41?= ", 300_000)+"\n\nlantern", indexed)
	text("empty-letters.mbox", repeat("From a@example.org Thu Jan  1 00:00:00 1970\n\n", 20_000), indexed)
	f, err := os.Create(filepath.Join(dir, "sparse.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(repeat("lantern ", 10_000)); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(600 << 20); err != nil {
		t.Fatal(err)
	}
	states["sparse.txt"] = failed
	return states
}

// Tricks writes files that the parser of this package ends its process on, or never ends with, and gives their names.
func Tricks(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	for _, kind := range []string{"spin", "memory", "stack", "panic elsewhere", "exit", "endless documents", "a flood of garbage"} {
		name := "trick " + kind + ".txt"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(Trick+kind), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// archive makes a ZIP archive of names and contents in turn.
func archive(t testing.TB, parts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add(t, z, parts)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func add(t testing.TB, z *zip.Writer, parts []string) {
	t.Helper()
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func cut(data []byte) []byte { return data[:len(data)/2] }

// bomb is an archive with a file that inflates to so many spaces: the same piece of deflated data again and again.
func bomb(t testing.TB, name string, size int64, more ...string) []byte {
	t.Helper()
	const piece = 64 << 20
	var deflated bytes.Buffer
	w, err := flate.NewWriter(&deflated, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte(" "), piece)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil { // ends on a whole byte, without a last block
		t.Fatal(err)
	}
	all := bytes.Repeat(deflated.Bytes(), int(size/piece))
	return raw(t, zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(len(all)), UncompressedSize64: uint64(size)}, all, more...)
}

// raw is an archive of one file whose header says what it likes, behind others.
func raw(t testing.TB, header zip.FileHeader, data []byte, more ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add(t, z, more)
	w, err := z.CreateRaw(&header)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// nested is an archive in an archive, depth deep, with copies of each.
func nested(t testing.TB, depth, copies int) []byte {
	data := archive(t, "a.txt", strings.Repeat("lantern ", 1000))
	for range depth {
		var parts []string
		for n := range copies {
			parts = append(parts, fmt.Sprintf("%d.zip", n), string(data))
		}
		data = archive(t, parts...)
		if len(data) > 1<<20 {
			copies = 1
		}
	}
	return data
}

// overlapping is an archive whose directory names the same data n times.
func overlapping(t testing.TB, n int) []byte {
	data := archive(t, "a.txt", strings.Repeat("lantern ", 100_000))
	end := len(data) - 22 // of the end record
	from := int(binary.LittleEndian.Uint32(data[end+16:]))
	entry := data[from:end]
	out := append(slices.Clone(data[:from]), bytes.Repeat(entry, n)...)
	last := slices.Clone(data[end:])
	binary.LittleEndian.PutUint16(last[8:], uint16(n))
	binary.LittleEndian.PutUint16(last[10:], uint16(n))
	binary.LittleEndian.PutUint32(last[12:], uint32(n*len(entry)))
	return append(out, last...)
}

func absurdSizes(t testing.TB) []byte {
	data := []byte("lantern")
	return raw(t, zip.FileHeader{Name: "a.txt", Method: zip.Store, CRC32: crc32.ChecksumIEEE(data),
		CompressedSize64: 1 << 62, UncompressedSize64: 1 << 62}, data)
}

// entities is XML in which each name stands for ten of the one before.
func entities() string {
	out := `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "lantern">`
	for n := range 12 {
		out += fmt.Sprintf(`<!ENTITY e%d "%s">`, n+1, strings.Repeat(fmt.Sprintf("&e%d;", n), 10))
	}
	return out + `]><a>&e12;</a>`
}

func multiparts(depth int) string {
	var out strings.Builder
	for n := range depth {
		fmt.Fprintf(&out, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", n, n)
	}
	return out.String() + "\nlantern"
}

// pdfBomb has a page whose content inflates to two gigabytes of nothing.
func pdfBomb(t testing.TB) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	piece := bytes.Repeat([]byte(" "), 1<<20)
	for range 2048 {
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"+
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>endobj\n4 0 obj<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%%%EOF",
		packed.Len(), packed.Bytes())
}
