package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// cellsOf is an outline with the cells that each block stands in.
func cellsOf(blocks []domain.Block) string {
	return outlineAt(blocks, func(p domain.Place) any { return p.Cells })
}

const officeRelation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

// office makes an Office document of parts; the relations of main lead to each in the list, by their kind.
func office(t testing.TB, main string, parts map[string]string, related ...string) []byte {
	t.Helper()
	files := map[string]string{
		"[Content_Types].xml": `<Types/>`,
		"_rels/.rels": `<Relationships><Relationship Type="` + officeRelation + `officeDocument" Target="` + main +
			`"/><Relationship Type="x/core-properties" Target="docProps/core.xml"/></Relationships>`,
		"docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>The title</dc:title><dc:creator>The author</dc:creator></cp:coreProperties>`,
	}
	relations := ""
	for i := 0; i < len(related); i += 2 {
		relations += fmt.Sprintf(`<Relationship Id="r%d" Type="%s%s" Target="%s"/>`, i/2+1, officeRelation, related[i], related[i+1])
	}
	folder, name, _ := strings.Cut(main, "/")
	files[folder+"/_rels/"+name+".rels"] = `<Relationships>` + relations + `</Relationships>`
	for name, content := range parts {
		files[name] = content
	}
	return archive(t, files)
}

// sheetBook makes a workbook with one sheet of these rows, strings and styles.
func sheetBook(t testing.TB, rows string, more map[string]string) []byte {
	parts := map[string]string{
		"xl/workbook.xml":  `<workbook xmlns:r="r"><sheets><sheet name="Costs" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/sheet.xml":     `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
		"xl/strings.xml":   `<sst><si><t>shared</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si></sst>`,
		"xl/styles.xml":    sheetStylesPart,
		"xl/comments1.xml": `<comments><authors><author>no</author></authors></comments>`,
	}
	for name, content := range more {
		parts[name] = content
	}
	return office(t, "xl/workbook.xml", parts, "worksheet", "sheet.xml", "sharedStrings", "strings.xml", "styles", "styles.xml")
}

// Styles 1 to 7: a date of the reader's country, an amount, a percentage, a Persian date, a time, an own text, rials.
const sheetStylesPart = `<styleSheet><numFmts count="3"><numFmt numFmtId="170" formatCode="[$-fa-IR,16]yyyy/mm/dd;@"/><numFmt numFmtId="171" formatCode="0.0&quot; kg&quot;"/><numFmt numFmtId="172" formatCode="#,##0 &quot;ریال&quot;"/></numFmts>` +
	`<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="4"/><xf numFmtId="10"/><xf numFmtId="170"/><xf numFmtId="20"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs>` +
	`<dxfs><dxf><numFmt numFmtId="14" formatCode="no"/></dxf></dxfs></styleSheet>`

func TestXLSX(t *testing.T) {
	words := func(ref, text string) string {
		return `<c r="` + ref + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
	}
	number := func(ref, value string, style int) string {
		return fmt.Sprintf(`<c r="%s" s="%d"><v>%s</v></c>`, ref, style, value)
	}
	tests := []struct{ name, rows, want string }{
		{"strings of every kind", `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2">` + words("A2", "in line") +
			`<c r="B2" t="str"><f>A1&amp;"x"</f><v>result</v></c></row>`,
			" h1 [Costs] Costs\nA1:B1 h2 [Costs › shared | rich text] shared | rich text\nA2:B2 tr [Costs › shared | rich text] in line | result\n"},
		{"formats", `<row r="3">` + number("A3", "45292", 1) + number("B3", "-1234.5", 2) + number("C3", "0.125", 3) + number("D3", "45292", 4) +
			number("E3", "0.75", 5) + number("F3", "7", 6) + number("G3", "1250000", 7) + `</row>`,
			" h1 [Costs] Costs\nA3:G3 tr [Costs] 2024-01-01 | -1,234.50 | 12.50% | 1402/10/11 | 18:00 | 7.0 kg | 1,250,000 ریال\n"},
		{"plain numbers", `<row r="1">` + number("A1", "0.30000000000000004", 0) + number("B1", "1E3", 0) + number("C1", "12345678901", 0) + number("D1", "1.5E-12", 0) + `</row>`,
			" h1 [Costs] Costs\nA1:D1 tr [Costs] 0.3 | 1000 | 12345678901 | 1.5e-12\n"},
		{"other kinds", `<row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1" t="e"><v>#N/A</v></c><c r="C1" t="d"><v>2024-01-02</v></c><c r="D1" t="s"><v>99</v></c><c r="E1"/></row>`,
			" h1 [Costs] Costs\nA1:C1 tr [Costs] TRUE | #N/A | 2024-01-02\n"},
		{"a title above the names of columns", `<row r="1">` + words("A1", "Yearly report 2024") + `</row><row r="3">` + words("B3", "Item") + words("C3", "Place") + words("D3", "Cost") +
			`</row><row r="4">` + words("B4", "Pump") + number("D4", "12", 0) + `</row>`,
			" h1 [Costs] Costs\nA1 p [Costs] Yearly report 2024\nB3:D3 h2 [Costs › Item | Place | Cost] Item | Place | Cost\nB4:D4 tr [Costs › Item | Place | Cost] Pump |  | 12\n"},
		{"without references", `<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>`, " h1 [Costs] Costs\nA1:B1 tr [Costs] 1 | 2\nA2 p [Costs] 3\n"},
		{"Persian", `<row r="1">` + words("A1", "نام کالا") + words("B1", "بها") + `</row><row r="2">` + words("A2", "پمپ آب") + words("B2", "۱۲۰۰") + `</row>`,
			" h1 [Costs] Costs\nA1:B1 h2 [Costs › نام کالا | بها] نام کالا | بها\nA2:B2 tr [Costs › نام کالا | بها] پمپ آب | ۱۲۰۰\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := extractBytes(t, sheetBook(t, test.rows, nil))
			if err != nil {
				t.Fatal(err)
			}
			if got := cellsOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if c.Title != "The title" || c.Author != "The author" || len(c.Warnings) > 0 || c.Format != "xlsx" {
				t.Errorf("title %q, author %q, format %q, warnings %q", c.Title, c.Author, c.Format, c.Warnings)
			}
		})
	}
}

