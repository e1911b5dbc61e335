package madeupxlmr

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"fanous/models"
	"fanous/models/onnxgraph"
)

var small = Shape{Name: "small", Tier: models.Fast, Vocabulary: 100, Hidden: 32, Layers: 2, Heads: 4, FFN: 64}

func TestFolder(t *testing.T) {
	root := t.TempDir()
	tokenizer := filepath.Join(root, "source.json")
	if err := os.WriteFile(tokenizer, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for form, files := range map[onnxgraph.Form]int{
		{Precision: onnxgraph.FP32}:                              3,
		{Precision: onnxgraph.Q4}:                                3,
		{Precision: onnxgraph.Int8, Layout: onnxgraph.Fast}:      3,
		{Precision: onnxgraph.Int8, Layout: onnxgraph.Published}: 2,
	} {
		if _, err := Folder(root, tokenizer+".missing", small, form); err == nil {
			t.Error("no error without a tokenizer")
		}
		dir, err := Folder(root, tokenizer, small, form)
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.Load(dir)
		if err != nil || m.Role != models.Reranker || m.Precision != string(form.Precision) || len(m.Files) != files {
			t.Errorf("%+v, %v", m, err)
		}
		if state, err := m.Verify(t.Context(), nil, root); err != nil || state.State != models.Installed {
			t.Errorf("%+v, %v", state, err)
		}
		if again, err := Folder(root, tokenizer+".missing", small, form); err != nil || again != dir {
			t.Errorf("made twice: %v", err)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 5 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestWeightsAreSpreadAsTheyShould(t *testing.T) {
	m := small.model().Layers[1].Up.Weight
	values := make([]float32, m.Rows*m.Cols)
	if err := m.Read(values, 0); err != nil {
		t.Fatal(err)
	}
	var sum, squares float64
	for _, v := range values {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := float64(len(values))
	if mean, variance := sum/n, squares/n*float64(m.Cols); math.Abs(mean) > 0.01 || math.Abs(variance-1) > 0.1 {
		t.Errorf("mean %g, variance %g / columns", mean, variance)
	}
	part := make([]float32, 5)
	if err := m.Read(part, 70); err != nil {
		t.Fatal(err)
	}
	for i, v := range part {
		if v != values[70+i] {
			t.Errorf("value %d is %g alone and %g among all", 70+i, v, values[70+i])
		}
	}
}
