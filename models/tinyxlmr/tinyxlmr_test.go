package tinyxlmr

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"fanous/models"
	"fanous/models/onnxgraph"
)

// graphDigest belongs to the recorded scores: a model with another digest needs them recorded anew.
const graphDigest = "b26dd091984436ad5785a64efe03fb4762f1b585960c7d0a876e9735828b9b67"

func TestGeneratorIsSplitMix64(t *testing.T) {
	var g generator
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := g.next(); got != want {
			t.Errorf("output %d is %#x, not %#x", i, got, want)
		}
	}
}

func TestModelIsTheOneThatWasRecorded(t *testing.T) {
	sum := sha256.New()
	if err := onnxgraph.Write(sum, Model(), onnxgraph.Form{}); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != graphDigest {
		t.Errorf("the graph has SHA-256 %s, not %s", got, graphDigest)
	}
}

func TestWrite(t *testing.T) {
	root := t.TempDir()
	tokenizer := filepath.Join(root, "source.json")
	if err := os.WriteFile(tokenizer, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, Name)
	manifest, err := Write(dir, tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	if manifest.Digest() != graphDigest || manifest.Role != models.Reranker {
		t.Errorf("%+v", manifest)
	}
	loaded, err := models.Load(dir)
	if err != nil || loaded.Digest() != manifest.Digest() {
		t.Errorf("%+v, %v", loaded, err)
	}
	if s, err := manifest.Verify(t.Context(), nil, root); err != nil || s.State != models.Installed {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Write(dir, tokenizer+".missing"); err == nil {
		t.Error("no error without a tokenizer")
	}
}
