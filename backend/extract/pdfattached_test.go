package extract

import (
	"fmt"
	"strings"
	"testing"

	"fanous/backend/extract/pdftest"
)

// TestPDFAttachments: files within a PDF are documents of their own, wherever they are attached, each once.
func TestPDFAttachments(t *testing.T) {
	file := func(content string) string {
		return fmt.Sprintf("<< /Type /EmbeddedFile /Length %d >>\nstream\n%s\nendstream", len(content), content)
	}
	spec := func(name string, object int) string {
		return fmt.Sprintf("<< /Type /Filespec /F (%s) /UF (%s) /EF << /F %d 0 R >> >>", name, name, object)
	}
	p := &pdftest.Hand{
		Catalog: "/Names << /EmbeddedFiles << /Names [(a) 8 0 R (b) 10 0 R (c) 12 0 R] >> >>",
		Annots:  "<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS 8 0 R >> << /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS 11 0 R >>",
		More: []string{
			file("the lamp burned all night"), spec("notes.txt", 7),
			file("# A heading\n\nand a text"), spec("../folder/b.md", 9),
			spec("pinned.txt", 7),
			"<< /Type /Filespec /F (gone.txt) /UF (gone.txt) >>",
		},
	}
	p.Pages = []string{p.Show(40, 500, 10, pdftest.Glyphs("see the files")...)}
	all := readAll(t, "a.pdf", p.Bytes())
	want := strings.TrimLeft(`
(pdf, indexed)
p [] see the files
notes.txt (text, indexed)
p [] the lamp burned all night
pinned.txt (text, indexed)
p [] the lamp burned all night
folder_b.md (markdown, indexed)
h1 [A heading] A heading
p [A heading] and a text
`, "\n")
	if got := listOf(all); got != want {
		t.Errorf("%s", got)
	}
	if got := fmt.Sprint(all[0].Content.Warnings); !strings.Contains(got, `"gone.txt" was left out`) || strings.Count(got, "left out") != 1 {
		t.Error(got)
	}
}
