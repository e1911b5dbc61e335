// Package madeupxlmr writes rerankers of the real sizes with made-up weights, for benchmarks: how long a model
// takes follows from its shape, and no weights can be had where nothing may be downloaded. Their scores say nothing
// about relevance.
package madeupxlmr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fanous/models"
	"fanous/models/onnxgraph"
)

// Shape is the size of a model.
type Shape struct {
	Name                       string
	Tier                       models.Tier
	Vocabulary                 int
	Hidden, Layers, Heads, FFN int
}

// Shapes of the real rerankers: mmarco-mMiniLMv2-L12-H384-v1 and bge-reranker-v2-m3.
var (
	Mini = Shape{Name: "mini-shape-madeup-weights", Tier: models.Fast, Vocabulary: 250002, Hidden: 384, Layers: 12, Heads: 12, FFN: 1536}
	BGE  = Shape{Name: "bge-shape-madeup-weights", Tier: models.Precise, Vocabulary: 250002, Hidden: 1024, Layers: 24, Heads: 16, FFN: 4096}
)

const (
	positions     = 514
	firstPosition = 2
	maxTokens     = 512
	maxQuery      = 256
)

// edition is part of every folder's name: folders that are kept must not outlive a change of what is written here.
const edition = 3

// FolderName is the name of the model of a shape in a form, such as bge-shape-madeup-weights-int8-fast-3.
func (s Shape) FolderName(f onnxgraph.Form) string {
	return fmt.Sprintf("%s-%s-%d", s.Name, f, edition)
}

// Folder gives the model's folder under root, and makes it with a copy of an XLM-R tokenizer.json where it is not
// there yet. What stands there is complete. The weights are the same in every form, up to rounding; in the published
// layout they are in the graph's own file.
func Folder(root, tokenizerPath string, s Shape, f onnxgraph.Form) (string, error) {
	dir := filepath.Join(root, s.FolderName(f))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(root, filepath.Base(dir)+".part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part) // nothing is there any more once it has its name
	if err := write(part, tokenizerPath, s, f); err != nil {
		return "", fmt.Errorf("make %s: %w", filepath.Base(dir), err)
	}
	if err := os.Rename(part, dir); err != nil && !errors.Is(err, fs.ErrExist) { // another process was quicker
		return "", err
	}
	return dir, nil
}

func write(dir, tokenizerPath string, s Shape, f onnxgraph.Form) error {
	m := models.Manifest{
		Name: s.FolderName(f), Role: models.Reranker, Tier: s.Tier, Precision: string(f.Precision),
		Licence: "none needed: made-up weights, for benchmarks", Source: "a random generator",
		MaxTokens: maxTokens, MaxQueryTokens: maxQuery,
	}
	var err error
	if m.Files, err = writeGraph(dir, s.model(), f); err != nil {
		return err
	}
	tokenizer, err := models.CopyFile(tokenizerPath, filepath.Join(dir, models.TokenizerFile))
	if err != nil {
		return err
	}
	m.Files = append(m.Files, tokenizer)
	return m.Save(dir)
}

func writeGraph(dir string, m *onnxgraph.Model, f onnxgraph.Form) ([]models.File, error) {
	if f.Layout != onnxgraph.Published {
		return onnxgraph.WriteFolder(context.Background(), dir, m, f, nil)
	}
	file, err := models.WriteFile(filepath.Join(dir, models.GraphFile), func(w io.Writer) error { return onnxgraph.Write(w, m, f) })
	return []models.File{file}, err
}
