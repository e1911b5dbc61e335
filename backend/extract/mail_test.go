package extract

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"fanous/backend/domain"
)

const mailStart = "From: Ali <ali@example.org>\nTo: Sara <sara@example.org>\nDate: Mon, 1 Jan 2024 10:00:00 +0330\n"

// mail makes a message of a subject, further fields and a body.
func mail(subject, fields, body string) string {
	return mailStart + "Subject: " + subject + "\n" + fields + "\n" + body
}

func multi(kind string, parts ...string) string {
	s := "Content-Type: multipart/" + kind + "; boundary=\"=b" + kind + "\"\n\npreamble\n"
	for _, p := range parts {
		s += "--=b" + kind + "\n" + p + "\n"
	}
	return s + "--=b" + kind + "--\nepilogue\n"
}

func attached(name string, data []byte) string {
	return "Content-Type: application/octet-stream; name=\"" + name + "\"\nContent-Disposition: attachment; filename=\"" + name +
		"\"\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(data)
}

func arabic1256(t testing.TB, text string) string {
	t.Helper()
	s, err := charmap.Windows1256.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMail(t *testing.T) {
	const head = "h1 [S] S\np [S] From: Ali <ali@example.org>⏎To: Sara <sara@example.org>⏎Date: Mon, 1 Jan 2024 10:00:00 +0330\n"
	plain, page := "Content-Type: text/plain\n\nplain", "Content-Type: text/html\n\n<h2>Head</h2><p>rich"
	persian := "سلام، این یک نامه است"
	tests := []struct{ name, message, want string }{
		{"plain", mail("S", "", "one\ntwo\n\nthree"), head + "p [S] one⏎two\np [S] three\n"},
		{"carriage returns", strings.ReplaceAll(mail("S", "", "one\n\ntwo"), "\n", "\r\n"), head + "p [S] one\np [S] two\n"},
		{"the richer alternative", mailStart + "Subject: S\n" + multi("alternative", plain, page), head + "h3 [S › Head] Head\np [S › Head] rich\n"},
		{"quoted-printable", mail("S", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: Quoted-Printable\n", "caf=C3=A9 and =\nmore = x =ZZ"), head + "p [S] café and more = x =ZZ\n"},
		{"base64", mail("S", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n", base64.StdEncoding.EncodeToString([]byte(persian))), head + "p [S] " + persian + "\n"},
		{"encoding declared", mail("S", "Content-Type: text/plain; charset=windows-1256\n", arabic1256(t, "سلام عليكم")), head + "p [S] سلام عليكم\n"},
		{"encoding declared wrongly", mail("S", "Content-Type: text/plain; charset=us-ascii\n", arabic1256(t, "سلام عليكم")), head + "p [S] سلام عليكم\n"},
		{"UTF-8 declared as another", mail("S", "Content-Type: text/plain; charset=windows-1252\n", persian), head + "p [S] " + persian + "\n"},
		{"Japanese", mail("S", "Content-Type: text/plain; charset=ISO-2022-JP\n", "\x1b$B$3$s\x1b(B"), head + "p [S] こん\n"},
		{"broken fields", mail("S", "Content-Type: text/plain; charset=\"utf-8; x\nno field\n", "text"), head + "p [S] no field\np [S] text\n"},
		{"cut in the middle", mail("S", "", "")[:len(mail("S", "", ""))-1] + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Type: text/pl", head + "p [S] one\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := extractBytes(t, []byte(test.message))
			if err != nil {
				t.Fatal(err)
			}
			if got := outlineOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if c.Title != "S" || c.Author != "Ali <ali@example.org>" || len(c.Warnings) > 0 || c.Format != "eml" {
				t.Errorf("title %q, author %q, format %q, warnings %q", c.Title, c.Author, c.Format, c.Warnings)
			}
		})
	}
}

func TestMailHeaders(t *testing.T) {
	word := func(charset, data string) string {
		return "=?" + charset + "?B?" + base64.StdEncoding.EncodeToString([]byte(data)) + "?="
	}
	salam := "سلام دنیا"
	for raw, want := range map[string]string{
		"plain  text":                                             "plain text",
		"=?utf-8?Q?caf=C3=A9_x?=":                                 "café x",
		word("utf-8", salam) + " and " + "=?x":                    "سلام دنیا and =?x",
		word("utf-8", salam[:5]) + " " + word("UTF-8", salam[5:]): salam, // a character cut in two
		word("windows-1256", arabic1256(t, "سلام")):               "سلام",
		word("iso-8859-1", arabic1256(t, "سلام عليكم")):           "سلام عليكم", // declared wrongly
		word("no-such*fa", salam):                                 salam,
		arabic1256(t, "سلام عليكم"):                               "سلام عليكم", // not encoded at all
		salam:                                                     salam,
		"=?utf-8?B?****?=":                                        "",
	} {
		if got := (mailHeader{"x": raw}).text("x"); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
	for raw, want := range map[string]string{
		`attachment; filename="a b.txt"`:                              "a b.txt",
		`attachment; filename*=utf-8''%DA%AF%D8%B2%D8%A7%D8%B1%D8%B4`: "گزارش",
		`attachment; filename="` + word("utf-8", "گزارش") + `"`:       "گزارش",
		`attachment; filename=a b; x`:                                 "a",
		`inline`:                                                      "",
	} {
		if got := (mailHeader{"content-disposition": raw}).fileName(); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestMailAttachments(t *testing.T) {
	book := sheetBook(t, `<row r="2"><c r="B2"><v>7</v></c><c r="C2"><v>8</v></c></row>`, nil)
	inner := mail("Inner", "", "inner text") // a message within the message
	c, err := extractBytes(t, []byte(mailStart+"Subject: Outer\n"+multi("mixed",
		multi("alternative", "\nplain", "Content-Type: text/html\n\n<p>rich"),
		attached("=?utf-8?B?"+base64.StdEncoding.EncodeToString([]byte("هزینه.xlsx"))+"?=", book),
		attached("notes.txt", []byte("line one\nline two")),
		"Content-Type: message/rfc822\n\n"+inner,
		attached("forwarded.eml", []byte(mailStart+"Subject: Deep\n"+multi("related", "\ndeep text", attached("../../deepest.csv", []byte("1,2\n3,4\n"))))),
		attached("program.exe", []byte("MZ\x00\x01\x02\x03\x04\x05\x06\x07\x0e\x0f\x10")),
		"Content-Type: image/png; name=x.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=",
		attached("damaged.docx", []byte("PK\x03\x04 damaged")),
	)))
	if err != nil {
		t.Fatal(err)
	}
	who := "From: Ali <ali@example.org>⏎To: Sara <sara@example.org>⏎Date: Mon, 1 Jan 2024 10:00:00 +0330\n"
	want := " h1 [Outer] Outer\n p [Outer] " + who + " p [Outer] rich\n" +
		" h2 [Outer › هزینه.xlsx] هزینه.xlsx\n h3 [Outer › هزینه.xlsx › Costs] Costs\nB2:C2 tr [Outer › هزینه.xlsx › Costs] 7 | 8\n" +
		" h2 [Outer › notes.txt] notes.txt\n p [Outer › notes.txt] line one⏎line two\n" +
		" h2 [Outer › Inner] Inner\n p [Outer › Inner] " + who + " p [Outer › Inner] inner text\n" +
		" h2 [Outer › forwarded.eml] forwarded.eml\n h3 [Outer › forwarded.eml › Deep] Deep\n p [Outer › forwarded.eml › Deep] " + who +
		" p [Outer › forwarded.eml › Deep] deep text\n h4 [Outer › forwarded.eml › Deep › ../../deepest.csv] ../../deepest.csv\n" +
		" tr [Outer › forwarded.eml › Deep › ../../deepest.csv] 1 | 2\n tr [Outer › forwarded.eml › Deep › ../../deepest.csv] 3 | 4\n"
	if got := cellsOf(c.Blocks); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], "program.exe") || !strings.Contains(c.Warnings[1], "damaged.docx") {
		t.Errorf("warnings %q", c.Warnings)
	}
}

func TestMbox(t *testing.T) {
	box := "From ali@example.org Mon Jan  1 10:00:00 2024\n" + mail("One", "", "text\n\nFrom here on it is text\n>From quoted\n\n") +
		"From sara@example.org Tue Jan  2 10:00:00 2024\n" + mail("دو", "", "more\n")
	c, err := extractBytes(t, []byte(box))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range c.Blocks {
		if !strings.HasPrefix(b.Text, "From: ") {
			got = append(got, strings.TrimSuffix(outlineOf([]domain.Block{b}), "\n"))
		}
	}
	want := "h1 [One] One, p [One] text, p [One] From here on it is text⏎>From quoted, h1 [دو] دو, p [دو] more"
	if s := strings.Join(got, ", "); s != want || c.Format != "mbox" || c.Title != "" {
		t.Errorf("%s %q:\n%s\nwant\n%s", c.Format, c.Title, s, want)
	}
}

func TestMHTML(t *testing.T) {
	page := "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/\r\nSubject: =?utf-8?Q?The page?=\r\nMIME-Version: 1.0\r\n" + multi("related",
		"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<html><h1>Head</h1><p>text=20here",
		"Content-Type: text/css\n\nbody { color: red }", "Content-Type: text/html\n\n<p>an advertisement")
	c, err := extractBytes(t, []byte(page))
	if got := outlineOf(c.Blocks); err != nil || got != "h1 [Head] Head\np [Head] text here\n" || c.Format != "mhtml" || c.Title != "The page" {
		t.Errorf("%s %q: %s %v", c.Format, c.Title, got, err)
	}
}

func TestDetectMail(t *testing.T) {
	for _, test := range []struct {
		head, ext string
		want      format
	}{
		{mail("S", "", "x"), ".txt", formatEML},
		{"Received: x\r\n\tby y\r\nFrom: a\r\nDate: b\r\n\r\n", "", formatEML},
		{"Subject: only this\n\nx", ".txt", ""},
		{"Subject: only this\n\nx", ".eml", formatEML},
		{"From here on it is text\nand more\n", ".txt", ""},
		{"Title: a\nAuthor: b\nDate: c\n", ".md", ""},
		{"From a@b Mon\n" + mailStart, "", formatMBOX},
		{"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n", ".mht", formatMHTML},
		{"plain", ".eml", ""},
	} {
		if got := detectMail([]byte(test.head), test.ext); got != test.want {
			t.Errorf("%q %s: %q, want %q", test.head, test.ext, got, test.want)
		}
	}
}

func TestMailHostile(t *testing.T) {
	var nested, headers strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&nested, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	headers.WriteString("Subject: x")
	for range 200_000 {
		headers.WriteString("\n folded")
	}
	deep := []byte(mail("deepest", "", "text"))
	for range 40 {
		deep = []byte(mailStart + "Subject: deep\n" + multi("mixed", attached("a.eml", deep[:min(len(deep), 1<<20)])))
	}
	for name, message := range map[string]string{
		"nested parts":         mailStart + nested.String() + "\ntext",
		"a header without end": mailStart + headers.String(),
		"many parts":           mailStart + "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 200_000),
		"an empty boundary":    mailStart + "Content-Type: multipart/mixed; boundary=\"\"\n\n" + strings.Repeat("--\nx\n", 100),
		"words without end":    mailStart + "Subject: " + strings.Repeat("=?utf-8?B?YQ==?= ", 200_000) + "\n\nx",
		"messages in messages": string(deep),
	} {
		c, err := extractBytes(t, []byte(message))
		if err != nil || len(c.Blocks) > 200_000 {
			t.Errorf("%s: %v, %d blocks", name, err, len(c.Blocks))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reader.readMail(ctx, []byte(mail("S", "", "x"))); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	// An attachment whose reader panics costs itself.
	broken := &mailbox{ctx: t.Context()}
	if err := broken.attachment("x.pdf", "", []byte("%PDF-1.7\n"), 2, 1); err != nil || len(broken.warnings) != 1 {
		t.Errorf("a panic: %v %q", err, broken.warnings)
	}
}

func FuzzMail(f *testing.F) {
	f.Add(mail("=?utf-8?B?2LM=?=", "", "x"))
	f.Add(mailStart + multi("mixed", multi("alternative", "\na", "Content-Type: text/html\n\n<p>b"), attached("a.csv", []byte("1,2\n"))))
	f.Add("From a\n" + mailStart + "\nx\n\nFrom b\nSubject: y\n\nz")
	x := New(Options{})
	f.Fuzz(func(t *testing.T, data string) {
		if strings.Contains(data, "%PDF-") {
			return // a reader of its own, that takes seconds to start
		}
		for _, read := range []func(context.Context, []byte) (domain.Content, error){x.readMail, x.readMbox, x.readMHTML} {
			c, err := read(context.Background(), []byte(data))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range c.Blocks {
				if b.Text == "" || !utf8.ValidString(b.Text) {
					t.Errorf("block %+v", b)
				}
			}
		}
	})
}
