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
	mailbox := File{State: domain.StateContainer,
		Members: map[string]domain.DocumentState{"0001 First": indexed, "0002 Second": indexed, "0002 Second/list.csv": indexed},
		Sought: []Sought{
			{Query: "redshank", Marked: []string{"redshank"}, Member: "0001 First", Place: domain.Place{Heading: "First"}},
			{Query: "sandpiper", Marked: []string{"sandpiper"}, Member: "0002 Second"},
			{Query: "shelduck", Marked: []string{"shelduck"}, Member: "0002 Second/list.csv", Place: domain.Place{Heading: "bird | count"}},
		}}
	mailbox.Name = "mail/box.mbox"
	if err := m.put(mailbox, []byte(box.String())); err != nil {
		return err
	}
	// Another collection, for it says the same.
	mailbox.Name = "mail-mmdf/box.mmdf"
	const border = "\x01\x01\x01\x01\n"
	if err := m.put(mailbox, []byte(strings.ReplaceAll(box.String(), "From keeper@example.org Tue", border+border+"From keeper@example.org Tue")[len(border):]+border)); err != nil {
		return err
	}
	return m.closed()
}

// closed writes messages of which others than their readers see nothing, or only that they are signed, and those that
// only Outlook shows.
func (m *maker) closed() error {
	const hidden = "is encrypted"
	inner := "Content-Type: text/plain; charset=utf-8\r\n\r\nnightingale was signed in one piece\r\n"
	member := func(name string, state domain.DocumentState) map[string]domain.DocumentState {
		return map[string]domain.DocumentState{name: state}
	}
	found := func(query, member string) Sought {
		return Sought{Query: query, Marked: []string{query}, Member: member, Once: true}
	}
	wrapped := winmail(attribute{tnefProperties, property(mapiBody, "ouzel wrote this in Outlook")}, attribute{tnefBegin, "x"}, attribute{tnefTitle, "GOZARE~1.TXT\x00"},
		attribute{tnefData, "pipit is attached"}, attribute{tnefAbout, property(mapiLongName, "گزارش.txt")})
	for _, f := range []struct {
		file File
		text string
	}{
		{File{Name: "mail/signed-whole.eml", Sought: []Sought{found("nightingale", "")}}, sealedMail + "Signed\r\n" + enclosed("application/pkcs7-mime; smime-type=signed-data", "smime.p7m", sealed(inner, false))},
		{File{Name: "mail/signed-apart.eml", Sought: []Sought{found("phalarope", ""), missing("signaturebytes")}},
			sealedMail + "Signed apart\r\n" + several("signed; protocol=\"application/pkcs7-signature\"", "Content-Type: text/plain\r\n\r\nphalarope was signed", enclosed("application/pkcs7-signature", "smime.p7s", "signaturebytes"))},
		{File{Name: "mail/encrypted.eml", Warning: hidden, Members: member("smime.p7m", domain.StateNeedsPassword), Sought: []Sought{found("Sealed", "")}},
			sealedMail + "Sealed\r\n" + enclosed("application/pkcs7-mime; smime-type=enveloped-data", "smime.p7m", sealed("x", true))},
		{File{Name: "mail/encrypted-pgp.eml", Warning: hidden, Members: member("encrypted.asc", domain.StateNeedsPassword), Sought: []Sought{found("Locked", "")}},
			sealedMail + "Locked\r\n" + several("encrypted; protocol=\"application/pgp-encrypted\"", "Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n", enclosed("application/octet-stream", "encrypted.asc", pgpHidden))},
		{File{Name: "mail/signed-pgp.eml", Sought: []Sought{found("nuthatch", ""), missing("iQEzBAEBghostletters")}}, sealedMail + "In the clear\r\n\r\n" + pgpSigned},
		{File{Name: "mail/note.txt.p7m", State: domain.StateContainer, Members: member("note.txt", domain.StateIndexed), Sought: []Sought{found("razorbill", "note.txt")}}, sealed("razorbill stands in a signed file", false)},
		{File{Name: "mail/secret.txt.asc", State: domain.StateNeedsPassword}, pgpHidden},
		{File{Name: "mail/outlook.eml", Members: map[string]domain.DocumentState{"winmail.dat": domain.StateContainer, "winmail.dat/message.txt": domain.StateIndexed, "winmail.dat/گزارش.txt": domain.StateIndexed},
			Sought: []Sought{found("ouzel", "winmail.dat/message.txt"), found("pipit", "winmail.dat/گزارش.txt")}}, attached("Outlook", "see below", part{"winmail.dat", wrapped})},
	} {
		if err := m.put(f.file, []byte(f.text)); err != nil {
			return err
		}
	}
	return nil
}
