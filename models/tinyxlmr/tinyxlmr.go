// Package tinyxlmr makes a small reranker for tests: XLM-R's architecture and its whole vocabulary, with
// made-up weights. Its scores say nothing about relevance. The same weights are made in Python
// (models/reference/tiny_xlmr.py), where the reference libraries' scores for them were recorded, so that
// a real pair can be followed from text to logit without a real model.
package tinyxlmr

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fanous/models"
	"fanous/models/onnxgraph"
)

// Name is the model's name. No catalogue has it.
const Name = "tiny-xlmr-madeup-weights"

// Sizes of the model. The vocabulary and the positions are XLM-R's own.
const (
	vocabulary    = 250002
	positions     = 514
	firstPosition = 2
	hidden        = 32
	layers        = 3
	heads         = 4
	ffn           = 64
	epsilon       = 1e-5
)

// Limits of a pair: those of the real rerankers.
const (
	MaxTokens      = 512
	MaxQueryTokens = 256
)

// Write makes the model's folder, with a copy of an XLM-R tokenizer.json. Nothing of it is random: every
// call writes the same files.
func Write(dir, tokenizerPath string) (models.Manifest, error) {
	m, err := write(dir, tokenizerPath)
	if err != nil {
		return m, fmt.Errorf("make %s: %w", Name, err)
	}
	return m, nil
}

func write(dir, tokenizerPath string) (models.Manifest, error) {
	manifest := models.Manifest{
		Name:           Name,
		Role:           models.Reranker,
		Tier:           models.Fast,
		Precision:      "fp32",
		Licence:        "none needed: made-up weights, for tests",
		Source:         "a random generator; see models/reference/tiny_xlmr.py",
		MaxTokens:      MaxTokens,
		MaxQueryTokens: MaxQueryTokens,
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return manifest, err
	}
	model := Model()
	graph, err := models.WriteFile(filepath.Join(dir, models.GraphFile), func(w io.Writer) error {
		return onnxgraph.Write(w, model, onnxgraph.Form{})
	})
	if err != nil {
		return manifest, err
	}
	tokenizer, err := models.CopyFile(tokenizerPath, filepath.Join(dir, models.TokenizerFile))
	if err != nil {
		return manifest, err
	}
	manifest.Files = []models.File{graph, tokenizer}
	return manifest, manifest.Save(dir)
}

// Model makes the weights. Tensors are drawn in a fixed order, the same as in tiny_xlmr.py, the weight
// before the bias.
func Model() *onnxgraph.Model {
	var g generator
	m := &onnxgraph.Model{
		Name:          Name,
		Heads:         heads,
		Epsilon:       epsilon,
		FirstPosition: firstPosition,
		Word:          g.matrix(vocabulary, hidden, 1),
		Position:      g.matrix(positions, hidden, 0.25),
	}
	for i, t := range g.values(hidden, 0, 0.25) { // the row of the only token type
		for row := range positions {
			m.Position.Values[row*hidden+i] += t
		}
	}
	m.Norm = g.norm()
	for range layers {
		var l onnxgraph.Layer
		l.Query = g.linear(hidden, hidden, 0.5)
		l.Key = g.linear(hidden, hidden, 0.5)
		l.Value = g.linear(hidden, hidden, 0.5)
		l.Output = g.linear(hidden, hidden, 0.5)
		l.AttentionNorm = g.norm()
		l.Up = g.linear(ffn, hidden, 0.5)
		l.Down = g.linear(hidden, ffn, 0.5)
		l.OutputNorm = g.norm()
		m.Layers = append(m.Layers, l)
	}
	m.Classifier = &onnxgraph.Classifier{Dense: g.linear(hidden, hidden, 0.5), Out: g.linear(1, hidden, 1)}
	return m
}

// generator is splitmix64 started at 0.
type generator struct{ state uint64 }

func (g *generator) next() uint64 {
	g.state += 0x9E3779B97F4A7C15
	z := g.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// values are evenly spread in [centre - scale, centre + scale). The conversions keep compilers from joining
// a product and a sum into one rounding, which would make other weights on other processors.
func (g *generator) values(n int, centre, scale float64) []float32 {
	v := make([]float32, n)
	for i := range v {
		u := float64(g.next()>>11) / (1 << 53)
		v[i] = float32(centre + float64((float64(2*u)-1)*scale))
	}
	return v
}

func (g *generator) matrix(rows, cols int, scale float64) onnxgraph.Matrix {
	return onnxgraph.Matrix{Rows: rows, Cols: cols, Values: g.values(rows*cols, 0, scale)}
}

func (g *generator) linear(out, in int, scale float64) onnxgraph.Linear {
	return onnxgraph.Linear{Weight: g.matrix(out, in, scale), Bias: g.values(out, 0, 0.25)}
}

func (g *generator) norm() onnxgraph.Norm {
	return onnxgraph.Norm{Weight: g.values(hidden, 1, 0.25), Bias: g.values(hidden, 0, 0.25)}
}
