package extract

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend/extract/pdfium"
	"fanous/backend/extract/pdftest"
)

// BenchmarkPDF reads a document of 20 full pages, and says how much longer that takes than
// the characters of the same pages as pdfium gives them.
func BenchmarkPDF(b *testing.B) {
	const pages = 20
	p := &pdftest.Hand{}
	for range pages {
		var content strings.Builder
		for line := range 50 {
			content.WriteString(p.Show(40, 580-11*float64(line), 8, pdftest.Glyphs("the keeper wrote down every ship that passed and the weather of each day")...))
		}
		p.Pages = append(p.Pages, content.String())
	}
	data := p.Bytes()
	path := filepath.Join(b.TempDir(), "book.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	var ours, plain time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := extractPath(context.Background(), reader, path); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		start = time.Now()
		plainText(b, data)
		plain += time.Since(start)
	}
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N*pages), "ms/page")
	b.ReportMetric(ours.Seconds()/plain.Seconds(), "x-plain")
}

func plainText(b *testing.B, data []byte) {
	library, err := reader.pdf.start()
	if err != nil {
		b.Fatal(err)
	}
	defer reader.pdf.done()
	d, err := library.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	count, err := d.PageCount()
	if err != nil {
		b.Fatal(err)
	}
	for i := range count {
		page, err := d.Page(i)
		if err != nil {
			b.Fatal(err)
		}
		text, err := page.Text()
		if err != nil {
			b.Fatal(err)
		}
		if n, err := text.Characters(0, make([]pdfium.Character, text.Count())); err != nil || n == 0 {
			b.Fatal(n, err)
		}
		text.Close()
		page.Close()
	}
}

// BenchmarkHTML and BenchmarkMarkdown give the throughput of the text formats.
func BenchmarkHTML(b *testing.B) {
	page := strings.Repeat("<h2>Head</h2><p>The keeper <b>wrote</b> down every ship &amp; the weather.</p><table><tr><td>a<td>b</table>", 2000)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if _, err := readHTML(context.Background(), page); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarkdown(b *testing.B) {
	text := strings.Repeat("## Head\n\nThe keeper **wrote** down every [ship](x) & the weather.\n\n- a\n- b\n\n", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := readMarkdown(context.Background(), text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDOCX(b *testing.B) {
	data := word(b, strings.Repeat(p("The keeper wrote down every ship and the weather of each day."), 5000), nil)
	for b.Loop() {
		if _, err := openWord(b, data, maxInflated).read(); err != nil {
			b.Fatal(err)
		}
	}
}
