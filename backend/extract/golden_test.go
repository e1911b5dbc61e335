package extract

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"fanous/backend/domain"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares whole files of every format with what was read from them when somebody last
// looked at it.
func TestGolden(t *testing.T) {
	if *update {
		writeMadeUp(t)
	}
	for _, name := range []string{"notes.txt", "notes-1256.txt", "guide.md", "persian.html", "persian.pdf", "table.pdf", "python-docx.docx",
		"made-up.xlsx", "made-up.csv", "made-up.pptx", "made-up.odt", "made-up.ods", "made-up.odp", "made-up.eml", "made-up.mbox",
		"made-up.mhtml", "made-up.epub", "made-up.rtf", "made-up.json", "made-up.py"} {
		t.Run(name, func(t *testing.T) {
			c := extractFile(t, "testdata/"+name)
			var b strings.Builder
			fmt.Fprintf(&b, "format %s\ntitle %s\nauthor %s\n", c.Format, c.Title, c.Author)
			for _, w := range c.Warnings {
				fmt.Fprintf(&b, "warning %s\n", w)
			}
			for _, x := range c.Blocks {
				fmt.Fprintf(&b, "%d:%d%s ", x.Place.Page, x.Place.Line, x.Place.Cells)
				b.WriteString(outlineOf([]domain.Block{x}))
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
