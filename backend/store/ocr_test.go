package store

import (
	"testing"

	"fanous/backend/domain"
)

// TestDocumentsWaitForOCR: what came of a document holds for all that share its bytes, and only what waits is listed.
func TestDocumentsWaitForOCR(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	scan, letter := document(c, "/scan.pdf"), document(c, "/letter.pdf", "lantern")
	scan.State, scan.OCR, letter.OCR = domain.StateNoText, domain.OCRWanted, domain.OCRWanted
	put(t, w, document(c, "/plain.txt", "harbour"), scan, twin(scan, "/copy.pdf", "Copy"), letter)
	waiting := func(again bool) (paths []string) {
		list, err := s.WaitingForOCR(t.Context(), c.ID, again)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			paths = append(paths, d.Path)
		}
		return paths
	}
	has(t, "at first", waiting(false), []string{"/scan.pdf", "/letter.pdf"})
	id := entry(t, s, c, "/scan.pdf", "").ID
	if err := w.SetOCR(t.Context(), id, domain.OCRFailed, []string{"page 1: smudged"}); err != nil {
		t.Fatal(err)
	}
	check(t, s)
	e := entry(t, s, c, "/copy.pdf", "")
	has(t, "the copy", []any{e.OCR, len(e.Warnings)}, []any{domain.OCRFailed, 1})
	has(t, "afterwards", waiting(false), []string{"/letter.pdf"})
	has(t, "again", waiting(true), []string{"/scan.pdf", "/letter.pdf"})
	has(t, "passages of what was not asked about", texts(t, s, c, "lantern"), []string{"lantern"})
}
