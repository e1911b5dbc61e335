package corpus

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"fanous/backend/domain"
)

// texts writes the text of each language in every format.
func (m *maker) texts() error {
	for _, t := range languages() {
		for _, w := range []struct {
			folder, extension string
			write             func(text) string
			place             func(second bool) domain.Place
		}{
			{"texts-plain", "txt", text.plain, t.line},
			{"texts-markdown", "md", text.markdown, t.heading},
			{"texts-html", "html", text.html, t.heading},
			{"texts-mail", "eml", text.mail, func(bool) domain.Place { return domain.Place{Heading: t.title} }},
		} {
			f := File{Name: fmt.Sprintf("%s/%s.%s", w.folder, t.lang, w.extension), Sought: t.sought(w.place)}
			if err := m.put(f, []byte(w.write(t))); err != nil {
				return err
			}
		}
	}
	return nil
}

// sought lists what is asked for, where place says where a part of the text stands.
func (t text) sought(place func(second bool) domain.Place) []Sought {
	var out []Sought
	for _, p := range t.inFirst {
		out = append(out, Sought{Query: p.query, Marked: []string{p.marked}, Place: place(false)})
	}
	for _, p := range t.inNext {
		out = append(out, Sought{Query: p.query, Marked: []string{p.marked}, Place: place(true)})
	}
	return out
}

// line is that of the passage, which is the whole of so short a text.
func (t text) line(bool) domain.Place { return domain.Place{Line: 1} }

func (t text) heading(second bool) domain.Place {
	if second {
		return domain.Place{Heading: t.title + " › " + t.chapter}
	}
	return domain.Place{Heading: t.title}
}

func (t text) page(second bool) domain.Place {
	if second {
		return domain.Place{Page: 2}
	}
	return domain.Place{Page: 1}
}

// direction is what HTML calls it.
func (t text) direction() string {
	if t.rightToLeft {
		return "rtl"
	}
	return "ltr"
}

func (t text) plain() string {
	return t.title + "\n\n" + t.first + "\n\n" + t.chapter + "\n\n" + t.second + "\n"
}

func (t text) markdown() string {
	return "# " + t.title + "\n\n" + t.first + "\n\n## " + t.chapter + "\n\n" + t.second + "\n"
}

func (t text) html() string {
	return fmt.Sprintf(`<!DOCTYPE html>
<html lang="%s" dir="%s"><head><meta charset="utf-8"><title>%s</title>
<style>body { font: 14pt "Noto Sans", "Noto Naskh Arabic", sans-serif } h2 { break-before: page }</style></head>
<body><h1>%[3]s</h1><p>%s</p><h2>%s</h2><p>%s</p></body></html>
`, t.lang, t.direction(), html.EscapeString(t.title), html.EscapeString(t.first), html.EscapeString(t.chapter), html.EscapeString(t.second))
}

// mail is a message with an encoded subject and body.
func (t text) mail() string {
	return "From: keeper@example.org\r\nTo: harbour@example.org\r\nSubject: =?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(t.title)) + "?=\r\n" +
		"Date: Mon, 02 Jan 2023 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		lines(base64.StdEncoding.EncodeToString([]byte(t.first+"\r\n\r\n"+t.second+"\r\n"))) + "\r\n"
}

// lines breaks a text as mail has it.
func lines(s string) string {
	var out strings.Builder
	for len(s) > 76 {
		out.WriteString(s[:76] + "\r\n")
		s = s[76:]
	}
	return out.String() + s
}
