package store

import (
	"path/filepath"
	"testing"
)

func TestPutTellsTheLanguageOfEachPassage(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "index.db"))
	c := collection(t, s, "mixed")
	doc := document(c, "/bridge.txt", "The bridge was closed for a day.", "پل برای یک روز بسته شد که تعمیر شود.", "4711", "told by its file")
	doc.Chunks[3].Language = "de"
	put(t, writer(t, s), doc)
	for query, want := range map[string]string{"bridge": "en", "تعمیر": "fa", "4711": "", "told": "de"} {
		found := lexical(t, s, c, query)
		passages, err := s.Passages(t.Context(), []int64{found[0].ChunkID})
		if err != nil {
			t.Fatal(err)
		}
		has(t, "language of "+query, passages[0].Chunk.Language, want)
	}
}