func TestXLSXSheets(t *testing.T) {
	row := func(text string) string {
		return `<worksheet><sheetData><row><c t="str"><v>` + text + `</v></c></row></sheetData></worksheet>`
	}
	data := office(t, "xl/workbook.xml", map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="Second" r:id="r2"/><sheet name="پنهان" r:id="r1" state="veryHidden"/><sheet name="Empty" r:id="r3"/><sheet name="Gone" r:id="r9"/></sheets></workbook>`,
		"xl/a.xml":        row("hidden words"),
		"xl/b.xml":        `<worksheet><sheetData><row r="7"><c r="C7" s="1"><v>43830</v></c></row></sheetData></worksheet>`,
		"xl/c.xml":        `<worksheet><sheetData/></worksheet>`,
		"xl/styles.xml":   sheetStylesPart,
		"xl/_rels/b.xml.rels": `<Relationships><Relationship Type="x/comments" Target="comments1.xml"/><Relationship Type="x/drawing" Target="d.xml"/>` +
			`<Relationship Type="x/comments" Target="../../../../etc/passwd"/></Relationships>`,
		"xl/comments1.xml": `<comments><authors><author>no</author></authors><commentList><comment ref="C7"><text><r><t>a </t></r><r><t>remark</t></r></text></comment></commentList></comments>`,
		"xl/d.xml":         `<wsDr><txBody><p><r><t>in a shape</t></r></p></txBody></wsDr>`,
	}, "worksheet", "a.xml", "worksheet", "b.xml", "worksheet", "c.xml", "styles", "styles.xml")
	c, err := extractBytes(t, data)
	if err != nil {
		t.Fatal(err)
	}
	want := " h1 [Second] Second\nC7 p [Second] 2024-01-01\nC7 p [Second] a remark\n p [Second] in a shape\n h1 [پنهان] پنهان\nA1 p [پنهان] hidden words\n"
	if got := cellsOf(c.Blocks); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(c.Warnings) != 2 || !strings.Contains(strings.Join(c.Warnings, " "), "پنهان") {
		t.Errorf("warnings %q", c.Warnings)
	}
}

func TestSolarHijri(t *testing.T) {
	for days, want := range map[int]string{
		45292: "1402 10 11", // 1 January 2024
		45371: "1403 1 1",   // 20 March 2024
		45736: "1403 12 30", // 20 March 2025
		45737: "1404 1 1",
		39162: "1386 1 1",
		39161: "1385 12 29",
		25569: "1348 10 11", // 1 January 1970
		61:    "1278 12 10", // 1 March 1900
	} {
		y, m, d := solarHijri(days)
		if got := fmt.Sprint(y, m, d); got != want {
			t.Errorf("day %d is %s, want %s", days, got, want)
		}
	}
	for code, want := range map[string]string{
		`[$-fa-IR,16]yyyy/mm/dd;@`:  "1402/10/11",
		`[$-3160429]d mmmm yy`:      "11 دی 02",
		`[$-160429]dddd\ d/m/yyyy`:  "دوشنبه 11/10/1402",
		`[$-fa-IR]yyyy/mm/dd`:       "",
		`yyyy/mm/dd`:                "",
		`[$-fa-IR,16]0.00`:          "",
		`[$-FFFFFFFF]d`:             "",
		`[$-fa-IR,16]yyyy/mm/dd hh`: "",
	} {
		if got, _ := persianDate(code, 45292.4, false); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// TestSections looks at the section that shows a number, and at colours, which are no digits.
func TestSections(t *testing.T) {
	for code, want := range map[string]string{
		`[=1]"yes";[=0]"no";0`:                "yes | no | 12 | -7 | 2500000",
		`[<1000]0;[<1000000]0.0,"K";0.0,,"M"`: "1 | 0 | 12 | -7 | 2.5M",
		`[>=1000000]0\;0;[Red]0.0`:            "1.0 | 0.0 | 12.0 | -7.0 | 250000;0",
		`[>10]"big "0;"neg "0;"else "0`:       "else 1 | else 0 | big 12 | neg 7 | big 2500000",
		`0;[<0]"minus "0;"-"`:                 "1 | - | 12 | minus 7 | 2500000",
		`[<0]"none";[>1E6]"many"`:             "1 | 0 | 12 | none | many",
		`[<>1]0.0`:                            "1 | 0.0 | 12.0 | -7.0 | 2500000.0",
		`[>=10000000]##\,##\,##\,##0;[>=100000]##\,##\,##0;##,##0`: "1 | 0 | 12 | -7 | 25,00,000",
		`0"[=1]";-0`:             "1 | 0 | 12 | -7 | 2500000",
		`[Color10]0;[color 3]-0`: "1 | 0 | 12 | -7 | 2500000",
	} {
		n := numberFormats{codes: map[int]string{170: code}, ids: []int{170}}
		var got []string
		for _, number := range []string{"1", "0", "12", "-7", "2500000"} {
			got = append(got, n.show(number, 0))
		}
		if got := strings.Join(got, " | "); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

// TestDatesInALanguage looks at the case of each month's name, and at languages as Excel says them.
func TestDatesInALanguage(t *testing.T) {
	show := func(code string, number int) string {
		n := numberFormats{codes: map[int]string{170: code}, ids: []int{170}}
		return n.show(fmt.Sprint(number), 0)
	}
	for _, l := range ofMonths {
		for month := range 12 {
			const january = 45296 // 5 January 2024
			day := january + month*61/2
			if month > 1 {
				day--
			}
			alone, with := show(fmt.Sprintf("[$-%X]mmmm", l.id|0x400), day), show(fmt.Sprintf("[$-%X]d/mmmm", l.id|0x400), day)
			if _, name, _ := strings.Cut(with, "/"); alone != l.alone[month] || name != l.withADay[month] {
				t.Errorf("%s: month %d is %q alone, and %q with a day", l.tag, month+1, alone, with)
			}
		}
	}
	const day = 45417 // 5 May 2024
	for code, want := range map[string]string{
		`[$-419]d mmmm yyyy`:                     "5 мая 2024",
		`[$-FC19]dd mmmm yyyy\ "г.";@`:           "05 мая 2024 г.",
		`[$-ru-RU]dddd, d mmmm`:                  "воскресенье, 5 мая",
		`[$-ru-RU,1]d mmmm yyyy`:                 "5 мая 2024",
		`[$-419]mmmm yyyy`:                       "май 2024",
		`[$-419]"d" mmmm`:                        "d май",
		`[$-419]dddd mmmm`:                       "воскресенье май",
		`[$-FC22]d mmmm yyyy" р."`:               "5 травня 2024 р.",
		`[$-pl-PL]d mmmm yyyy`:                   "5 maja 2024",
		`[$-427]yyyy "m." mmmm d "d."`:           "2024 m. gegužės 5 d.",
		`[$-41D]d mmmm`:                          "5 maj", // Swedish, which has no cases
		`[$-fa-IR,6]yyyy/mm/dd`:                  "2024/05/05",
		`[$-ja-JP-x-gannen,80]ggge"年"m"月"`:       "令和6年5月",
		`[$-ru-BY-x-genlower]dddd, d mmmm`:       "воскресенье, 5 мая",
		`[$-uk-UA-x-genlower]d mmmm yyyy" р.";@`: "5 травня 2024 р.",
		`[$-1170000]B2dd/mm/yyyy`:                "05/05/2024",
		`[$-2000000]#,##0`:                       "45,417",
		`[$-de-DE]d. mmmm yyyy`:                  "5. Mai 2024",
		`[$-de-AT]mmmm`:                          "Mai",
		`[$-fa-IR]d mmmm yyyy`:                   "5 مه 2024",
		`[$-he-IL,8]d mmmm`:                      "5 מאי",
		`[$-ja-JP]mmmm`:                          "5月",
		`[$-ar-SY]mmmm`:                          "أيار",
		`[$-ku-Arab-IQ]mmmm`:                     "ئایار",
		`[$-da-DK]mmmm`:                          "maj",
		`[$-x-sysdate]dddd, mmmm dd, yyyy`:       "Sunday, May 05, 2024",
	} {
		if got := show(code, day); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// openBook is a workbook that may inflate to limit bytes.
func openBook(t testing.TB, ctx context.Context, data []byte, limit int64) *xlsx {
	t.Helper()
	return &xlsx{container: parts(t, ctx, data, limit)}
}

func TestXLSXHostile(t *testing.T) {
	row := `<row><c t="s"><v>0</v></c></row>`
	// A long string in a million cells is more text than is kept.
	long := map[string]string{"xl/strings.xml": `<sst><si><t>` + strings.Repeat("x", 1<<18) + `</t></si></sst>`}
	c, err := extractBytes(t, sheetBook(t, "<row>"+strings.Repeat(`<c t="s"><v>0</v></c>`, 1_000_000)+"</row>"+row, long))
	if !errors.Is(err, ErrNoText) || len(c.Warnings) != 1 {
		t.Errorf("a row without end: %v, %q", err, c.Warnings)
	}
	c, err = extractBytes(t, sheetBook(t, strings.Repeat(row, 2000), long))
	if err != nil || len(c.Warnings) != 1 || len(c.Blocks) > 1100 {
		t.Errorf("long texts: %v, %d blocks, %q", err, len(c.Blocks), c.Warnings)
	}
	// Places that no sheet has.
	c, err = extractBytes(t, sheetBook(t, `<row r="999999999999999999"><c r="AAAAAAAAAAAA1"><v>1</v></c></row><row r="-5"><c r="ZZZZZ999999999"><v>2</v></c></row>`, nil))
	if err != nil || len(c.Blocks) != 3 {
		t.Errorf("absurd places: %+v %v", c, err)
	}
	deep := strings.Repeat("<a>", 200_000) + row + strings.Repeat("</a>", 200_000)
	if c, err := extractBytes(t, sheetBook(t, deep, nil)); err != nil || len(c.Blocks) != 2 {
		t.Errorf("nested: %v, %d blocks", err, len(c.Blocks))
	}
	entity := `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="str"><v>&e;</v></c></row></sheetData></worksheet>`
	if c, err := extractBytes(t, sheetBook(t, "", map[string]string{"xl/sheet.xml": entity})); !errors.Is(err, ErrNoText) {
		t.Errorf("an entity: %+v %v", c, err)
	}
	whole := sheetBook(t, row+`<row><c><v>1</v>`, nil)
	if c, err := extractBytes(t, whole); err != nil || len(c.Blocks) != 2 || len(c.Warnings) != 1 {
		t.Errorf("broken off: %+v %v", c, err)
	}
	if _, err := extractBytes(t, whole[:len(whole)/2]); err == nil {
		t.Error("half an archive gave no error")
	}
	if _, err := openBook(t, t.Context(), sheetBook(t, strings.Repeat(row, 1<<16), nil), 1<<20).read(); !errors.Is(err, errInflated) {
		t.Errorf("inflating: %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openBook(t, canceled, whole, maxInflated).read(); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	binary := office(t, "xl/workbook.bin", map[string]string{"xl/workbook.bin": "x"})
	if _, err := extractBytes(t, binary); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a binary workbook: %v", err)
	}
}

// A million rows come to an end with bounded memory, and the rest is said to be left out.
func TestTablesFull(t *testing.T) {
	var all tables
	s := sheet{tables: &all, level: 1}
	for i := range maxRows + 10 {
		s.row(i+1, []cell{{1, "7"}}, domain.Place{})
	}
	if len(all.out.blocks) != maxRows || !all.full || !strings.Contains(all.warning(), "1000000") {
		t.Errorf("%d blocks, full %v", len(all.out.blocks), all.full)
	}
}

func FuzzXLSX(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`, "yyyy/mm/dd", "45292")
	f.Add(`<row><c s="1"><v>1e9</v></c>`, "[$-fa-IR,16]dddd d mmmm yyyy", "-1")
	f.Add(`<row r="9"><c t="inlineStr"><is><t>a</t></is></c></row>`, "# ?/?;[Red](0);;@", "0.5")
	f.Fuzz(func(t *testing.T, rows, code, number string) {
		formats := numberFormats{codes: map[int]string{170: code}, ids: []int{170}}
		formats.show(number, 0)
		c, err := openBook(t, context.Background(), sheetBook(t, rows, nil), 1<<20).read()
		if err != nil {
			return
		}
		wellFormed(t, c)
	})
}
