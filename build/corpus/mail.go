package corpus

import (
	"encoding/base64"
	"fmt"
	"strings"

	"fanous/backend/domain"
)

// attached is a message with files beside its text.
func attached(subject, text string, files ...part) string {
	var b strings.Builder
	border := fmt.Sprintf("border%d", len(text)) // another one than that of a message within
	b.WriteString("From: Keeper <keeper@example.org>\r\nTo: harbour@example.org\r\nSubject: " + subject + "\r\nDate: Tue, 03 Jan 2023 10:00:00 +0330\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=" + border + "\r\n\r\n--" + border + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + text + "\r\n")
	for _, f := range files {
		kind := "application/octet-stream"
		if strings.HasSuffix(f.name, ".eml") {
			kind = "message/rfc822"
		}
		b.WriteString("--" + border + "\r\nContent-Type: " + kind + "\r\nContent-Disposition: attachment; filename*=utf-8''" + percent(f.name) + "\r\n")
		if kind == "message/rfc822" {
			b.WriteString("\r\n" + f.content + "\r\n")
			continue
		}
		b.WriteString("Content-Transfer-Encoding: base64\r\n\r\n" + lines(base64.StdEncoding.EncodeToString([]byte(f.content))) + "\r\n")
	}
	return b.String() + "--" + border + "--\r\n"
}

// percent writes every byte of a name that is no letter or digit of ASCII as RFC 5987 has it.
func percent(name string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(name) {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '.' {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}

// mail writes messages and mailboxes with what is attached to them.
func (m *maker) mail() error {
	document, err := word(wordDocument(xmlHead, wordP(run("tern in the attachment"))))
	if err != nil {
		return err
	}
	inner := attached("Inner", "whimbrel inside", part{"deep.txt", "wagtail in the deep"})
	letter := attached("=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte("بودجهٔ بندر"))+"?=", "skua writes", part{"گزارش.docx", string(document)}, part{"inner.eml", inner})
	indexed := domain.StateIndexed
	err = m.put(File{Name: "mail/letter.eml", Title: "بودجهٔ بندر",
		Members: map[string]domain.DocumentState{"گزارش.docx": indexed, "inner.eml": indexed, "inner.eml/deep.txt": indexed},
		Sought: []Sought{
			{Query: "skua", Marked: []string{"skua"}, Place: domain.Place{Heading: "بودجهٔ بندر"}},
			{Query: "بودجه", Marked: []string{"بودجهٔ"}},
			{Query: "tern", Marked: []string{"tern"}, Member: "گزارش.docx"},
			{Query: "whimbrel", Marked: []string{"whimbrel"}, Member: "inner.eml"},
			{Query: "wagtail", Marked: []string{"wagtail"}, Member: "inner.eml/deep.txt"},
		}}, []byte(letter))
	if err != nil {
		return err
	}
	var box strings.Builder
	for _, message := range []string{attached("First", "redshank came"), attached("Second", "sandpiper went\r\n>From here on it is text", part{"list.csv", "bird,count\nshelduck,7\n"})} {
		box.WriteString("From keeper@example.org Tue Jan  3 10:00:00 2023\n" + strings.ReplaceAll(message, "\r\n", "\n") + "\n")
	}
	return m.put(File{Name: "mail/box.mbox", State: domain.StateContainer,
		Members: map[string]domain.DocumentState{"0001 First": indexed, "0002 Second": indexed, "0002 Second/list.csv": indexed},
		Sought: []Sought{
			{Query: "redshank", Marked: []string{"redshank"}, Member: "0001 First", Place: domain.Place{Heading: "First"}},
			{Query: "sandpiper", Marked: []string{"sandpiper"}, Member: "0002 Second"},
			{Query: "shelduck", Marked: []string{"shelduck"}, Member: "0002 Second/list.csv", Place: domain.Place{Heading: "bird | count"}},
		}}, []byte(box.String()))
}
