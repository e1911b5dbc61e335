package chunk

import (
	"strings"

	"fanous/backend/domain"
)

// Repeated gives how many bytes at the start of next say again what the chunk before it ended with: the one sentence of
// DefaultOverlap. What it cannot tell from new text is not counted.
func Repeated(before, next domain.Chunk) int {
	if next.Ordinal != before.Ordinal+1 || next.Place.Page != before.Place.Page || next.Place.Heading != before.Place.Heading ||
		(next.OCR > 0) != (before.OCR > 0) {
		return 0
	}
	line, _, _ := strings.Cut(next.Text, "\n")
	n := nextSentence(line)
	// No chunk says nothing new.
	if _, end := trim(line, 0, n); end > 0 && end < len(next.Text) && strings.HasSuffix(before.Text, line[:end]) {
		return end
	}
	return 0
}
