package corpus

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// encoded is a way to write text as bytes.
type encoded struct {
	name  string
	write func(string) string
}

func unicodeEncodings() []encoded {
	wide := func(size int, order binary.AppendByteOrder, mark bool) func(string) string {
		return func(s string) string {
			if mark {
				s = "\ufeff" + s
			}
			var out []byte
			if size == 4 {
				for _, r := range s {
					out = order.AppendUint32(out, uint32(r))
				}
				return string(out)
			}
			for _, u := range utf16.Encode([]rune(s)) {
				out = order.AppendUint16(out, u)
			}
			return string(out)
		}
	}
	little, big := binary.LittleEndian, binary.BigEndian
	return []encoded{
		{"utf8", func(s string) string { return s }}, {"utf8-mark", func(s string) string { return "\ufeff" + s }},
		{"utf16le-mark", wide(2, little, true)}, {"utf16be-mark", wide(2, big, true)}, {"utf16le", wide(2, little, false)}, {"utf16be", wide(2, big, false)},
		{"utf32le-mark", wide(4, little, true)}, {"utf32be-mark", wide(4, big, true)}, {"utf32le", wide(4, little, false)}, {"utf32be", wide(4, big, false)},
	}
}

func page(c *charmap.Charmap) func(string) string {
	return func(s string) string {
		out, err := c.NewEncoder().String(s)
		if err != nil {
			panic(err) // the texts below can be written in it
		}
		return out
	}
}

const (
	persianLine = "نامه دوم: فانوس بندر در شب روشن ماند و نگهبان تا صبح بيدار بود."
	arabicLine  = "الرسالة الأولى: وصل المركب إلى الميناء القديم قبل الفجر ومعه البضاعة."
	frenchLine  = "Première lettre : le gardien a fermé l'école à huit heures, et la forêt s'était tue."
	russianLine = "Первое письмо: смотритель закрыл ворота и зажёг фонарь над пристанью."
)

// utf7 writes a text in UTF-7 (RFC 2152), all of it in base64.
func utf7(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.BigEndian.AppendUint16(out, u)
	}
	return "+" + base64.RawStdEncoding.EncodeToString(out) + "-"
}

