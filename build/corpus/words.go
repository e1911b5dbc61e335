package corpus

import (
	"fmt"
	"html"
	"strings"

	"fanous/backend/language/languagetest"
)

// words writes each case that finding by words must hold into a file of its own, in one format after the other.
func (m *maker) words() error {
	formats := []struct {
		extension string
		write     func(string) string
	}{
		{"txt", func(s string) string { return s }},
		{"html", func(s string) string {
			return `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><p>` + strings.ReplaceAll(html.EscapeString(s), "\n\n", "</p><p>") + "</p></body></html>"
		}},
		{"eml", func(s string) string {
			return "Subject: a case\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + s + "\n"
		}},
	}
	for i, c := range languagetest.Words() {
		as := formats[i%len(formats)]
		sought := Sought{Query: c.Query, Marked: c.Highlights, Absent: !c.Found}
		f := File{Name: fmt.Sprintf("words/%03d.%s", i, as.extension), Sought: []Sought{sought}}
		// Texts with other numbers do not say the same, and none of them is folded under another.
		if err := m.put(f, []byte(as.write(fmt.Sprintf("%s\n\n%d", c.Doc, 90001+i)))); err != nil {
			return err
		}
	}
	return nil
}
