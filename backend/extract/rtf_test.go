package extract

import (
	"context"
	"strings"
	"testing"
)

func TestRTF(t *testing.T) {
	const start = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fswiss\fcharset178{\*\falt no}Arial (Arabic);}{\f2\fcharset204 Cyr;}}{\colortbl;\red0;}` +
		`{\stylesheet{\s0 Normal;}{\s1\sbasedon0 heading 1;}{\s2\outlinelevel1 My own;}}{\*\generator no;}{\info{\title The title}{\author The \'e1uthor}{\company no}}`
	tests := []struct{ name, body, want string }{
		{"paragraphs", "\\pard one \\b bold\\b0  and\r\n more\\par two\\line three\\par", "p [] one bold and more\np [] two⏎three\n"},
		{"headings", `\pard\outlinelevel0 A\par\pard a\par\pard\outlinelevel1 B\par\pard b\par`, "h1 [A] A\np [A] a\nh2 [A › B] B\np [A › B] b\n"},
		{"styles of headings", `\pard\s1 A\par\pard\s2 B\par\pard\s0 b\par`, "h1 [A] A\nh2 [A › B] B\np [A › B] b\n"},
		{"beside Unicode", `{\upr{???}{\*\ud{\u1587?\u1604?}}} x\par`, "p [] سل x\n"},
		{"code pages of fonts", `\f1 \'d3\'e1\'c7\'e3 {\f2 \'ef\'f0} \f0 caf\'e9\par`, "p [] سلام пр café\n"},
		{"Unicode with what stands for it", `\uc1\u1587?\u1604\'3f\u1575 ?\u1605\tab x\u1605? {\uc2\u8364\'3f\'3fy}{\uc0\u1587z}\par`, "p [] سلامxم €yسz\n"},
		{"two halves", `\u-10179?\u-8704?\par`, "p [] 😀\n"},
		{"symbols", `a\emdash b\~c\_d \{\}\\ \ldblquote x\rdblquote\zwnj y\par`, "p [] a—b\u00a0c\u2011d {}\\ “x”\u200cy\n"},
		{"destinations", `x{\*\unknown no{no}}{\pict\pngblip 8950}{\field{\*\fldinst HYPERLINK "no"}{\fldrslt link}}{\*\bkmkstart no}\par`, "p [] xlink\n"},
		{"text boxes", `{\shp{\*\shpinst{\sp{\sn no}{\sv no}}{\shptxt box\par}}}\par`, "p [] box\n"},
		{"deleted and hidden", `a {\deleted old}{\revised new}{\v no}\par`, "p [] a new\n"},
		{"notes", `text{\footnote\pard the note\par more} goes on{{\super \chftn{\*\footnote \chftn the other}}}{\*\annotation remark}\par next\par`, "p [] text goes on\np [] the note⏎more\np [] the other\np [] remark\np [] next\n"},
		{"headers and footers once, at the end", `{\header {\b Head} {\f1 \'d3}\par}\pard\outlinelevel0 A\par{\footer\trowd\intbl one\cell two\cell\row}\pard x{\headerf Head}\par\sect{\footer\trowd\intbl one\cell two\cell\row}y\par`,
			"h1 [A] A\np [A] x\np [A] y\np [] Head س\np [] one\ttwo\np [] Head\n"},
		{"lists", `\pard{\listtext\'b7\tab}item\par\pard after\par`, "li [] item\np [] after\n"},
		{"tables", `\trowd\pard\intbl a\par b\cell c\cell\row\trowd d\cell\cell\row\pard after\par`, "tr [] a b | c\ntr [] d | \np [] after\n"},
		{"bytes that are no text", "a\\bin5 }{\\}}b\\par", "p [] ab\n"},
		{"broken off", `one\par two {\b three`, "p [] one\np [] two three\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := extractBytes(t, []byte(start+test.body+"}"))
			if err != nil {
				t.Fatal(err)
			}
			if got := outlineOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if c.Title != "The title" || c.Author != "The áuthor" || c.Format != "rtf" {
				t.Errorf("title %q, author %q, format %q", c.Title, c.Author, c.Format)
			}
		})
	}
	for text, want := range map[string]string{
		`{\rtf1\ansicpg1256 \'d3\'e1\'c7\'e3}`:                                  "p [] سلام\n",
		`{\rtf1\ansicpg1252 \'d3\'e1\'c7\'e3 \'da\'e1\'ed\'df}`:                 "p [] سلام عليك\n", // declared wrongly
		`{\rtf1\ansicpg1250{\fonttbl{\f1\fcharset178 A;}}\f1 \'d3\'e1\'c7\'e3}`: "p [] سلام\n",
		`{\rtf1\ansi caf\'e9}`:                                                  "p [] café\n",
		"{\\rtf1\\ansicpg65001 \xd8\xb3}":                                       "p [] س\n",
		`{\rtf1 ` + strings.Repeat(`\u1587?`, 3) + `\'d3}`:                      "p [] سسس\u00d3\n",
		`{\rtf1\mac \'8e}`:                                                      "p [] é\n",
		`{\rtf1\ansicpg932 \'82\'b1\'82\'f1}`:                                   "p [] こん\n",
	} {
		c, err := extractBytes(t, []byte(text))
		if got := outlineOf(c.Blocks); err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", text, got, err, want)
		}
	}
}

func TestRTFHostile(t *testing.T) {
	for name, body := range map[string]string{
		"groups":     strings.Repeat("{", 1_000_000) + "deep" + strings.Repeat("}", 1_000_000),
		"notes":      strings.Repeat(`x{\footnote `, 200_000) + "deep",
		"headers":    strings.Repeat(`{\header x}`, 200_000) + "deep",
		"ends":       strings.Repeat("}", 200_000) + "deep",
		"controls":   strings.Repeat(`\`+strings.Repeat("a", 100), 20_000) + " deep",
		"numbers":    `\bin-5 \u99999999999999999999 \uc999999999 \f-1 \ansicpg99999999 \outlinelevel-3 deep`,
		"characters": strings.Repeat(`\u-10179`, 200_000) + "?deep",
		"cells":      strings.Repeat(`\cell`, 200_000) + `\row deep`,
	} {
		c, err := extractBytes(t, []byte(`{\rtf1 `+body+`\par}`))
		if err != nil || !strings.Contains(outlineOf(c.Blocks), "deep") {
			t.Errorf("%s: %v, %d blocks", name, err, len(c.Blocks))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readRTF(ctx, []byte(`{\rtf1 x}`)); err == nil {
		t.Error("a canceled reading went on")
	}
}

func FuzzRTF(f *testing.F) {
	f.Add([]byte(`{\rtf1\ansicpg1256{\fonttbl{\f1\fcharset178 A;}}\pard\outlinelevel0 \f1\'d3\par\intbl a\cell\row{\footnote x}}`))
	f.Add([]byte(`{\rtf1 \uc2\u-10179\'3f?\u-8704?}\bin3 }}}{\*\x`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readRTF(context.Background(), data)
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, c)
	})
}
