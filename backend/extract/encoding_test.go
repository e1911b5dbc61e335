package extract

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const (
	persianText = "سلام دنيا، اين يک آزمون است: پنج چاي ژاپني و گُل در سال 1402."
	arabicText  = "السلام عليكم ورحمة الله. هذا اختبارٌ قصير جداً!"
	frenchText  = "Où est l'été ? Ça dépend : naïve, façade, cœur — « déjà » 12 €."
	germanText  = "Größe, Übung, Straße; süß und schön."
	russianText = "Смотритель зажёг фонарь: ЛОДКА пришла в 1917 году."
	chineseText = "这是一个测试文件，没有声明编码。\n第二行。\n"
)

func encodeAs(t *testing.T, enc encoding.Encoding, text string) []byte {
	t.Helper()
	out, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out
}

func TestDecodeText(t *testing.T) {
	utf16le := xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM)
	utf16be := xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM)
	utf32le := utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	utf32be := utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"UTF-8", []byte(persianText), persianText},
		{"UTF-8 with mark", []byte("\ufeff" + persianText), persianText},
		{"UTF-16 LE with mark", append([]byte("\xff\xfe"), encodeAs(t, utf16le, persianText)...), persianText},
		{"UTF-16 BE with mark", append([]byte("\xfe\xff"), encodeAs(t, utf16be, arabicText)...), arabicText},
		{"UTF-16 LE", encodeAs(t, utf16le, persianText), persianText},
		{"UTF-16 BE", encodeAs(t, utf16be, persianText), persianText},
		{"UTF-16 LE, one Arabic word", encodeAs(t, utf16le, "سلام"), "سلام"},
		{"UTF-16 BE, one Arabic word", encodeAs(t, utf16be, "سلام"), "سلام"},
		{"UTF-16 LE, English", encodeAs(t, utf16le, "plain English"), "plain English"},
		{"UTF-16 BE, Chinese", encodeAs(t, utf16be, chineseText), chineseText},
		{"UTF-16 LE, Chinese", encodeAs(t, utf16le, chineseText), chineseText},
		{"UTF-16 LE, emoji", encodeAs(t, utf16le, "ok 👍 fine"), "ok 👍 fine"},
		{"UTF-32 LE with mark", append([]byte("\xff\xfe\x00\x00"), encodeAs(t, utf32le, persianText)...), persianText},
		{"UTF-32 BE with mark", append([]byte("\x00\x00\xfe\xff"), encodeAs(t, utf32be, persianText)...), persianText},
		{"UTF-32 LE", encodeAs(t, utf32le, persianText), persianText},
		{"UTF-32 BE", encodeAs(t, utf32be, arabicText), arabicText},
		{"windows-1251, Russian", encodeAs(t, charmap.Windows1251, russianText), russianText},
		{"windows-1256, Persian", encodeAs(t, charmap.Windows1256, strings.ReplaceAll(persianText, "ي", "ي")), persianText},
		{"windows-1256, Arabic", encodeAs(t, charmap.Windows1256, arabicText), arabicText},
		{"windows-1256 with a joiner", encodeAs(t, charmap.Windows1256, "خانه\u200cها بزرگ هستند"), "خانه\u200cها بزرگ هستند"},
		{"windows-1252, French", encodeAs(t, charmap.Windows1252, frenchText), frenchText},
		{"windows-1252, German", encodeAs(t, charmap.Windows1252, germanText), germanText},
		{"windows-1252, capitals", encodeAs(t, charmap.Windows1252, "ÉTÉ ÇA ÜBER"), "ÉTÉ ÇA ÜBER"},
		{"UTF-8 with a damaged place", []byte(persianText + "\xff" + persianText), persianText + "\ufffd" + persianText},
		{"NULs", []byte("a\x00b plain text that goes on for a while"), "ab plain text that goes on for a while"},
		{"line ends", []byte("a\r\nb\rc\n"), "a\nb\nc\n"},
		{"joiners and marks stay", []byte("می\u200cخواهم مُحَمَّد ﻣﺤﻤﺪ x²"), "می\u200cخواهم مُحَمَّد ﻣﺤﻤﺪ x²"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := decodeText(test.data); got != test.want {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
			if looksBinary(test.data) {
				t.Error("taken for binary")
			}
		})
	}
}

