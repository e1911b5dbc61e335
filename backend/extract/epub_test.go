package extract

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// book makes an e-book with two chapters, of which the second in the archive is the first to read.
func book(t testing.TB, first, second string, parts map[string]string) []byte {
	files := map[string]string{
		"mimetype":               "application/epub+zip",
		"META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
		"OEBPS/book.opf": `<package xmlns:dc="d"><metadata><dc:title>The title</dc:title><dc:title>no</dc:title><dc:creator>One</dc:creator><dc:creator>Two</dc:creator></metadata>` +
			`<manifest><item id="a" href="text/b%20c.xhtml"/><item id="b" href="text/a.xhtml"/><item id="nav" href="nav.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`,
		"OEBPS/text/b c.xhtml": first,
		"OEBPS/text/a.xhtml":   second,
		"OEBPS/nav.xhtml":      `<html><p>no</p></html>`,
	}
	for name, content := range parts {
		files[name] = content
	}
	return archive(t, files)
}

func TestEPUB(t *testing.T) {
	c, err := extractBytes(t, book(t, `<?xml version="1.0"?><html xmlns="x"><head><title/><script src="x"/></head><body><h1>فصل اول</h1><p>می‌خواهم</p></body></html>`,
		`<html><body><p>before</p><h1>Two</h1><h2>Deep</h2><p>text</p></body></html>`, map[string]string{
			"META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/font.otf"/></CipherData></EncryptedData></encryption>`,
		}))
	want := "h1 [فصل اول] فصل اول\np [فصل اول] می‌خواهم\np [] before\nh1 [Two] Two\nh2 [Two › Deep] Deep\np [Two › Deep] text\n"
	if got := outlineOf(c.Blocks); err != nil || got != want {
		t.Errorf("%v\n%swant\n%s", err, got, want)
	}
	if c.Title != "The title" || c.Author != "One, Two" || c.Format != "epub" || len(c.Warnings) > 0 {
		t.Errorf("title %q, author %q, format %q, warnings %q", c.Title, c.Author, c.Format, c.Warnings)
	}
}

// openEPUB reads an e-book that may inflate to limit bytes.
func openEPUB(t testing.TB, ctx context.Context, data []byte, limit int64) (string, error) {
	t.Helper()
	c, err := readBook(parts(t, ctx, data, limit))
	wellFormed(t, c)
	return outlineOf(c.Blocks), err
}

func TestEPUBHostile(t *testing.T) {
	locked := map[string]string{"META-INF/encryption.xml": `<encryption><CipherReference URI="OEBPS/text/a.xhtml"/></encryption>`}
	if _, err := extractBytes(t, book(t, "<p>x", "<p>y", locked)); !errors.Is(err, ErrNeedsPassword) {
		t.Errorf("locked: %v", err)
	}
	climbs := map[string]string{"OEBPS/book.opf": `<package><manifest><item id="a" href="../../../../etc/passwd"/><item id="b" href="text/a.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="none"/></spine></package>`}
	if c, err := extractBytes(t, book(t, "", "<p>y", climbs)); err != nil || outlineOf(c.Blocks) != "p [] y\n" || len(c.Warnings) != 1 {
		t.Errorf("a name that climbs out: %+v %v", c, err)
	}
	deep := strings.Repeat("<div>", 200_000) + "deep" + strings.Repeat("</div>", 200_000)
	if c, err := extractBytes(t, book(t, deep, "", nil)); err != nil || outlineOf(c.Blocks) != "p [] deep\n" {
		t.Errorf("nested: %v", err)
	}
	whole := book(t, "<p>x", "<p>y", nil)
	if _, err := extractBytes(t, whole[:len(whole)/2]); err == nil {
		t.Error("half an archive gave no error")
	}
	// A chapter that is read a thousand times counts a thousand times.
	again := map[string]string{"OEBPS/book.opf": `<package><manifest><item id="a" href="text/a.xhtml"/></manifest><spine>` + strings.Repeat(`<itemref idref="a"/>`, 1000) + `</spine></package>`}
	if _, err := openEPUB(t, t.Context(), book(t, "", strings.Repeat("<p>text that goes on", 1000), again), 1<<20); !errors.Is(err, errInflated) {
		t.Errorf("inflating: %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openEPUB(t, canceled, whole, maxInflated); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func FuzzEPUB(f *testing.F) {
	f.Add(`<p>x<h1>y`, `<package><manifest><item id="a" href="text/a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`)
	f.Add(`<title/><script/>z`, `<package><item id="" href="%zz"/><itemref/>`)
	f.Fuzz(func(t *testing.T, chapter, opf string) {
		_, _ = openEPUB(t, context.Background(), book(t, chapter, chapter, map[string]string{"OEBPS/book.opf": opf}), 1<<20)
	})
}