// encodings writes the same lines in many encodings, declared early, late, wrongly or not at all.
func (m *maker) encodings() error {
	n := 0
	put := func(name, line string, sought []Sought, write func(string) string) error {
		n++ // texts with other numbers do not say the same
		return m.put(File{Name: "encodings/" + name, Sought: sought}, []byte(write(fmt.Sprintf("%s %d", line, 70000+n))))
	}
	found := func(query, marked string) []Sought { return []Sought{{Query: query, Marked: []string{marked}}} }
	persian, arabic, french, russian := found("نگهبان", "نگهبان"), found("ميناء", "الميناء"), found("ecole", "l'école"), found("фонарь", "фонарь")
	arabicPage, latin, cyrillic, koi := page(charmap.Windows1256), page(charmap.Windows1252), page(charmap.Windows1251), page(charmap.KOI8R)
	html := func(declared string, write func(string) string) func(string) string {
		return func(s string) string {
			return "<html><head>" + declared + "</head><body><p>" + write(s) + "</p></body></html>"
		}
	}
	meta := func(charset string) string {
		return `<meta http-equiv="Content-Type" content="text/html; charset=` + charset + `">`
	}
	late := "<!-- " + strings.Repeat("a long comment that comes first. ", 100) + "-->" + meta("windows-1256")
	header := func(head string, write func(string) string) func(string) string {
		return func(s string) string { return head + "\r\n\r\n" + write(s) + "\r\n" }
	}
	type row struct {
		name, line string
		sought     []Sought
		write      func(string) string
	}
	rows := []row{
		{"1256.txt", persianLine, persian, arabicPage}, {"1256-arabic.txt", arabicLine, arabic, arabicPage},
		{"1252.txt", frenchLine, french, latin}, {"1251.txt", russianLine, russian, cyrillic},
		{"1256-early.html", persianLine, persian, html(meta("windows-1256"), arabicPage)}, {"1256-late.html", persianLine, persian, html(late, arabicPage)},
		{"1256-not.html", persianLine, persian, html("", arabicPage)}, {"1256-wrongly-latin.html", persianLine, persian, html(meta("iso-8859-1"), arabicPage)},
		{"1256-wrongly-utf8.html", persianLine, persian, html(meta("utf-8"), arabicPage)}, {"utf8-wrongly-1256.html", persianLine, persian, html(meta("windows-1256"), func(s string) string { return s })},
		{"1252-wrongly-utf8.html", frenchLine, french, html(meta("utf-8"), latin)}, {"1252-wrongly-1256.html", frenchLine, french, html(meta("windows-1256"), latin)},
		{"1252-early.html", frenchLine, french, html(meta("windows-1252"), latin)}, {"1252-late.html", frenchLine, french, html(strings.Replace(late, "1256", "1252", 1), latin)},
		{"1252-not.html", frenchLine, french, html("", latin)},
		{"koi8.html", russianLine, russian, html(meta("koi8-r"), koi)},
		{"1256-body.eml", persianLine, persian, header("Subject: one\r\nContent-Type: text/plain; charset=windows-1256", arabicPage)},
		{"1256-wrongly-latin.eml", persianLine, persian, header("Subject: two\r\nContent-Type: text/plain; charset=iso-8859-1", arabicPage)},
		{"1256-undeclared.eml", persianLine, persian, header("From: a@example.org\r\nSubject: three", arabicPage)},
		{"1252-wrongly-utf8.eml", frenchLine, french, header("Subject: four\r\nContent-Type: text/plain; charset=utf-8", latin)},
		{"header-raw.eml", persianLine, persian, func(s string) string { return "From: a@example.org\r\nSubject: " + arabicPage(s) + "\r\n\r\nfive\r\n" }},
		{"header-raw-latin.eml", frenchLine, french, func(s string) string { return "From: a@example.org\r\nSubject: " + latin(s) + "\r\n\r\nseven\r\n" }},
		{"utf7.eml", persianLine, persian, header("Subject: eight\r\nContent-Type: text/plain; charset=utf-7", utf7)},
		{"header-wrongly.eml", persianLine, persian, func(s string) string {
			return "From: a@example.org\r\nSubject: =?iso-8859-1?b?" + base64.StdEncoding.EncodeToString([]byte(arabicPage(s))) + "?=\r\n\r\nsix\r\n"
		}},
		{"1256.csv", persianLine, persian, func(s string) string { return arabicPage("شماره;متن\n1;" + s + "\n") }},
		{"utf16.csv", persianLine, persian, func(s string) string { return unicodeEncodings()[2].write("شماره\tمتن\n1\t" + s + "\n") }},
		{"utf16.json", persianLine, persian, func(s string) string { return unicodeEncodings()[4].write(`{"متن": "` + s + `"}`) }},
	}
	for _, e := range unicodeEncodings() {
		rows = append(rows, row{e.name + ".txt", persianLine, persian, e.write}, row{e.name + "-latin.txt", frenchLine, french, e.write},
			row{e.name + ".html", arabicLine, arabic, func(s string) string { return e.write("<html><body><p>" + s + "</p></body></html>") }})
	}
	for _, r := range rows {
		if err := put(r.name, r.line, r.sought, r.write); err != nil {
			return err
		}
	}
	for _, p := range []struct {
		name, head string
		write      func(string) string
	}{
		{"part-utf16.docx", `<?xml version="1.0" encoding="UTF-16"?>`, unicodeEncodings()[2].write},
		{"part-1256.docx", `<?xml version="1.0" encoding="windows-1256"?>`, arabicPage},
		{"part-1256-wrongly.docx", `<?xml version="1.0" encoding="UTF-8"?>`, arabicPage},
	} {
		n++
		data, err := word(p.write(wordDocument(p.head, wordP(run(fmt.Sprintf("%s %d", persianLine, 70000+n))))))
		if err != nil {
			return err
		}
		if err := m.put(File{Name: "encodings/" + p.name, Sought: persian}, data); err != nil {
			return err
		}
	}
	return nil
}
