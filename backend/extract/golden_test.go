package extract

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares whole files of every format with what was read from them when somebody last
// looked at it. libreoffice.doc is libreoffice.html as LibreOffice 7.4 saves it, by way of ODT.
func TestGolden(t *testing.T) {
	if *update {
		writeMadeUp(t)
	}
	for _, name := range []string{"notes.txt", "notes-1256.txt", "guide.md", "persian.html", "persian.pdf", "table.pdf", "python-docx.docx",
		"made-up.xlsx", "made-up.csv", "made-up.pptx", "made-up.odt", "made-up.ods", "made-up.odp", "made-up.eml", "made-up.mbox",
		"libreoffice.doc", "made-up.mhtml", "made-up.epub", "made-up.rtf", "made-up.json", "made-up.py"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, f := range readAll(t, name, data) {
				writeGolden(&b, f)
			}
			golden := "testdata/" + name + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("got\n%swant\n%s", b.String(), want)
			}
		})
	}
}

func writeGolden(b *strings.Builder, f Found) {
	c := f.Content
	if f.Member != "" {
		fmt.Fprintf(b, "member %s\n", f.Member)
	}
	if f.State != domain.StateIndexed {
		fmt.Fprintf(b, "%s: %s\n", f.State, f.Reason)
	}
	fmt.Fprintf(b, "format %s\ntitle %s\nauthor %s\n", c.Format, c.Title, c.Author)
	if !c.Dated.IsZero() {
		fmt.Fprintf(b, "dated %s\n", c.Dated.UTC().Format(time.DateTime))
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(b, "warning %s\n", w)
	}
	for _, x := range c.Blocks {
		fmt.Fprintf(b, "%d:%d%s ", x.Place.Page, x.Place.Line, x.Place.Cells)
		b.WriteString(outlineOf([]domain.Block{x}))
	}
}
