package extract

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
)

func linesOf(blocks []domain.Block) string {
	var b strings.Builder
	for _, x := range blocks {
		fmt.Fprintf(&b, "%d: %s\n", x.Place.Line, strings.ReplaceAll(x.Text, "\n", "⏎"))
	}
	return b.String()
}

func TestText(t *testing.T) {
	long := strings.Repeat("long ", 30)
	tests := []struct{ name, text, want string }{
		{"paragraphs", "a\nb\n\n\nc\n", "1: a⏎b\n5: c\n"},
		{"only spaces between", "a\n \t\nb", "1: a\n3: b\n"},
		{"indented", "  a\n\tb", "1: a⏎b\n"},
		{"list", "intro\n- one\n- two\n  more\n• three", "1: intro\n2: - one\n3: - two⏎more\n5: • three\n"},
		{"a paragraph a line", long + "\n" + long + "\nend", "1: " + strings.TrimSpace(long) + "\n2: " + strings.TrimSpace(long) + "\n3: end\n"},
		{"nothing", " \n\n", ""},
		{"a log in colours", "\x1b[31;1mred\x1b[0m \x1b[Kword", "1: red word\n"},
		{"references in XML", "<?xml version='1.0'?>\n<a>caf&#233; &amp; &#1705;&#x62A;&#1575;&#1576;</a>", "1: <?xml version='1.0'?>⏎<a>café & کتاب</a>\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := readText(context.Background(), test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := linesOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
	c, _ := readText(context.Background(), strings.Repeat("line\n", 5*maxTextLines))
	if len(c.Blocks) != 5 || c.Blocks[1].Place.Line != maxTextLines+1 {
		t.Errorf("a text without empty lines gave %d blocks", len(c.Blocks))
	}
}

func TestMarkdown(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"headings", "# A *b*\ntext\n\n## C\nd\n\nSetext\n======\ne", "h1 [A b] A b\np [A b] text\nh2 [A b › C] C\np [A b › C] d\nh1 [Setext] Setext\np [Setext] e\n"},
		{"inline", "a **b** _c_ `d*e*` [link](http://x \"t\") ![alt](y) <http://z.example> ~~gone~~ \\*not\\* &amp; &zwnj;x", "p [] a b c d*e* link alt http://z.example gone *not* & \u200cx\n"},
		{"wrapped", "one\ntwo  \nthree", "p [] one⏎two⏎three\n"},
		{"lists", "- one\n- two\n  1. deep\n\n     more\n- [ ] task", "li [] one\nli [] two\nli [] deep\nli [] more\nli [] task\n"},
		{"code", "```go\nx := 1\n\ny\n```\n\n    indented", "pre [] x := 1⏎⏎y\npre [] indented\n"},
		{"table", "|a|b|\n|-|-|\n|1|`2`|", "tr [] a | b\ntr [] 1 | 2\n"},
		{"quote", "> said\n> more", "p [] said⏎more\n"},
		{"HTML", "<div>\n<p>in <b>it</b></p><script>no</script>\n</div>\n\nx <b>y</b> <!-- no -->z", "p [] in it\np [] x y z\n"},
		{"HTML heading", "<h2 align=center>H</h2>\n\ntext", "h2 [H] H\np [H] text\n"},
		{"footnote", "a[^1]\n\n[^1]: the note", "p [] a\np [] the note\n"},
		{"front matter", "---\ntitle: \"T\"\nauthor: A\n---\n\n# H\nx", "h1 [H] H\np [H] x\n"},
		{"front matter with a list", "---\ntitle: T\ntags:\n  - a\n- b\n# c\n\n---\nx", "p [] x\n"},
		{"front matter in TOML", "+++\ntitle = 'T'\n[params]\n+++\nx", "p [] x\n"},
		{"a rule is not front matter", "---\nno pair\n---\nx", "h2 [no pair] no pair\np [no pair] x\n"},
		{"Persian", "# گزارش\n\nمی\u200cخواهم **کتاب** را ۱۴۰۲", "h1 [گزارش] گزارش\np [گزارش] می\u200cخواهم کتاب را ۱۴۰۲\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := readMarkdown(context.Background(), test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := outlineOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

func TestMarkdownLines(t *testing.T) {
	c, err := readMarkdown(context.Background(), "---\ntitle: T\n---\n# A\n\ntext\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|\n\n```\ncode\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "4: A\n6: text\n8: one\n9: two\n11: a | b\n13: 1 | 2\n16: code\n"
	if got := linesOf(c.Blocks); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c.Title != "T" {
		t.Errorf("title %q", c.Title)
	}
}

func TestMarkdownDeep(t *testing.T) {
	for _, s := range []string{"> ", "- ", "1. ", "[", "*a ", "<div>", "![a](", "---", "> - "} {
		c, err := readMarkdown(context.Background(), strings.Repeat(s, 200_000)+"end")
		if err != nil || len(c.Blocks) == 0 {
			t.Errorf("%q: %v, %d blocks", s, err, len(c.Blocks))
		}
	}
}

func TestStates(t *testing.T) {
	tests := []struct {
		name, data string
		want       error
	}{
		{"empty", "", ErrNoText},
		{"only spaces", " \n\t\r\n", ErrNoText},
		{"picture", string(madePNG(0)), ErrNoText},
		{"program", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3e\x00", ErrUnsupported},
		{"7-Zip", "7z\xbc\xaf\x27\x1c\x00\x04" + strings.Repeat("\x00", 40), ErrUnsupported},
		{"RAR", "Rar!\x1a\x07\x01\x00" + strings.Repeat("\x00", 40), ErrUnsupported},
		{"Outlook's store", "!BDN" + strings.Repeat("\x01\x00", 40), ErrUnsupported},
		{"Office of another kind", string(archive(t, map[string]string{"[Content_Types].xml": "<Types/>", "visio/document.xml": "<x/>"})), ErrUnsupported},
		{"Pages", string(archive(t, map[string]string{"Index/Document.iwa": "x", "preview.jpg": "x"})), ErrUnsupported},
		{"Java", string(archive(t, map[string]string{"META-INF/MANIFEST.MF": "x", "a/b.class": "x"})), ErrUnsupported},
		{"old workbook", string(compoundFile(node{"Workbook", []byte("x"), nil})), ErrUnsupported},
		{"old presentation", string(compoundFile(node{"PowerPoint Document", []byte("x"), nil})), ErrUnsupported},
		{"compound file of something else", string(compoundFile(node{"Contents", []byte("x"), nil})), ErrUnsupported},
		{"encrypted Office", string(compoundFile(node{"EncryptionInfo", []byte("x"), nil}, node{"EncryptedPackage", make([]byte, 5000), nil})), ErrNeedsPassword},
		{"a page without text", "<!doctype html><html><body><img src=x></body></html>", ErrNoText},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := extractBytes(t, []byte(test.data)); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
		})
	}
	for name, data := range map[string]string{"PDF": "%PDF-1.7\ngarbage", "archive": "PK\x03\x04garbage", "compound file": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), "document": "PK\x03\x04"} {
		_, err := extractBytes(t, []byte(data))
		if err == nil || errors.Is(err, ErrUnsupported) || errors.Is(err, ErrNoText) || errors.Is(err, ErrNeedsPassword) {
			t.Errorf("damaged %s: %v", name, err)
		}
	}
	if _, err := extractPath(context.Background(), reader, t.TempDir()); !errors.Is(err, ErrUnsupported) {
		t.Errorf("folder: %v", err)
	}
	if _, err := extractPath(context.Background(), reader, t.TempDir()+"/none"); err == nil {
		t.Error("a missing file gave no error")
	}
}

func TestDetectText(t *testing.T) {
	tests := []struct {
		name, head string
		want       format
	}{
		{"a.txt", "plain", formatText},
		{"a.md", "# x", formatMarkdown},
		{"a.MD", "# x", formatMarkdown},
		{"a.txt", "<!DOCTYPE html><p>x", formatHTML},
		{"a.pdf", "<html><body>login", formatHTML},
		{"a.docx", "really text", formatText},
		{"a", "\ufeff \n<HTML>", formatHTML},
		{"a.txt", "<?xml version=\"1.0\"?>\n<html xmlns=\"x\">", formatHTML},
		{"a.html", "no tag at all", formatText},
		{"a.htm", "<p>fragment", formatHTML},
		{"a.txt", "<p>stays text", formatText},
	}
	for _, test := range tests {
		if got := detectText([]byte(test.head), strings.ToLower(filepath.Ext(test.name))); got != test.want {
			t.Errorf("%s %q: %s, want %s", test.name, test.head, got, test.want)
		}
	}
}
