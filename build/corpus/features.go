package corpus

import (
	"fmt"
	"slices"
	"strings"

	"fanous/backend/domain"
)

// Each part of these documents has a word of its own, so that a search tells which part was read.

// letter is a text document with all that stands outside the flow of its text.
func letter() string {
	const box = `<draw:frame text:anchor-type="paragraph" svg:width="5cm" svg:height="2cm"><draw:text-box><text:p>gannet in the box</text:p></draw:text-box></draw:frame>`
	change := func(id, kind, text string) string {
		return fmt.Sprintf(`<text:changed-region text:id="%s"><text:%[2]s><office:change-info><dc:creator>keeper</dc:creator><dc:date>2024-01-02T03:04:05</dc:date></office:change-info>%s</text:%[2]s></text:changed-region>`, id, kind, text)
	}
	body := `<text:tracked-changes>` + change("c1", "deletion", `<text:p>ironclad</text:p>`) + change("c2", "insertion", "") + `</text:tracked-changes>` +
		heading(1, "", "The letter") +
		`<text:p>First lines` +
		`<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>albatross below</text:p></text:note-body></text:note> of it` +
		`<text:note text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>barnacle at the end</text:p></text:note-body></text:note>` +
		`<office:annotation><dc:creator>keeper</dc:creator><dc:date>2024-01-02T03:04:05</dc:date><text:p>eelgrass remark</text:p></office:annotation>.</text:p>` +
		`<text:p>` + box + `Beside the box.</text:p>` +
		`<text:p>Kept <text:change text:change-id="c1"/><text:s/><text:change-start text:change-id="c2"/>halyard<text:change-end text:change-id="c2"/> to the end.</text:p>` +
		`<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row><table:table-cell><text:p>fulmar</text:p></table:table-cell><table:table-cell><text:p>1402</text:p></table:table-cell></table:table-row></table:table>` +
		`<text:list><text:list-item><text:p>guillemot in a list</text:p></text:list-item></text:list>` +
		heading(2, "", "Long words") +
		paragraph("The com\u00admit\u00adtee of the har\u00adbour met.") +
		`<text:p>فانوس‌ها و نامه‌ی او</text:p>`
	return writer("The letter", "en", false, "cormorant above", "driftwood under", body)
}

// columns is a text in two columns, and words that are cut at the ends of narrow lines.
func columns() string {
	body := `<text:section text:style-name="Columns" text:name="S">` + strings.Repeat(paragraph("The keeper wrote down each ship that had passed the rock that day, and the wind and the sea."), 12) + `</text:section>` +
		`<text:p text:style-name="Narrow">` + "The com\u00admit\u00adtee of the har\u00adbour had de\u00adlib\u00ader\u00adat\u00aded for a con\u00adsid\u00ader\u00adable time on the ex\u00adtra\u00ador\u00addi\u00adnary lan\u00adtern." + `</text:p>`
	return writer("The columns", "en", false, "", "", body)
}

// workbook has what a sheet shows: dates, amounts, a hidden sheet.
func workbook() string {
	cell := func(kind, style, value, shown string) string {
		return fmt.Sprintf(`<table:table-cell office:value-type="%s" table:style-name="%s" %s><text:p>%s</text:p></table:table-cell>`, kind, style, value, shown)
	}
	word := func(s string) string { return cell("string", "Default", "", s) }
	row := func(cells ...string) string {
		out := `<table:table-row>`
		for _, c := range cells {
			out += c
		}
		return out + `</table:table-row>`
	}
	automatic := `<number:date-style style:name="N1"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>` +
		`<number:percentage-style style:name="N2"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>` +
		`<number:number-style style:name="N3"><number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:number-style>` +
		`<style:style style:name="day" style:family="table-cell" style:data-style-name="N1"/><style:style style:name="share" style:family="table-cell" style:data-style-name="N2"/><style:style style:name="sum" style:family="table-cell" style:data-style-name="N3"/>` +
		`<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>`
	body := `<table:table table:name="Cargo">` + row(word("Ship"), word("Day"), word("Share"), word("Sum")) +
		row(word("Kittiwake"), cell("date", "day", `office:date-value="2024-03-20"`, "2024-03-20"), cell("percentage", "share", `office:value="0.125"`, "12.5%"), cell("float", "sum", `office:value="1234567.5"`, "1,234,567.50")) +
		row(word("فانوس"), cell("date", "day", `office:date-value="1999-12-31"`, "1999-12-31"), word("نامعلوم"), cell("float", "sum", `office:value="42"`, "42.00")) + `</table:table>` +
		`<table:table table:name="Crew" table:style-name="hidden">` + row(word("Name"), word("Post")) + row(word("Lapwing"), word("mate")) + `</table:table>` +
		`<table:table table:name="خدمه">` + row(word("نام"), word("سمت")) + row(word("مرغابی"), word("ملوان")) + `</table:table>`
	return flat("spreadsheet", "The cargo", `<style:style style:name="Default" style:family="table-cell"/>`, automatic, "", body)
}

