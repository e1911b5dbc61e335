package extract

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klippa-app/go-pdfium/requests"

	"fanous/backend/extract/pdftest"
)

// BenchmarkPDF reads a document of 20 full pages, and says how much longer that takes than
// pdfium's own plain text of the same pages.
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
	pool, err := reader.pdf.start()
	if err != nil {
		b.Fatal(err)
	}
	defer reader.pdf.done()
	engine, err := pool.GetInstance(time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Close()
	opened, err := engine.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		b.Fatal(err)
	}
	count, err := engine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		b.Fatal(err)
	}
	for i := range count.PageCount {
		page := requests.Page{ByIndex: &requests.PageByIndex{Document: opened.Document, Index: i}}
		if _, err := engine.GetPageText(&requests.GetPageText{Page: page}); err != nil {
			b.Fatal(err)
		}
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
