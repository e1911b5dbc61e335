// Package madeupxlmr writes rerankers of the real sizes with made-up weights, for benchmarks: how long a model
// takes follows from its shape, and no weights can be had where nothing may be downloaded. Their scores say nothing
// about relevance.
package madeupxlmr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fanous/models"
	"fanous/models/onnxgraph"
)

// Shape is the size of a model.
type Shape struct {
	Name                       string
	Vocabulary                 int
	Hidden, Layers, Heads, FFN int
	FourBit                    bool // the layers; the word table always is
}

// Shapes of the real rerankers. The large one has 4-bit layers because as float32 it would be a file of 1.3 GB.
var (
	Mini = Shape{Name: "mini-shape-madeup-weights", Vocabulary: 250002, Hidden: 384, Layers: 12, Heads: 12, FFN: 1536}
	BGE  = Shape{Name: "bge-shape-madeup-weights-q4", Vocabulary: 250002, Hidden: 1024, Layers: 24, Heads: 16, FFN: 4096, FourBit: true}
)

const (
	positions     = 514
	firstPosition = 2
	maxTokens     = 512
	maxQuery      = 256
)

// Folder gives the model's folder under root, and makes it with a copy of an XLM-R tokenizer.json where it is not
// there yet. What stands there is complete.
func Folder(root, tokenizerPath string, s Shape) (string, error) {
	dir := filepath.Join(root, s.Name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(root, s.Name+".part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part) // nothing is there any more once it has its name
	if err := write(part, tokenizerPath, s); err != nil {
		return "", fmt.Errorf("make %s: %w", s.Name, err)
	}
	return dir, os.Rename(part, dir)
}

func write(dir, tokenizerPath string, s Shape) error {
	m := models.Manifest{
		Name: s.Name, Role: models.Reranker, Tier: models.Fast, Precision: "fp32",
		Licence: "none needed: made-up weights, for benchmarks", Source: "a random generator",
		MaxTokens: maxTokens, MaxQueryTokens: maxQuery,
	}
	if s.FourBit {
		m.Tier, m.Precision = models.Precise, "q4"
	}
	graph, err := models.WriteFile(filepath.Join(dir, models.GraphFile), func(w io.Writer) error { return onnxgraph.Write(w, model(s), onnxgraph.Form{}) })
	if err != nil {
		return err
	}
	source, err := os.Open(tokenizerPath)
	if err != nil {
		return err
	}
	defer source.Close()
	tokenizer, err := models.WriteFile(filepath.Join(dir, models.TokenizerFile), func(w io.Writer) error {
		_, err := io.Copy(w, source)
		return err
	})
	if err != nil {
		return err
	}
	m.Files = []models.File{graph, tokenizer}
	return m.Save(dir)
}

func model(s Shape) *onnxgraph.Model {
	d := dice{random: rand.NewChaCha8([32]byte{1}), fourBit: s.FourBit}
	m := &onnxgraph.Model{
		Name: s.Name, Heads: s.Heads, Epsilon: 1e-5, FirstPosition: firstPosition,
		Word: d.nibbles(s.Vocabulary, s.Hidden), Position: d.floats(positions, s.Hidden), Norm: plain(s.Hidden),
		Classifier: &onnxgraph.Classifier{
			Dense: onnxgraph.Linear{Weight: d.floats(s.Hidden, s.Hidden), Bias: make([]float32, s.Hidden)},
			Out:   onnxgraph.Linear{Weight: d.floats(1, s.Hidden), Bias: make([]float32, 1)},
		},
	}
	for range s.Layers {
		m.Layers = append(m.Layers, onnxgraph.Layer{
			Query: d.linear(s.Hidden, s.Hidden), Key: d.linear(s.Hidden, s.Hidden), Value: d.linear(s.Hidden, s.Hidden),
			Output: d.linear(s.Hidden, s.Hidden), AttentionNorm: plain(s.Hidden),
			Up: d.linear(s.FFN, s.Hidden), Down: d.linear(s.Hidden, s.FFN), OutputNorm: plain(s.Hidden),
		})
	}
	return m
}

// plain is a normalisation that does nothing more.
func plain(n int) onnxgraph.Norm {
	norm := onnxgraph.Norm{Weight: make([]float32, n), Bias: make([]float32, n)}
	for i := range norm.Weight {
		norm.Weight[i] = 1
	}
	return norm
}

// dice draws weights whose products keep the size of what they are multiplied with, so that no number
// overflows however many layers there are.
type dice struct {
	random  *rand.ChaCha8
	fourBit bool
}

func (d dice) linear(out, in int) onnxgraph.Linear {
	l := onnxgraph.Linear{Bias: make([]float32, out)}
	if d.fourBit {
		l.Weight = d.nibbles(out, in)
	} else {
		l.Weight = d.floats(out, in)
	}
	return l
}

func (d dice) floats(rows, cols int) onnxgraph.Matrix {
	m := onnxgraph.Matrix{Rows: rows, Cols: cols, Values: make([]float32, rows*cols)}
	scale := math.Sqrt(3 / float64(cols)) // of the even spread whose variance is 1/cols
	for i := range m.Values {
		m.Values[i] = float32((float64(d.random.Uint64()>>11)/(1<<52) - 1) * scale)
	}
	return m
}

func (d dice) nibbles(rows, cols int) onnxgraph.Matrix {
	m := onnxgraph.Matrix{Rows: rows, Cols: cols, Nibbles: make([]byte, rows*cols/2), Scales: make([]byte, rows*cols/onnxgraph.BlockSize*2)}
	_, _ = d.random.Read(m.Nibbles) // it never fails
	// A nibble less 8 has a deviation of 4.6. The scale is a power of two, whose float16 is nothing but its exponent.
	exponent := math.Round(math.Log2(1 / (4.6 * math.Sqrt(float64(cols)))))
	half := uint16(15+exponent) << 10
	for i := 0; i < len(m.Scales); i += 2 {
		binary.LittleEndian.PutUint16(m.Scales[i:], half)
	}
	return m
}
