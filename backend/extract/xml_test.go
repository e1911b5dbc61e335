package extract

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestXML(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"words of several elements", "<?xml version='1.0'?>\n<article><p>The bo<em>ats</em><b>wain</b>\ncalls<br/>twice</p>\n<p><i>Au</i><b>ch</b></p></article>", "2: The boatswain⏎calls twice\n4: Auch\n"},
		{"a word over the end of a line", "<TEI><p>Hic na<lb break='no'/>vigat<lb/>nauta</p></TEI>", "1: Hic navigat nauta\n"},
		{"data", "<list>\n<ship imo='907'><name>Aras</name><port>بندر</port></ship>\n<ship><name>caf&#233; &amp;&zwnj; x</name></ship></list>", "2: imo: 907⏎name: Aras⏎port: بندر\n3: name: café &\u200c x\n"},
		{"a page within", "<rss><item><d>&lt;p>قایق&lt;b>ها&lt;/b>&lt;/p></d><e><![CDATA[<p>ma<i>st</i></p>]]></e></item></rss>", "1: قایقها\n1: mast\n"},
		{"Word's own", "<package><document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:p><w:r><w:t>Steve</w:t></w:r><w:r><w:t>dore</w:t></w:r></w:p><w:p><w:r><w:t>x</w:t></w:r></w:p></document></package>", "1: Stevedore⏎x\n"},
		{"a drawing", "<svg><path d='M0 0'/><text>Dry<tspan>dock</tspan></text><text><tspan y='2'>one</tspan><tspan y='9'>two</tspan></text></svg>", "1: Drydock\n1: one⏎two\n"},
		{"a picture in letters", "<FictionBook><body>x</body><binary>" + strings.Repeat("iVBORw0KGgo", 90) + "</binary></FictionBook>", "1: x\n"},
		{"broken off", "<a><b>x</b>", "1: <a><b>x</b>\n"},
		{"no XML", "a < b", "1: a < b\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := readXML(context.Background(), test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := linesOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
	c, _ := readXML(context.Background(), "<FictionBook><book-title>A <b>b</b></book-title><body><title>c</title></body></FictionBook>")
	if c.Title != "A b" {
		t.Errorf("the title is %q", c.Title)
	}
}

// TestXMLHostile holds that deep nesting and many names end, in what is read or as plain text.
func TestXMLHostile(t *testing.T) {
	const n = 200_000
	for name, text := range map[string]string{
		"deep":       strings.Repeat("<a>", n) + "deep" + strings.Repeat("</a>", n),
		"deep mixed": strings.Repeat("<a>x", n) + "deep" + strings.Repeat("</a>", n),
		"open":       strings.Repeat("<a>", n) + "deep",
		"closed":     "deep" + strings.Repeat("</a>", n),
		"laughs":     `<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]><a>deep &y;</a>`,
	} {
		c, err := readXML(context.Background(), text)
		if err != nil || !strings.Contains(linesOf(c.Blocks), "deep") {
			t.Errorf("%s: %v, %d blocks", name, err, len(c.Blocks))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readXML(ctx, "<a>1</a>"); err == nil {
		t.Error("a canceled reading went on")
	}
}

func FuzzXML(f *testing.F) {
	f.Add("<a>b<c/>d</a>")
	f.Add("<a b='c'>&lt;p>x&lt;/p></a>")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readXML(context.Background(), decodeText([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range c.Blocks {
			if b.Text == "" || !utf8.ValidString(b.Text) || b.Place.Line < 1 {
				t.Errorf("block %+v", b)
			}
		}
	})
}
