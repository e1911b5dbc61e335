package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"fanous/backend/domain"
)

// outlineOf writes blocks one a line, so that a difference is easy to see: the kind, the path and
// the text.
func outlineOf(blocks []domain.Block) string {
	kinds := [...]string{"p", "h", "li", "tr", "pre"}
	var b strings.Builder
	for _, x := range blocks {
		kind := kinds[x.Kind]
		if x.Kind == domain.KindHeading {
			kind += fmt.Sprint(x.Level)
		}
		fmt.Fprintf(&b, "%s [%s] %s\n", kind, x.Place.Heading, strings.ReplaceAll(x.Text, "\n", "⏎"))
	}
	return b.String()
}

// outlineAt is an outline with the place that each block stands in.
func outlineAt(blocks []domain.Block, place func(domain.Place) any) string {
	var b strings.Builder
	for _, x := range blocks {
		fmt.Fprintf(&b, "%v ", place(x.Place))
		b.WriteString(outlineOf([]domain.Block{x}))
	}
	return b.String()
}

func TestHTML(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"numbers above the line", "<p>x<sup>2</sup> and y<sup>th</sup>, keeper<sup><a href=x>12</a></sup>.<p><sup><a>i</a></sup>note", "p [] x² and yth, keeper 12 .\np [] i note\n"},
		{"XHTML", "<?xml version='1.0'?><html><head><title/><script src='x'/></head><body><p>a<a id='x'/></p><p><![CDATA[b < c]]></p></body></html>", "p [] a\np [] b < c\n"},
		{"the readings of characters", "<p><ruby>漢<rt>かん</rt>字<rp>(</rp><rt>じ<rp>)</rp></ruby>を<ruby>東<rt>とう<rb>京<rt>きょう</ruby>", "p [] 漢字を東京\n"},
		{"labels of a picture", "<p>a<svg><g><text>one</text><text>two</text></g></svg>b", "p [] a one two b\n"},
		{"paragraphs", "<p>One\n  two<p>Three<b>four</b> five</p>tail", "p [] One two\np [] Threefour five\np [] tail\n"},
		{"no markup at all", "just text", "p [] just text\n"},
		{"headings", "<h1>A</h1><p>a</p><h2>B <em>b</em></h2><p>b</p><h2>C</h2><p>c</p><h1>D</h1>d",
			"h1 [A] A\np [A] a\nh2 [A › B b] B b\np [A › B b] b\nh2 [A › C] C\np [A › C] c\nh1 [D] D\np [D] d\n"},
		{"heading skipped", "<h1>A</h1><h3>B</h3><p>b", "h1 [A] A\nh3 [A › B] B\np [A › B] b\n"},
		{"scripts, styles, navigation", "<style>x{}</style><script>if (a<b) {}</script><nav><ul><li>Home</ul></nav><p>text<script>1</script> more</p><noscript>no</noscript><template>t</template>",
			"p [] text more\n"},
		{"hidden", `<p hidden>a<p>b<div style="display: none">c<p>d</div><span aria-hidden="true">e</span>f`, "p [] b\np [] f\n"},
		{"nothing but navigation", "<nav><a>Home</a></nav>", "p [] Home\n"},
		{"navigation that is never closed", "<nav><p>a", "p [] a\n"},
		{"frames", "<html><head><title>T</title></head><frameset cols=1,2><frame src=a><frame src=b><noframes><body><h1>A</h1><p>a <a href=b>b</a></body></noframes></frameset></html>", "h1 [A] A\np [A] a b\n"},
		{"frames that nobody sees beside text", "<p>a<noframes><p>no <b>frames</noframes><p>b<noframes/><p>c", "p [] a\np [] b\np [] c\n"},
		{"list", "<ul><li>one<li>two<ul><li>deep</ul></ul>after", "li [] one\nli [] two\nli [] deep\np [] after\n"},
		{"table", "<table><caption>Cap</caption><tr><th>a<th>b<tr><td>1<td>2 <b>x</b></table>end", "p [] Cap\ntr [] a | b\ntr [] 1 | 2 x\np [] end\n"},
		{"table with paragraphs in cells", "<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "tr [] a b | c\n"},
		{"table for layout", "<table><tr><td><h1>Head</h1><p>text</p></td></tr></table>", "h1 [Head] Head\np [Head] text\n"},
		{"table in a table", "<table><tr><td>out<table><tr><td>1<td>2</table>back<td>x</table>", "p [] out\ntr [] 1 | 2\ntr [] back | x\n"},
		{"entities", "<p>a &amp; b &lt;c&gt; &#1587;&zwnj;&nbsp;x &unknown; &copy</p>", "p [] a & b <c> س\u200c\u00a0x &unknown; ©\n"},
		{"preformatted", "<pre>\n a\n  b</pre>c", "pre [] a⏎  b\np [] c\n"},
		{"line breaks", "<p>a<br>b<br/>c", "p [] a⏎b⏎c\n"},
		{"pictures", `<p>see <img alt="a lamp" src=x> there`, "p [] see a lamp there\n"},
		{"stray end tags", "</div></p></table>a</b></td>", "p [] a\n"},
		{"right to left", `<p dir="rtl">سلام <bdo dir="ltr">abc</bdo> ۱۲۳`, "p [] سلام abc ۱۲۳\n"},
		{"title is not text", "<title>T &amp; U</title><body>b", "p [] b\n"},
		{"unknown elements", "<my-tag><p>a</p></my-tag><foo>b</foo>", "p [] a\np [] b\n"},
		{"cut in a tag", "<p>text<a href=\"x", "p [] text\n"},
		{"NUL", "<p>a\x00b", "p [] ab\n"},
		{"words of inline elements", "<p><span>in</span><span>line</span> <i>x</i>.", "p [] inline x.\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := readHTML(context.Background(), test.page)
			if err != nil {
				t.Fatal(err)
			}
			if got := outlineOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

func TestHTMLMetadata(t *testing.T) {
	c, err := readHTML(context.Background(), `<title> A
 &amp; B </title><meta name="Author" content="Someone"><h1>H</h1>`)
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != "A & B" || c.Author != "Someone" {
		t.Errorf("title %q, author %q", c.Title, c.Author)
	}
}

func TestHTMLDeep(t *testing.T) {
	const n = 200_000
	for _, tag := range []string{"div", "b", "table", "li", "nav"} {
		text := strings.Repeat("<"+tag+">", n) + "end"
		for _, page := range []string{text, strings.Repeat("<"+tag+"><i>", n) + "end" + strings.Repeat("</"+tag+">", n)} {
			c, err := readHTML(context.Background(), page)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(outlineOf(c.Blocks), "end") {
				t.Errorf("%s: text lost", tag)
			}
		}
	}
}

func TestHTMLCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := readHTML(ctx, "<p>a"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add("<table><tr><td><h1>a</td></table><nav>x")
	f.Add("<p hidden><li><pre>\n x</pre></tr></table>")
	f.Add("<h1><table><tr><td>a<table></h1><td>")
	f.Fuzz(func(t *testing.T, page string) {
		c, err := readHTML(context.Background(), page)
		if err != nil {
			return // a limit of the tokenizer
		}
		for _, b := range c.Blocks {
			if b.Text == "" || !utf8.ValidString(b.Text) || strings.ContainsRune(b.Text, 0) {
				t.Errorf("block %q", b.Text)
			}
		}
	})
}