// slides are three of them, with a note.
func slides() string {
	page := func(name, text, note string) string {
		frame := func(class, y, height, text string) string {
			return fmt.Sprintf(`<draw:frame presentation:class="%s" svg:x="2cm" svg:y="%s" svg:width="20cm" svg:height="%s"><draw:text-box><text:p>%s</text:p></draw:text-box></draw:frame>`, class, y, height, escape(text))
		}
		return fmt.Sprintf(`<draw:page draw:name="%s" draw:master-page-name="Default">%s%s<presentation:notes><draw:page-thumbnail svg:width="10cm" svg:height="7cm" svg:x="3cm" svg:y="2cm"/>%s</presentation:notes></draw:page>`,
			name, frame("title", "1cm", "3cm", name), frame("outline", "5cm", "8cm", text), frame("notes", "12cm", "8cm", note))
	}
	automatic := `<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout>`
	return flat("presentation", "The talk", "", automatic, `<style:master-page style:name="Default" style:page-layout-name="Page"/>`,
		page("Opening", "moorhen first", "nightjar in the notes")+page("دوم", "چراغ‌ها روشن‌اند", "یادداشت")+page("Closing", "oystercatcher last", "puffin said"))
}

// features are these in the formats that have them.
func features() []conversion {
	in := func(query string, place domain.Place) Sought {
		return Sought{Query: query, Marked: []string{query}, Once: true, Place: place}
	}
	shown := func(query string) Sought { return Sought{Query: query, Marked: []string{strings.Trim(query, `"`)}} }
	top := domain.Place{Heading: "The letter"}
	flow := []Sought{in("albatross", top), in("barnacle", domain.Place{}), in("gannet", domain.Place{}), in("halyard", top), in("fulmar", top), in("guillemot", top)}
	whole := append([]Sought{in("cormorant", domain.Place{}), in("driftwood", domain.Place{}), in("eelgrass", domain.Place{}), missing("ironclad")}, flow...)
	printed := []Sought{
		in("albatross", domain.Place{Page: 1}), in("barnacle", domain.Place{}), in("cormorant", domain.Place{}), in("driftwood", domain.Place{}), in("gannet", domain.Place{Page: 1}), in("halyard", domain.Place{Page: 1}), in("fulmar", domain.Place{Page: 1}),
		shown("committee"),
	}
	cargo := func(sheet string) domain.Place { return domain.Place{Heading: sheet} }
	table := []Sought{in("Kittiwake", cargo("Cargo › Ship | Day | Share | Sum")), in("2024-03-20", domain.Place{}), {Query: "1,234,567.50", Marked: []string{"1,234,567.50"}}, {Query: "12.5", Marked: []string{"12.5"}}, in("Lapwing", domain.Place{}), in("مرغابی", domain.Place{})}
	talk := []Sought{in("moorhen", domain.Place{Page: 1}), in("nightjar", domain.Place{Page: 1}), {Query: "چراغ", Marked: []string{"چراغ‌ها"}, Place: domain.Place{Page: 2}}, in("oystercatcher", domain.Place{Page: 3}), in("puffin", domain.Place{Page: 3})}
	hidden := "hides were read, too: Crew"
	return []conversion{
		{"letter.fodt", letter(), "docx", File{Sought: whole}},
		{"letter.fodt", letter(), "odt", File{Sought: whole}},
		{"letter.fodt", letter(), "doc", File{Sought: apart(flow)}}, // whose notes stand at the end
		{"letter.fodt", letter(), "rtf", File{Sought: whole}},
		{"letter.fodt", letter(), "epub", File{Sought: apart(flow[:2])}},
		{"letter.fodt", letter(), "pdf", File{Sought: printed}},
		{"columns.fodt", columns(), "pdf", File{Sought: []Sought{shown(`"keeper wrote down each ship that had passed"`), shown(`"passed the rock that day"`), shown("deliberated"), shown("considerable"), shown("extraordinary")}}},
		{"scripts.fodt", scriptsFlat(), "pdf", File{Sought: scriptsSought()}},
		{"cargo.fods", workbook(), "xlsx", File{Sought: table, Warning: hidden}},
		{"cargo.fods", workbook(), "ods", File{Sought: table, Warning: hidden}},
		{"cargo.fods", workbook(), "csv", File{Sought: apart(table[:1])}},
		{"cargo.fods", workbook(), "xls", File{State: domain.StateUnsupported}},
		{"talk.fodp", slides(), "pptx", File{Sought: talk}},
		{"talk.fodp", slides(), "odp", File{Sought: talk}},
		{"talk.fodp", slides(), "ppt", File{State: domain.StateUnsupported}},
		{"talk.fodp", slides(), "pdf", File{Sought: talk[:1]}},
	}
}

// apart is the same without places.
func apart(all []Sought) []Sought {
	all = slices.Clone(all)
	for i := range all {
		all[i].Place = domain.Place{}
	}
	return all
}
