package chunk_test

import (
	"math"
	"testing"

	"fanous/backend/chunk"
	"fanous/backend/domain"
)

// TestRecognisedTextStandsAlone: a chunk is of the file's own text or of recognised text, never of both.
func TestRecognisedTextStandsAlone(t *testing.T) {
	at := domain.Place{Page: 1}
	got := chunk.Split([]domain.Block{
		{Text: "own", Place: at},
		{Text: "aaaa", Place: at, OCR: 0.9},
		{Text: "bbbb", Place: at, OCR: 0.5},
		{Text: "own again", Place: at},
	}, chunk.Options{})
	want := []domain.Chunk{{Text: "own"}, {Text: "aaaa\nbbbb", OCR: 0.7}, {Text: "own again"}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i].Text != want[i].Text || math.Abs(got[i].OCR-want[i].OCR) > 1e-9 {
			t.Errorf("chunk %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}
