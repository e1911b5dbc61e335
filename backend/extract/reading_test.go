package extract

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"fanous/backend/domain"
)

// listOf shows documents: member, format, state, the reason of a container, and the outline.
func listOf(found []Found) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s (%s, %s)", f.Member, f.Content.Format, f.State)
		if f.State == domain.StateContainer {
			b.WriteString(" " + f.Reason)
		}
		b.WriteString("\n" + outlineOf(f.Content.Blocks))
	}
	return strings.ReplaceAll("\n"+b.String(), "\n (", "\n(")[1:]
}

// file is one of an archive.
type file struct {
	name   string
	data   []byte
	method uint16
	flags  uint16
}

func entry(name, data string) file { return file{name: name, data: []byte(data), method: zip.Deflate} }

// zipped makes an archive of files in their order.
func zipped(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: f.method, Flags: f.flags, Modified: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), NonUTF8: !utf8.ValidString(f.name)}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: 0o600, Typeflag: tar.TypeReg}
		if f.flags != 0 {
			h.Typeflag, h.Linkname, h.Size = byte(f.flags), string(f.data), 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write(f.data); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Name = name
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// madePNG is a picture of at least so many bytes.
func madePNG(size int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		panic(err)
	}
	return append(b.Bytes(), make([]byte, max(0, size-b.Len()))...)
}

func TestZIP(t *testing.T) {
	box := "From a@example.org Mon\n" + letter("One", "", "in a box\n")
	inner := zipped(t, entry("deep.txt", "deep"), file{name: "b.zip", data: zipped(t, entry("deeper.md", "# Deeper\n\nx")), method: zip.Store})
	found := readAll(t, "a.zip", zipped(t,
		entry("reports/", ""),
		entry("reports/گزارش.txt", "سلام"),
		entry("reports/inner.zip", string(inner)),
		file{name: "stored.html", data: []byte("<html><p>as it is"), method: zip.Store},
		file{name: "secret.docx", data: []byte("xx"), method: zip.Deflate, flags: zipEncrypted},
		entry("mail/Inbox", box),
		entry("same.txt", "1"), entry("same.txt", "2"), entry("same (2).txt", "3"),
		entry("empty.txt", ""),
		entry("scan.png", string(madePNG(0))),
		entry("__MACOSX/._same.txt", "no"),
		entry("../../up.txt", "up"), entry("/etc/abs.txt", "abs"), entry(`C:\Users\x\win.txt`, "win"), entry("a/../b/./c.txt", "dots"), entry("..", "no"),
	))
	want := `reports/گزارش.txt (text, indexed)
p [] سلام
reports/inner.zip/deep.txt (text, indexed)
p [] deep
reports/inner.zip/b.zip/deeper.md (markdown, indexed)
h1 [Deeper] Deeper
p [Deeper] x
reports/inner.zip/b.zip (zip, container) it holds 1 file
reports/inner.zip (zip, container) it holds 2 files
stored.html (html, indexed)
p [] as it is
secret.docx (, needs password)
mail/Inbox/0001 One (eml, indexed)
h1 [One] One
p [One] From: Ali <ali@example.org>⏎To: Sara <sara@example.org>⏎Date: Mon, 1 Jan 2024 10:00:00 +0330
p [One] in a box
mail/Inbox (mbox, container) it holds 1 message
same.txt (text, indexed)
p [] 1
same (2).txt (text, indexed)
p [] 2
same (2) (2).txt (text, indexed)
p [] 3
empty.txt (text, no text)
scan.png (image, no text)
up.txt (text, indexed)
p [] up
etc/abs.txt (text, indexed)
p [] abs
Users/x/win.txt (text, indexed)
p [] win
a/b/c.txt (text, indexed)
p [] dots
(zip, container) it holds 14 files
`
	if got := listOf(found); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, f := range found {
		if known := f.Member != "" && f.State != domain.StateNeedsPassword; (f.Hash != "") != known {
			t.Errorf("%q has the hash %q", f.Member, f.Hash)
		}
	}
	if m := found[0].ModTime; !m.Equal(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("time %v", m)
	}
}

