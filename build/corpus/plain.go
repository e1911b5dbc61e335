package corpus

import (
	"fmt"
	"strings"

	"fanous/backend/domain"
)

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
	for _, f := range []struct {
		file File
		text string
	}{
		// The passage of the last line begins some lines before it.
		{File{Name: "plain/log.txt", Sought: at("whinchat", domain.Place{})}, log.String()},
		{File{Name: "plain/ships.csv", Sought: at("captain399", domain.Place{Heading: "ship | captain | tons"})}, table.String()},
		{File{Name: "plain/list.tsv", Sought: at("yellowhammer", domain.Place{})}, "bird\tcount\nyellowhammer\t12\n"},
		{File{Name: "plain/data.json", Sought: at("woodcock", domain.Place{})}, `{"log": [{"bird": "woodcock", "at": {"hour": 7}}]}`},
		{File{Name: "plain/tool.py", Sought: at("wryneck_count", domain.Place{Line: 1})}, "def wryneck_count(n):\n    return n + 1\n"},
		{File{Name: "plain/page.mhtml", Sought: at("waxwing", domain.Place{})}, "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b; type=\"text/html\"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><p>wax=\r\nwing saved</p></body></html>\r\n--b--\r\n"},
		{File{Name: "plain/guide.md", Sought: at("wheatear", domain.Place{Heading: "One › Two"})}, "# One\n\ntext\n\n## Two\n\n| bird | seen |\n|---|---|\n| wheatear | yes |\n"},
		{File{Name: "plain/empty.txt", State: domain.StateNoText}, ""},
		{File{Name: "plain/spaces.html", State: domain.StateNoText}, "<html><body>   </body></html>"},
		{File{Name: "plain/unknown.bin", State: domain.StateUnsupported}, "\x00\x01\x02\x03\x00\xff\xfe\x00\x00"},
		{File{Name: "plain/damaged.docx", State: domain.StateFailed}, "PK\x03\x04 this is no archive"},
		{File{Name: "plain/picture-with-no-text.docx.pdf", State: domain.StateFailed}, "%PDF-1.7 cut"},
	} {
		if err := m.put(f.file, []byte(f.text)); err != nil {
			return err
		}
	}
	return nil
}
