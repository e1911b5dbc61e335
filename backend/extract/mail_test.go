package extract

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"golang.org/x/text/encoding/charmap"
)

const mailStart = "From: Ali <ali@example.org>\nTo: Sara <sara@example.org>\nDate: Mon, 1 Jan 2024 10:00:00 +0330\n"

// mail makes a message of a subject, further fields and a body.
func letter(subject, fields, body string) string {
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
		{"plain", letter("S", "", "one\ntwo\n\nthree"), head + "p [S] one⏎two\np [S] three\n"},
		{"carriage returns", strings.ReplaceAll(letter("S", "", "one\n\ntwo"), "\n", "\r\n"), head + "p [S] one\np [S] two\n"},
		{"the richer alternative", mailStart + "Subject: S\n" + multi("alternative", plain, page), head + "h3 [S › Head] Head\np [S › Head] rich\n"},
		{"spaces before colons", "From : Ali <ali@example.org>\nTo: Sara <sara@example.org>\nDate: Mon, 1 Jan 2024 10:00:00 +0330\nSUBJECT :\n S\n\none", head + "p [S] one\n"},
		{"lines to be joined", letter("S", "Content-Type: text/plain; charset=utf-8; format=flowed; DelSp=yes\n", "中 \n文\nnext"), head + "p [S] 中文⏎next\n"},
		{"no file after all", letter("S", "", "begin 644 now\nor never: a line longer than its first character says\nend"), head + "p [S] begin 644 now⏎or never: a line longer than its first character says⏎end\n"},
		{"quoted-printable", letter("S", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: Quoted-Printable\n", "caf=C3=A9 and =\nmore = x =ZZ"), head + "p [S] café and more = x =ZZ\n"},
		{"base64", letter("S", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n", base64.StdEncoding.EncodeToString([]byte(persian))), head + "p [S] " + persian + "\n"},
		{"encoding declared", letter("S", "Content-Type: text/plain; charset=windows-1256\n", arabic1256(t, "سلام عليكم")), head + "p [S] سلام عليكم\n"},
		{"encoding declared wrongly", letter("S", "Content-Type: text/plain; charset=us-ascii\n", arabic1256(t, "سلام عليكم")), head + "p [S] سلام عليكم\n"},
		{"UTF-8 declared as another", letter("S", "Content-Type: text/plain; charset=windows-1252\n", persian), head + "p [S] " + persian + "\n"},
		{"Japanese", letter("S", "Content-Type: text/plain; charset=ISO-2022-JP\n", "\x1b$B$3$s\x1b(B"), head + "p [S] こん\n"},
		{"broken fields", letter("S", "Content-Type: text/plain; charset=\"utf-8; x\nno field\n", "text"), head + "p [S] no field\np [S] text\n"},
		{"Apple's count around it", fmt.Sprintf("%-9d\n", len(letter("S", "", "one"))) + letter("S", "", "one") + "<?xml version=\"1.0\"?><plist>", head + "p [S] one\n"},
		{"cut in the middle", letter("S", "", "")[:len(letter("S", "", ""))-1] + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Type: text/pl", head + "p [S] one\n"},
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
	inner := letter("Inner/one", "", "inner text") // a message within the message
	picture := string(madePNG(ornament))
	found := readAll(t, "a.eml", []byte(mailStart+"Subject: Outer\n"+multi("mixed",
		multi("alternative", "\nplain", "Content-Type: text/html\n\n<h2>Head</h2><p>rich"),
		attached("=?utf-8?B?"+base64.StdEncoding.EncodeToString([]byte("هزینه.xlsx"))+"?=", book),
		attached("notes.txt", []byte("line one\nline two")),
		attached("notes.txt", []byte("other notes")),
		"Content-Type: message/rfc822\n\n"+inner,
		attached("forwarded.eml", []byte(mailStart+"Subject: Deep\n"+multi("related", "\ndeep text", attached("../../deepest.csv", []byte("1,2\n3,4\n"))))),
		attached("program.exe", []byte("MZ\x00\x01\x02\x03\x04\x05\x06\x07\x0e\x0f\x10")),
		"Content-Type: image/png; name=logo.png\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=",
		"Content-Type: image/png; name=scan.png\nContent-Disposition: inline\n\n"+picture,
		"Content-Type: application/pkcs7-signature; name=smime.p7s\n\nxxx",
		attached("damaged.docx", []byte("PK\x03\x04 damaged")),
	)))
	who := "From: Ali <ali@example.org>⏎To: Sara <sara@example.org>⏎Date: Mon, 1 Jan 2024 10:00:00 +0330\n"
	want := "(eml, indexed)\nh1 [Outer] Outer\np [Outer] " + who + "h3 [Outer › Head] Head\np [Outer › Head] rich\n" +
		"p [Outer] Attachments: هزینه.xlsx, notes.txt, notes.txt, Inner/one, forwarded.eml, program.exe, scan.png, damaged.docx\n" +
		"هزینه.xlsx (xlsx, indexed)\nh1 [Costs] Costs\ntr [Costs] 7 | 8\n" +
		"notes.txt (text, indexed)\np [] line one⏎line two\n" +
		"notes (2).txt (text, indexed)\np [] other notes\n" +
		"Inner_one (eml, indexed)\nh1 [Inner/one] Inner/one\np [Inner/one] " + who + "p [Inner/one] inner text\n" +
		"forwarded.eml (eml, indexed)\nh1 [Deep] Deep\np [Deep] " + who + "p [Deep] deep text\np [Deep] Attachments: ../../deepest.csv\n" +
		"forwarded.eml/deepest.csv (csv, indexed)\ntr [] 1 | 2\ntr [] 3 | 4\n" +
		"program.exe (, unsupported)\nscan.png (image, no text)\ndamaged.docx (, failed)\n"
	if got := listOf(found); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	sum := sha256.Sum256([]byte("line one\nline two"))
	if f := found[2]; f.Hash != hex.EncodeToString(sum[:]) || f.Size != 17 || found[0].Hash != "" {
		t.Errorf("hash and size of a member: %+v", f)
	}
	if dated := found[0].Content.Dated; !dated.Equal(time.Date(2024, 1, 1, 6, 30, 0, 0, time.UTC)) {
		t.Errorf("dated %v", dated)
	}
}

func TestFilesWithinText(t *testing.T) {
	found := readAll(t, "a.eml", []byte(letter("S", "", "see\n\nbegin 644 notes one.txt\n85&AE('%U:6-K(&)R;W=N(&9O>\"!J=6UP\n`\nend\n\nbye")))
	if got := listOf(found); !strings.HasSuffix(got, "p [S] see\np [S] bye\np [S] Attachments: notes one.txt\nnotes one.txt (text, indexed)\np [] The quick brown fox jump\n") {
		t.Errorf("%s", got)
	}
}

func TestADigestIsMessages(t *testing.T) {
	found := readAll(t, "a.eml", []byte(mailStart+"Subject: D\n"+multi("digest", "\n"+letter("One", "", "first"), "\n"+letter("Two", "", "second"))))
	if got := listOf(found); !strings.Contains(got, "One (eml, indexed)") || !strings.Contains(got, "Two (eml, indexed)") {
		t.Errorf("%s", got)
	}
}

// TestMailCharsets: what a message says of the encoding of an attachment counts where its bytes do not tell.
func TestMailCharsets(t *testing.T) {
	part := func(charset, data string) string {
		return "Content-Type: text/plain; charset=" + charset + "; name=a.txt\nContent-Disposition: attachment\n\n" + data
	}
	greek, err := charmap.ISO8859_7.NewEncoder().String("καλημέρα κόσμε")
	if err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]string{
		part("iso-8859-7", greek):                                "καλημέρα κόσμε",
		part("ISO-2022-JP", "\x1b$B$3$s\x1b(B"):                  "こん",
		part("iso-8859-1", arabic1256(t, "سلام عليكم")):          "سلام عليكم",
		part("utf-8", arabic1256(t, "سلام عليكم")):               "سلام عليكم",
		part("windows-1256", "سلام"):                             "سلام",
		strings.Replace(part("x", "سلام"), "; charset=x", "", 1): "سلام",
	} {
		found := readAll(t, "a.eml", []byte(mailStart+multi("mixed", data)))
		if b := found[1].Content.Blocks; len(b) != 1 || b[0].Text != want {
			t.Errorf("%q: %+v, want %q", data, b, want)
		}
	}
}

func TestMailDates(t *testing.T) {
	want := time.Date(2024, 1, 2, 6, 30, 0, 0, time.UTC)
	for _, s := range []string{"Tue, 2 Jan 2024 10:00:00 +0330", "2 Jan 2024 10:00:00 +0330 (Tehran)", "Tue, 02 Jan 2024 06:30:00 GMT", "2024-01-02T10:00:00+03:30", "Tue Jan  2 06:30:00 2024"} {
		if got := parseMailDate(s); !got.Equal(want) {
			t.Errorf("%q: %v", s, got)
		}
	}
	for _, s := range []string{"", "yesterday", "1 Jan 1402 10:00:00 +0330", "Mon, 99 Foo 9999"} {
		if got := parseMailDate(s); !got.IsZero() {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestMbox(t *testing.T) {
	box := "From ali@example.org Mon Jan  1 10:00:00 2024\n" + letter("One", "", "text\n\nFrom here on it is text\n>From quoted\n\n") +
		"From sara@example.org Tue Jan  2 10:00:00 2024\n" + letter("Re: دو/۲", multi("mixed", "\nmore", attached("a.txt", []byte("in it"))), "")
	who := "From: Ali <ali@example.org>⏎To: Sara <sara@example.org>⏎Date: Mon, 1 Jan 2024 10:00:00 +0330\n"
	want := "0001 One (eml, indexed)\nh1 [One] One\np [One] " + who + "p [One] text\np [One] From here on it is text⏎>From quoted\n" +
		"0002 Re: دو_۲ (eml, indexed)\nh1 [Re: دو/۲] Re: دو/۲\np [Re: دو/۲] " + who + "p [Re: دو/۲] more\np [Re: دو/۲] Attachments: a.txt\n" +
		"0002 Re: دو_۲/a.txt (text, indexed)\np [] in it\n" +
		"(mbox, container) it holds 2 messages\n"
	bordered := func(begin string) string {
		from := regexp.MustCompile(`From .*@.*\n`)
		return strings.TrimPrefix(from.ReplaceAllString(box, mmdfLine+"\n"+mmdfLine+"\n"+begin), mmdfLine+"\n") + mmdfLine + "\n"
	}
	for name, data := range map[string]string{"line feeds": box, "carriage returns": strings.ReplaceAll(box, "\n", "\r\n"),
		"MMDF": bordered(""), "MMDF with carriage returns": strings.ReplaceAll(bordered(""), "\n", "\r\n"), "MMDF with lines of the other kind": bordered("$0")} {
		if got := listOf(readAll(t, "box", []byte(data))); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}

// TestSplitMbox cuts mailboxes that come in small pieces.
func TestSplitMbox(t *testing.T) {
	long := strings.Repeat("x", 300)
	box := "From a\nA: 1\n\n" + long + "\n\nFrom b\nB: 2\n\nFrom x\nno field\n\nFrom y\n" + long + ": \x01\n\nFrom c\nC: 3\n\n" + strings.Repeat("y", 600) + "\n\nFrom d\nD: 4\n"
	var got []string
	for data, err := range splitMbox(bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(box)), 256), 1000) {
		got = append(got, fmt.Sprintf("%.4s %d %v", data, len(data), err))
		if !strings.Contains(box, string(data)) {
			t.Errorf("what came is not what is in the box: %q", data)
		}
	}
	want := []string{"A: 1 308 <nil>", "B: 2 335 <nil>", "C: 3 608 <nil>", "D: 4 5 <nil>"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	got = nil
	for data, err := range splitMbox(bufio.NewReaderSize(strings.NewReader(box), 256), 400) {
		got = append(got, fmt.Sprintf("%.4s %v", data, err != nil))
	}
	if want := []string{"A: 1 false", "B: 2 false", "C: 3 true", "D: 4 false"}; !slices.Equal(got, want) {
		t.Errorf("limited: got %q\nwant %q", got, want)
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
		{letter("S", "", "x"), ".txt", formatEML},
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
	deep := []byte(letter("deepest", "", "text"))
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
	if _, err := readMail(ctx, []byte(letter("S", "", "x"))); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	// An attachment whose reader panics costs itself.
	var all []Found
	closed := make(chan struct{})
	close(closed)
	broken := newReading(t.Context(), &Extractor{pdf: pdfReader{slots: closed}}, func(f Found) error { all = append(all, f); return nil })
	broken.document(held("a.eml", "", []byte(mailStart+multi("mixed", attached("x.pdf", []byte("%PDF-1.7\n")), attached("y.txt", []byte("y")))), 0))
	if got := listOf(all); !strings.HasSuffix(got, "x.pdf (, failed)\ny.txt (text, indexed)\np [] y\n") {
		t.Errorf("a panic: %s", got)
	}
}

func FuzzMail(f *testing.F) {
	f.Add(letter("=?utf-8?B?2LM=?=", "", "x"))
	f.Add(mailStart + multi("mixed", multi("alternative", "\na", "Content-Type: text/html\n\n<p>b"), attached("a.csv", []byte("1,2\n"))))
	f.Add("From a\n" + mailStart + "\nx\n\nFrom b\nSubject: y\n\nz")
	f.Fuzz(func(t *testing.T, data string) {
		if strings.Contains(data, "%PDF-") {
			return // a reader of its own, that takes seconds to start
		}
		for _, format := range []format{formatEML, formatMBOX, formatMHTML} {
			fuzzDocument(t, format, []byte(data))
		}
	})
}
