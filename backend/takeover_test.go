package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/store"
	"fanous/models"
)

// made is a model as far as its manifest tells.
func made(name string, role models.Role, tier models.Tier) models.Manifest {
	return models.Manifest{Name: name, Role: role, Tier: tier, Dim: 384, Pooling: "mean", MaxTokens: 512, Precision: "fp32",
		Files: []models.File{{Name: models.GraphFile, Bytes: 1, SHA256: strings.Repeat(name[:1], 64)}}}
}

// TestAModelThatWouldEmbedAsks, where there are vectors of another one, before it takes that one's place.
func TestAModelThatWouldEmbedAsks(t *testing.T) {
	data, texts := t.TempDir(), t.TempDir()
	dirs := filepath.Join(data, "models")
	present := made("a", models.Embedder, models.Starter)
	if err := os.MkdirAll(filepath.Join(dirs, present.Name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := present.Save(filepath.Join(dirs, present.Name)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(texts, "a.txt"), []byte("the lantern of the harbour"), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), Config{DataDir: data, ModelDirs: []string{t.TempDir(), dirs}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	better := made("b", models.Embedder, models.Precise)
	if err := b.asksFirst(t.Context(), better, ""); err != nil {
		t.Errorf("nothing is indexed: %v", err)
	}
	if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{texts}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.asksFirst(t.Context(), better, ""); err != nil {
		t.Errorf("there are no vectors: %v", err)
	}
	w, err := b.store.Writer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetStamp(t.Context(), store.Stamp{Embedder: present.Digest() + "/form", Dim: 384}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		m    models.Manifest
		asks bool
	}{
		{better, true},
		{made("b", models.Embedder, models.Starter), false}, // it comes behind
		{made("A", models.Embedder, models.Starter), true},  // and this one before
		{made("b", models.Reranker, models.Precise), false},
		{present, false},
	} {
		err := b.asksFirst(t.Context(), tt.m, "")
		if tt.asks != (domain.CodeOf(err) == domain.CodeModelReembed) || tt.asks && (!strings.Contains(err.Error(), "vectors of 1 passages") || domain.HintOf(err) == "") {
			t.Errorf("%s %s: %v", tt.m.Name, tt.m.Tier, err)
		}
	}
}
