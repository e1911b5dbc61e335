package madeupxlmr

import (
	"os"
	"path/filepath"
	"testing"

	"fanous/models"
)

func TestFolder(t *testing.T) {
	root := t.TempDir()
	tokenizer := filepath.Join(root, "source.json")
	if err := os.WriteFile(tokenizer, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, fourBit := range []bool{false, true} {
		s := Shape{Name: "small", Vocabulary: 100, Hidden: 32, Layers: 2, Heads: 4, FFN: 64, FourBit: fourBit}
		if fourBit {
			s.Name = "small-q4"
		}
		if _, err := Folder(root, tokenizer+".missing", s); err == nil {
			t.Error("no error without a tokenizer")
		}
		dir, err := Folder(root, tokenizer, s)
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.Load(dir)
		if err != nil || m.Role != models.Reranker || (m.Precision == "q4") != fourBit {
			t.Errorf("%+v, %v", m, err)
		}
		if state, err := m.Verify(t.Context(), root); err != nil || state.State != models.Installed {
			t.Errorf("%+v, %v", state, err)
		}
		if again, err := Folder(root, tokenizer+".missing", s); err != nil || again != dir {
			t.Errorf("made twice: %v", err)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}
