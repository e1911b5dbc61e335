package corpus

import (
	"fmt"
	"strings"

	"fanous/backend/domain"
)

// ofBytes is a text as Facebook exports it: each byte of its UTF-8 as a character of its own.
func ofBytes(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, `\u%04x`, c)
	}
	return b.String()
}

// plain writes kinds of text, and asks where in them things stand.
func (m *maker) plain() error {
	var log, table strings.Builder
	log.WriteString("The first line of the log.\n\n")
	table.WriteString("ship,captain,tons\n")
	for i := range 400 {
		fmt.Fprintf(&log, "Entry %d of the log: a ship of %d tons passed at dawn with a fair wind from the west.\n\n", i, 100+i)
		fmt.Fprintf(&table, "vessel%d,captain%d,%d\n", i, i, 100+i)
	}
	log.WriteString("The whinchat sat on the rail.\n")
	at := func(query string, place domain.Place) []Sought {
		return []Sought{{Query: query, Marked: []string{query}, Once: true, Place: place}}
	}
	pages, err := zipped(part{"Index/Document.iwa", "x"}, part{"preview.jpg", "x"})
	if err != nil {
		return err
	}
	for _, f := range []struct {
		file File
		text string
	}{
		// The passage of the last line begins some lines before it.
		{File{Name: "plain/log.txt", Sought: at("whinchat", domain.Place{})}, log.String()},
		{File{Name: "plain/ships.csv", Sought: at("captain399", domain.Place{Heading: "ship | captain | tons"})}, table.String()},
		{File{Name: "plain/list.tsv", Sought: at("yellowhammer", domain.Place{})}, "bird\tcount\nyellowhammer\t12\n"},
		{File{Name: "plain/data.json", Sought: at("woodcock", domain.Place{})}, `{"log": [{"bird": "woodcock", "at": {"hour": 7}}]}`},
		{File{Name: "plain/messages.json", Sought: []Sought{{Query: "فانوس", Marked: []string{"فانوس"}}}}, `{"messages": [{"sender_name": "k", "content": "` + ofBytes("فانوس روشن است") + `"}]}`},
		{File{Name: "plain/year.ics", Sought: append(at("dabchick", domain.Place{Heading: "The dabchick counted"}), Sought{Query: "2024-05-01", Marked: []string{"2024-05-01"}}, Sought{Query: "شمارش", Marked: []string{"شمارش"}}, missing("ghostalarm"))},
			"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nDTSTART;TZID=Asia/Tehran:20240501T093000\r\nSUMMARY:The dab\r\n chick counted\r\nDESCRIPTION:برای شما\r\n رش\\, at dawn\r\nBEGIN:VALARM\r\nDESCRIPTION:ghostalarm\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"},
		{File{Name: "plain/people.vcf", Sought: append(at("Whitethroat", domain.Place{Heading: "Sara Whitethroat"}), Sought{Query: "سارا", Marked: []string{"سارا"}}, Sought{Query: "+989121234567", Marked: []string{"+98 912 123 4567"}})},
			"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Sara Whitethroat\r\nTEL;TYPE=CELL:+98 912 123 4567\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D8=B3=D8=A7=\r\n=D8=B1=D8=A7\r\nEND:VCARD\r\n"},
		{File{Name: "plain/frames.html", Sought: at("treecreeper", domain.Place{})}, `<html><head><title>Frames</title></head><frameset cols="1,2"><frame src="a"><frame src="b"><noframes><body><p>treecreeper for those without frames</p></body></noframes></frameset></html>`},
		{File{Name: "plain/tool.py", Sought: at("wryneck_count", domain.Place{Line: 1})}, "def wryneck_count(n):\n    return n + 1\n"},
		{File{Name: "plain/page.mhtml", Sought: at("waxwing", domain.Place{})}, "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b; type=\"text/html\"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><p>wax=\r\nwing saved</p></body></html>\r\n--b--\r\n"},
		{File{Name: "plain/guide.md", Sought: at("wheatear", domain.Place{Heading: "One › Two"})}, "# One\n\ntext\n\n## Two\n\n| bird | seen |\n|---|---|\n| wheatear | yes |\n"},
		{File{Name: "plain/empty.txt", State: domain.StateNoText}, ""},
		{File{Name: "plain/spaces.html", State: domain.StateNoText}, "<html><body>   </body></html>"},
		{File{Name: "plain/unknown.bin", State: domain.StateUnsupported}, "\x00\x01\x02\x03\x00\xff\xfe\x00\x00"},
		{File{Name: "plain/damaged.docx", State: domain.StateFailed}, "PK\x03\x04 this is no archive"},
		{File{Name: "plain/apple.pages", State: domain.StateUnsupported}, string(pages)},
		{File{Name: "plain/picture-with-no-text.docx.pdf", State: domain.StateFailed}, "%PDF-1.7 cut"},
	} {
		if err := m.put(f.file, []byte(f.text)); err != nil {
			return err
		}
	}
	return nil
}
