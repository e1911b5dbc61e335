package pdftest

import (
	"fmt"
	"strings"
)

// Letter is a PDF of pages of 612 by 792 points with lines of Helvetica of 20 points, 40 apart, the first with its baseline
// at 700; every line begins at 72. Characters are those of ASCII, brackets with a backslash before them.
func Letter(pages ...[]string) []byte {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	var kids strings.Builder
	for _, lines := range pages {
		n := len(objects) + 1
		fmt.Fprintf(&kids, "%d 0 R ", n)
		var text strings.Builder
		for i, line := range lines {
			fmt.Fprintf(&text, "BT /F1 20 Tf 72 %d Td (%s) Tj ET\n", 700-40*i, line)
		}
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", text.Len(), text.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), len(pages))
	return File(objects, "")
}