func TestTar(t *testing.T) {
	files := []file{entry("a/b.txt", "in b"), {name: "link", data: []byte("/etc/passwd"), flags: tar.TypeSymlink}, entry("../x.csv", "1,2\n3,4")}
	want := "a/b.txt (text, indexed)\np [] in b\nx.csv (csv, indexed)\ntr [] 1 | 2\ntr [] 3 | 4\n"
	for name, test := range map[string]struct {
		data []byte
		end  string
	}{
		"a.tar":    {tarred(t, files...), "(tar, container) it holds 2 files\n"},
		"a.tar.gz": {gzipped(t, "", tarred(t, files...)), "(gzip, container) it holds 2 files\n"},
	} {
		if got := listOf(readAll(t, name, test.data)); got != want+test.end {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
	for name, data := range map[string][]byte{"notes.md.gz": gzipped(t, "", []byte("# H")), "x": gzipped(t, "notes.md", []byte("# H"))} {
		if got, want := listOf(readAll(t, name, data)), "notes.md (markdown, indexed)\nh1 [H] H\n(gzip, container) it holds 1 file\n"; got != want {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
	// bzip2 has no writer in Go: "salam\n" by the program of that name.
	packed, err := hex.DecodeString("425a68393141592653590bc051b2000002c180001020060800200030cd00c1a6011c5dc914e142402f0146c8")
	if err != nil {
		t.Fatal(err)
	}
	if got := listOf(readAll(t, "a.txt.bz2", packed)); got != "a.txt (text, indexed)\np [] salam\n(bzip2, container) it holds 1 file\n" {
		t.Errorf("bzip2: %s", got)
	}
}

func TestArchiveNames(t *testing.T) {
	encode := func(enc encoding.Encoding, s string) string {
		out, err := enc.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	arabic720 := func(s string) string {
		var out []byte
		for _, r := range s {
			if i := strings.IndexRune(upper720, r); r < 0x80 {
				out = append(out, byte(r))
			} else if i >= 0 {
				out = append(out, byte(0x80+utf8.RuneCountInString(upper720[:i])))
			} else {
				t.Fatalf("%q", r)
			}
		}
		return string(out)
	}
	for _, test := range []struct{ raw, want string }{
		{"plain.txt", "plain.txt"},
		{"گزارش.txt", "گزارش.txt"}, // UTF-8 that does not say so
		{encode(charmap.Windows1256, "تقرير 1402/كتاب.txt"), "تقرير 1402/كتاب.txt"},
		{arabic720("تقرير السنة/كتاب نهائي.txt"), "تقرير السنة/كتاب نهائي.txt"},
		{encode(charmap.CodePage437, "Été à Genève/Größe.txt"[len("É"):]), "té à Genève/Größe.txt"},
		{encode(charmap.CodePage866, "Отчёт за год.txt"), "Отчёт за год.txt"},
		{encode(charmap.Windows1251, "Отчёт за год.txt"), "Отчёт за год.txt"},
		{encode(charmap.Windows1252, "Übersicht für März.txt"), "Übersicht für März.txt"},
	} {
		found := readAll(t, "a.zip", zipped(t, entry(test.raw, "x")))
		if found[0].Member != test.want {
			t.Errorf("%q is %q, want %q", test.raw, found[0].Member, test.want)
		}
	}
	// A name in UTF-8 beside one that is not, as some programs write it, counts if it is about that name.
	raw, better := "\x9a\x9b.txt", "گزارش.txt"
	for sum, want := range map[uint32]string{crc32.ChecksumIEEE([]byte(raw)): better, 7: decodeName(raw)} {
		field := binary.LittleEndian.AppendUint16([]byte{1, 0, 2, 0, 'x', 'x', 0x75, 0x70}, uint16(5+len(better)))
		field = append(binary.LittleEndian.AppendUint32(append(field, 1), sum), better...)
		if got := zipNames([]*zip.File{{FileHeader: zip.FileHeader{Name: raw, NonUTF8: true, Extra: field}}}); got[0] != want {
			t.Errorf("a name beside: %q, want %q", got[0], want)
		}
	}
}

func TestMemberNames(t *testing.T) {
	long := strings.Repeat("ن", 300)
	for name, want := range map[string]string{
		"": "", "/": "", "../..": "", "a//b": "a/b", `a\b.txt`: "a/b.txt", `a\b/c`: "a_b/c", "a\x00b\x1b[31m.txt": "ab[31m.txt", "x\u202egpj.exe": "xgpj.exe",
		"d:/x": "x", strings.Repeat("a/", 100) + "b": strings.Repeat("a/", maxNameParts-1) + "b",
	} {
		if got := entryPath(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := entryPath("x/" + long + ".txt"); len(got) > maxNameBytes+3 || !strings.HasSuffix(got, "….txt") || !utf8.ValidString(got) {
		t.Errorf("a long name: %q", got)
	}
	for name, want := range map[string]string{"": "none", "a/b.txt": "a_b.txt", "../../x": "x", `C:\a\b.doc`: "a_b.doc", ".": "none", "Re: 1402/5/1": "Re: 1402_5_1"} {
		if got := flatName(name, "none"); got != want {
			t.Errorf("flat %q: %q, want %q", name, got, want)
		}
	}
}

// endless gives the same byte for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// limited reads a document with little to spend.
func limited(t testing.TB, left int64, entries int, d document) []Found {
	t.Helper()
	var all []Found
	r := newReading(t.Context(), reader, func(f Found) error { all = append(all, f); return nil })
	r.left, r.entries = left, entries
	r.document(d)
	if r.stop != nil {
		t.Fatal(r.stop)
	}
	return all
}

func TestArchivesHostile(t *testing.T) {
	spaces := strings.Repeat(" ", 1<<20)
	last := func(found []Found) Found { return found[len(found)-1] }
	flat := zipped(t, entry("a.txt", "a"), entry("b.txt", spaces+"b"), entry("c.txt", "c"))
	for name, test := range map[string]struct {
		left    int64
		entries int
		data    []byte
		members int
		state   domain.DocumentState
		reason  string
	}{
		"one file too large":    {1 << 19, 10, flat, 2, domain.StateFailed, "inflates"},
		"stored":                {1 << 19, 10, zipped(t, entry("a.txt", "a"), file{name: "b.txt", data: []byte(spaces), method: zip.Store}, entry("c.txt", "c")), 2, domain.StateFailed, "inflates"},
		"many files":            {1 << 30, 2, flat, 2, domain.StateFailed, "files"},
		"enough":                {1 << 30, 3, flat, 3, domain.StateContainer, "3 files"},
		"tape":                  {1 << 19, 10, gzipped(t, "", tarred(t, entry("a.txt", "a"), entry("b.txt", spaces))), 2, domain.StateFailed, "inflates"},
		"one compressed":        {1 << 19, 10, gzipped(t, "", []byte(spaces)), 1, domain.StateFailed, "inflates"},
		"the archives together": {1<<20 + 1<<19, 10, zipped(t, entry("a.gz", string(gzipped(t, "a", []byte(spaces)))), entry("b.gz", string(gzipped(t, "b", []byte(spaces))))), 4, domain.StateFailed, "inflates"},
		"cut tape":              {1 << 30, 10, tarred(t, entry("a.txt", "a"), entry("b.txt", spaces))[:4096], 2, domain.StateContainer, "2 files"},
		"cut":                   {1 << 30, 10, flat[:len(flat)-30], 0, domain.StateFailed, "damaged"},
		"no tape":               {1 << 30, 10, append([]byte("\x1f\x8b\x08\x00"), spaces...), 1, domain.StateContainer, "1 file"},
	} {
		found := limited(t, test.left, test.entries, held("a", "", test.data, 0))
		if f := last(found); f.State != test.state || !strings.Contains(f.Reason, test.reason) || len(found) != test.members+1 || f.Member != "" {
			t.Errorf("%s: %d documents, the last %s: %s", name, len(found), f.State, f.Reason)
		}
	}

	deep := []byte("deep")
	name := "a.txt"
	for range maxDepth + 5 {
		deep, name = zipped(t, entry(name, string(deep))), "a.zip"
	}
	found := readAll(t, "a.zip", deep)
	if len(found) != maxDepth+2 || found[0].State != domain.StateUnsupported || last(found).State != domain.StateContainer {
		t.Errorf("archives in archives: %s", listOf(found))
	}

	// What comes only once and has no end is given up at the limit of one member.
	d := document{source: source{name: "a"}, member: "a", stream: io.LimitReader(endless{}, maxMember+1<<20)}
	if found := limited(t, 1<<40, 10, d); len(found) != 1 || found[0].State != domain.StateFailed || found[0].Hash != "" {
		t.Errorf("endless: %s", listOf(found))
	}
}

func TestReadStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, zipped(t, entry("a.txt", "a"), entry("b.txt", "b")), 0o600); err != nil {
		t.Fatal(err)
	}
	mine, n := errors.New("mine"), 0
	if err := reader.Read(t.Context(), path, func(Found) error { n++; return mine }); !errors.Is(err, mine) || n != 1 {
		t.Errorf("an error of each: %v after %d documents", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n = 0
	if err := reader.Read(ctx, path, func(Found) error { n++; cancel(); return nil }); !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("cancelled: %v after %d documents", err, n)
	}
}

func TestOpen(t *testing.T) {
	box := "From a\n" + letter("One", multi("mixed", "\nx", attached("a.txt", []byte("in a"))), "\n") + "\nFrom b\n" + letter("Two", multi("mixed", "\nx", attached("a.txt", []byte("in b"))), "")
	path := filepath.Join(t.TempDir(), "a.zip")
	whole := zipped(t, entry("box.mbox", box), entry("box.mbox", "other"), file{name: "p.png", data: madePNG(0), method: zip.Store})
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	for member, want := range map[string]string{"": string(whole), "box.mbox/0002 Two/a.txt": "in b", "box (2).mbox": "other", "box.mbox": box, "p.png": string(madePNG(0))} {
		var got []byte
		if err := reader.Open(t.Context(), path, member, func(r *io.SectionReader) (err error) { got, err = io.ReadAll(r); return }); err != nil || string(got) != want {
			t.Errorf("%q: %v, %d bytes, want %d", member, err, len(got), len(want))
		}
	}
	use := func(*io.SectionReader) error { return errors.New("mine") }
	if err := reader.Open(t.Context(), path, "none", use); err == nil || err.Error() == "mine" {
		t.Errorf("a member that is not there: %v", err)
	}
	if err := reader.Open(t.Context(), path, "p.png", use); err == nil || err.Error() != "mine" {
		t.Errorf("an error of use: %v", err)
	}
	if err := reader.Open(t.Context(), path+"x", "p.png", use); err == nil || err.Error() == "mine" {
		t.Errorf("a file that is not there: %v", err)
	}
}

// fuzzDocument reads a document of any format with little to spend, and holds what every document promises.
func fuzzDocument(t *testing.T, format format, data []byte) {
	d := held("a", "", data, 0)
	d.format = format
	names := map[string]bool{}
	r := newReading(t.Context(), &Extractor{}, func(f Found) error {
		if names[f.Member] || f.State == "" || (f.Reason == "") != (f.State == domain.StateIndexed) || !utf8.ValidString(f.Member) {
			t.Errorf("%+v", f)
		}
		if strings.Contains("/"+f.Member+"/", "/../") || strings.HasPrefix(f.Member, "/") {
			t.Errorf("%q leads out", f.Member)
		}
		names[f.Member] = true
		wellFormed(t, f.Content)
		return nil
	})
	r.left, r.entries = 8<<20, 1000
	r.document(d)
	if !names[""] {
		t.Error("the file itself is missing")
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(zipped(f, entry("a.txt", "a"), entry("../b\xe9.md", "# b")))
	f.Add(tarred(f, entry("a.txt", "a")))
	f.Add(gzipped(f, "x", tarred(f, entry("a.txt", "a"))))
	f.Add(tnef(tnefTitle, "a.txt", tnefData, "a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(data, []byte("%PDF-")) {
			return // a reader of its own, that takes seconds to start
		}
		fuzzDocument(t, detectStream(data, ""), data)
	})
}
