package pdftest

import (
	"bytes"
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// Hand is a PDF written byte by byte, for what no real writer can be made to produce.
type Hand struct {
	Pages    []string // content streams, made with Show
	Rotate   int      // of every page
	Unmapped bool     // the font has no map to Unicode and no encoding that says anything
	// Encrypt is "" for none, "user" for a password that opens, "owner" for one that only
	// forbids changes: the file opens without.
	Encrypt string
	Kids    string   // instead of the real page tree
	Count   string   // instead of the real number of pages
	Catalog string   // more of the catalogue
	Annots  string   // the annotations of every page
	More    []string // objects behind those of the pages; the first has the number 5+2*len(Pages)

	codes map[string]byte // character codes of what was shown, which may be several characters
	texts []string
}

// glyphWidth is the width of every glyph of the font, in thousandths.
const glyphWidth = 500

func (p *Hand) code(text string) byte {
	if c, ok := p.codes[text]; ok {
		return c
	}
	if p.codes == nil {
		p.codes = map[string]byte{}
	}
	c := byte(len(p.codes) + 33)
	p.codes[text] = c
	p.texts = append(p.texts, text)
	return c
}

// Glyphs are the characters of a text, one glyph each.
func Glyphs(text string) []string { return strings.Split(text, "") }

// Visual is a right-to-left text as a page shows it, from left to right; numbers are not turned.
func Visual(glyphs []string) []string {
	out := slices.Clone(glyphs)
	slices.Reverse(out)
	number := func(s string) bool { return strings.ContainsAny(s, "0123456789۰۱۲۳۴۵۶۷۸۹") }
	for i := 0; i < len(out); i++ {
		k := i
		for k < len(out) && number(out[k]) {
			k++
		}
		slices.Reverse(out[i:k])
		i = max(i, k)
	}
	return out
}

// Show is the content that draws glyphs one after the other from x on, in one string. Each
// element of glyphs is what one glyph stands for.
func (p *Hand) Show(x, y, size float64, glyphs ...string) string {
	var hex strings.Builder
	for _, g := range glyphs {
		fmt.Fprintf(&hex, "%02x", p.code(g))
	}
	return fmt.Sprintf("BT /F1 %g Tf 1 0 0 1 %g %g Tm <%s> Tj ET\n", size, x, y, hex.String())
}

// ShowLeftwards draws glyphs one by one from right to left, each with its own position.
func (p *Hand) ShowLeftwards(x, y, size float64, glyphs ...string) string {
	var b strings.Builder
	for _, g := range glyphs {
		x -= size * glyphWidth / 1000
		b.WriteString(p.Show(x, y, size, g))
	}
	return b.String()
}

// Bytes is the file.
func (p *Hand) Bytes() []byte {
	n := len(p.Pages)
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R " + p.Catalog + " >>",
		"", // the page tree, below
		p.font(),
		stream(p.toUnicode()),
	}
	kids := ""
	for i := range p.Pages {
		kids += fmt.Sprintf("%d 0 R ", 5+2*i)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Rotate %d /Annots [%s] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", p.Rotate, p.Annots, 6+2*i),
			stream(p.Pages[i]))
	}
	objects = append(objects, p.More...)
	count := fmt.Sprint(n)
	if p.Kids != "" {
		kids = p.Kids
	}
	if p.Count != "" {
		count = p.Count
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %s >>", kids, count)

	trailer := ""
	if p.Encrypt != "" {
		owner, user, key := passwords(p.Encrypt == "user")
		objects = append(objects, fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P -4 >>", owner, user))
		for i := range objects[:len(objects)-1] {
			objects[i] = encryptStream(objects[i], key, i+1)
		}
		trailer = fmt.Sprintf("/Encrypt %d 0 R /ID [<%x> <%x>]", len(objects), fileID, fileID)
	}
	return File(objects, trailer)
}

func (p *Hand) font() string {
	toUnicode, encoding := "/ToUnicode 4 0 R", ""
	if p.Unmapped {
		toUnicode = ""
		var names strings.Builder
		for i := range p.texts {
			fmt.Fprintf(&names, "/g%d ", i)
		}
		encoding = "/Encoding << /Type /Encoding /Differences [33 " + names.String() + "] >>"
	}
	widths := strings.Repeat(fmt.Sprint(glyphWidth, " "), 223)
	return fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /Unknown /FirstChar 33 /LastChar 255 /Widths [%s] %s %s /FontDescriptor << /Type /FontDescriptor /FontName /Unknown /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 /ItalicAngle 0 /CapHeight 700 /StemV 80 >> >>", widths, toUnicode, encoding)
}

func (p *Hand) toUnicode() string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /X def\n/CMapType 2 def\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n")
	fmt.Fprintf(&b, "%d beginbfchar\n", len(p.texts))
	for i, text := range p.texts {
		fmt.Fprintf(&b, "<%02x> <", i+33)
		for _, u := range utf16.Encode([]rune(text)) {
			fmt.Fprintf(&b, "%04x", u)
		}
		b.WriteString(">\n")
	}
	b.WriteString("endbfchar\nendcmap\nend\nend\n")
	return b.String()
}

func stream(content string) string {
	return fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content)
}

// What follows is the standard security handler, revision 2.

var (
	fileID      = []byte("fanous-test-file")
	passwordPad = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")
)

func passwords(user bool) (o, u, key []byte) {
	pad := func(password string) []byte { return append([]byte(password), passwordPad...)[:32] }
	userPassword := ""
	if user {
		userPassword = "secret"
	}
	ownerKey := md5.Sum(pad("owner"))
	o = crypt(ownerKey[:5], pad(userPassword))
	h := md5.New()
	h.Write(pad(userPassword))
	h.Write(o)
	permissions := int32(-4)
	binary.Write(h, binary.LittleEndian, permissions)
	h.Write(fileID)
	key = h.Sum(nil)[:5]
	return o, crypt(key, passwordPad), key
}

func crypt(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}

func encryptStream(object string, key []byte, number int) string {
	head, rest, ok := strings.Cut(object, "stream\n")
	if !ok {
		return object
	}
	data := strings.TrimSuffix(rest, "\nendstream")
	sum := md5.Sum(append(bytes.Clone(key), byte(number), byte(number>>8), byte(number>>16), 0, 0))
	return head + "stream\n" + string(crypt(sum[:10], []byte(data))) + "\nendstream"
}