func TestDecodeHTML(t *testing.T) {
	page := func(meta, body string) string {
		return "<html><head>" + meta + "</head><body>" + body + "</body></html>"
	}
	late := "<!--" + strings.Repeat("x", 5000) + "-->"
	tests := []struct {
		name string
		enc  encoding.Encoding
		page string
	}{
		{"declared", charmap.Windows1256, page(`<meta charset="windows-1256">`, persianText)},
		{"declared in the old way", charmap.Windows1256, page(`<meta http-equiv="Content-Type" content="text/html; charset=windows-1256">`, persianText)},
		{"declared late", charmap.Windows1251, page(late+`<meta charset=windows-1251>`, "Привет, мир")},
		{"declared as Western", charmap.Windows1256, page(`<meta charset="iso-8859-1">`, arabicText)},
		{"declared as UTF-8", charmap.Windows1256, page(`<meta charset="utf-8">`, arabicText)},
		{"Western declared as UTF-8", charmap.Windows1252, page(`<meta charset="utf-8">`, frenchText)},
		{"Western declared as Arabic", charmap.Windows1252, page(`<meta charset="windows-1256">`, germanText)},
		{"UTF-8 declared as Western", encoding.Nop, page(`<meta charset="windows-1252">`, persianText)},
		{"not declared", charmap.Windows1256, page("", persianText)},
		{"Chinese", simplifiedchinese.GBK, page(`<meta charset="gb2312">`, "这是一个测试")},
		{"Japanese", japanese.ShiftJIS, page(`<meta charset="Shift_JIS">`, "これは試験です")},
		{"XML declaration", charmap.Windows1251, `<?xml version="1.0" encoding="windows-1251"?>` + page("", "Привет")},
		{"unknown name", charmap.Windows1256, page(`<meta charset="no-such-thing">`, arabicText)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := decodeHTML(encodeAs(t, test.enc, test.page)); got != test.page {
				t.Errorf("got %q\nwant %q", got, test.page)
			}
		})
	}
}

// TestDecodeParts reads the XML part of a document in every encoding, declared rightly, wrongly or not at all.
func TestDecodeParts(t *testing.T) {
	utf16le := xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM)
	marked := xunicode.UTF16(xunicode.BigEndian, xunicode.UseBOM)
	filler := "<!--" + strings.Repeat("x", 3*headSize) + "-->"
	tests := []struct {
		name, declaration string
		enc               encoding.Encoding
		text              string
	}{
		{"UTF-8", `<?xml version="1.0" encoding="UTF-8"?>`, encoding.Nop, persianText},
		{"UTF-8 with a mark", "\ufeff" + `<?xml version="1.0"?>`, encoding.Nop, persianText},
		{"not declared", "", encoding.Nop, persianText},
		{"UTF-16 with a mark", `<?xml version="1.0" encoding="UTF-16"?>`, marked, persianText},
		{"UTF-16 without one", `<?xml version="1.0" encoding="UTF-16"?>`, utf16le, persianText},
		{"UTF-16 that says UTF-8", `<?xml version="1.0" encoding="UTF-8"?>`, utf16le, persianText},
		{"Arabic", `<?xml version="1.0" encoding="windows-1256"?>`, charmap.Windows1256, arabicText},
		{"Arabic that says UTF-8", `<?xml version="1.0" encoding="UTF-8"?>`, charmap.Windows1256, arabicText},
		{"Arabic that says nothing", "", charmap.Windows1256, arabicText},
		{"Cyrillic", `<?xml version="1.0" encoding="koi8-r"?>`, charmap.KOI8R, "Привет, мир"},
		{"Western that says UTF-8", `<?xml version="1.0" encoding="utf-8"?>`, charmap.Windows1252, frenchText},
		{"UTF-8 that says Western", `<?xml version="1.0" encoding="iso-8859-1"?>`, encoding.Nop, persianText},
		{"UTF-8 after a long start", filler, encoding.Nop, persianText},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			part := test.declaration + `<w:document ` + wordNames + `><w:body>` + p(test.text) + `</w:body></w:document>`
			c, err := extractBytes(t, office(t, "word/document.xml", map[string]string{"word/document.xml": string(encodeAs(t, test.enc, part))}))
			if err != nil || len(c.Blocks) != 1 || c.Blocks[0].Text != test.text {
				t.Errorf("%v %+v\nwant %q", err, c.Blocks, test.text)
			}
		})
	}
	for n := range 4 { // the start ends within a letter
		start := `<w:document ` + wordNames + `><w:body>` + p("x") + `<!--`
		start += strings.Repeat("x", headSize-len(start)-len("--><w:p><w:r><w:t>")-n) + `--><w:p><w:r><w:t>`
		c, err := extractBytes(t, office(t, "word/document.xml", map[string]string{"word/document.xml": start + `سلام</w:t></w:r></w:p></w:body></w:document>`}))
		if err != nil || len(c.Blocks) != 2 || c.Blocks[1].Text != "سلام" {
			t.Errorf("%d before the end of the start: %v %+v", n, err, c.Blocks)
		}
	}
	damaged := `<w:document ` + wordNames + `><w:body>` + p(persianText+" \xff "+persianText) + `</w:body></w:document>`
	c, err := extractBytes(t, office(t, "word/document.xml", map[string]string{"word/document.xml": damaged}))
	if err != nil || len(c.Blocks) != 1 || c.Blocks[0].Text != persianText+" \ufffd "+persianText {
		t.Errorf("a damaged place: %v %+v", err, c.Blocks)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("سلام"))
	f.Add([]byte("\xff\xfe\x33\x06"))
	f.Add([]byte("\x00\x00\xfe\xff\x00\x00\x06\x33"))
	f.Add([]byte(`<meta charset="windows-1256">` + "\xd3\xe1\xc7\xe3"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, text := range []string{decodeText(data), decodeHTML(data)} {
			if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				t.Errorf("%q", text)
			}
		}
		looksBinary(data)
	})
}
