package onnxgraph

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestWriteGolden(t *testing.T) {
	classifier := &Classifier{Dense: dense(32, 32, 90), Out: dense(1, 32, 91)}
	held, reranker := madeUp(true, 0, nil), madeUp(false, 2, classifier)
	type golden struct {
		name  string
		model *Model
		form  Form
	}
	goldens := []golden{
		{"float-classifier", reranker, Form{}}, {"nibbles-encoder", held, Form{}}, {"nibbles-encoder-fp32-fast", held, Form{FP32, Fast}},
	}
	wide := *reranker
	wide.Layers = []Layer{reranker.Layers[0]}
	wide.Layers[0].Up, wide.Layers[0].Down = dense(4*widest, 32, 9), dense(32, 4*widest, 10)
	goldens = append(goldens, golden{"wide-classifier-int8-fast", &wide, Form{Int8, Fast}})
	for _, f := range []Form{{FP32, Fast}, {FP16, Standard}, {Int8, Standard}, {Int8, Fast}, {Int8, Published}, {Int8Words4, Fast}, {Q4, Standard}} {
		goldens = append(goldens, golden{"classifier-" + f.String(), reranker, f})
	}
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			var file bytes.Buffer
			if err := Write(&file, g.model, g.form); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, g.name, summary(t, file.Bytes()))
		})
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the graph differs from %s (run with -update after checking it):\n%s", path, firstDifference(got, string(want)))
	}
}

func TestWriteTwiceGivesTheSameBytes(t *testing.T) {
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := Write(w, madeUp(true, 0, nil), Form{}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two writes of one model differ")
	}
}

func TestWriteRefusesWrongShapes(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*Model)
		want  string
	}{
		"no words":            {func(m *Model) { m.Word = Matrix{} }, "word table is [0, 0]"},
		"short words":         {func(m *Model) { m.Word.Nibbles = m.Word.Nibbles[1:] }, "word table has 639 bytes of nibbles"},
		"short scales":        {func(m *Model) { m.Word.Scales = m.Word.Scales[2:] }, "bytes of scales"},
		"heads do not divide": {func(m *Model) { m.Heads = 5 }, "5 heads do not divide 32"},
		"no heads":            {func(m *Model) { m.Heads = 0 }, "0 heads"},
		"first position":      {func(m *Model) { m.FirstPosition = 8 }, "first position 8 of 8"},
		"narrow positions":    {func(m *Model) { m.Position.Cols = 16 }, "position table is [8, 16]"},
		"4-bit positions":     {func(m *Model) { m.Position = Matrix{Rows: 8, Cols: 32, Nibbles: []byte{1}} }, "must not be in 4 bits"},
		"norm":                {func(m *Model) { m.Norm.Bias = nil }, "embedding normalisation has 32 weights and 0 biases"},
		"bias":                {func(m *Model) { m.Layers[0].Up.Bias = m.Layers[0].Up.Bias[:3] }, "bias of layer 0 up has 3 values"},
		"down after up":       {func(m *Model) { m.Layers[0].Down = dense(32, 32, 1) }, "layer 0 down is [32, 32], not [32, 64]"},
		"both forms":          {func(m *Model) { m.Layers[0].Key.Weight.Values = []float32{1} }, "given in 2 ways"},
		"classifier":          {func(m *Model) { m.Classifier = &Classifier{Dense: dense(32, 16, 1), Out: dense(1, 32, 1)} }, "classifier dense"},
	} {
		t.Run(name, func(t *testing.T) {
			m := madeUp(true, 0, nil)
			test.spoil(m)
			var file bytes.Buffer
			err := Write(&file, m, Form{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if file.Len() > 0 {
				t.Errorf("%d bytes were written before the model was refused", file.Len())
			}
		})
	}
}

func TestWriteReportsAFullDisk(t *testing.T) {
	full := errors.New("no space left")
	var whole bytes.Buffer
	if err := Write(&whole, madeUp(true, 0, nil), Form{}); err != nil {
		t.Fatal(err)
	}
	for room := 0; room < whole.Len(); room += 19 {
		if err := Write(&limited{room: room, err: full}, madeUp(true, 0, nil), Form{}); !errors.Is(err, full) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}

type limited struct {
	room int
	err  error
}

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.room {
		return 0, l.err
	}
	l.room -= len(p)
	return len(p), nil
}

// madeUp is a model of one layer, 32 wide, with weights that only have to differ from each other.
func madeUp(quantised bool, firstPosition int, c *Classifier) *Model {
	linear := dense
	if quantised {
		linear = nibbles
	}
	return &Model{
		Name: "made-up", Heads: 4, Epsilon: 1e-5, FirstPosition: firstPosition,
		Word:     linear(40, 32, 1).Weight,
		Position: dense(8, 32, 2).Weight,
		Norm:     norm(32, 3),
		Layers: []Layer{{
			Query: linear(32, 32, 4), Key: linear(32, 32, 5), Value: linear(32, 32, 6), Output: linear(32, 32, 7),
			AttentionNorm: norm(32, 8),
			Up:            linear(64, 32, 9), Down: linear(32, 64, 10),
			OutputNorm: norm(32, 11),
		}},
		Classifier: c,
	}
}

func floats(n, seed int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32((i*7+seed*13)%101) / 101
	}
	return v
}

func dense(out, in, seed int) Linear {
	return Linear{Weight: Matrix{Rows: out, Cols: in, Values: floats(out*in, seed)}, Bias: floats(out, seed)}
}

func nibbles(out, in, seed int) Linear {
	m := Matrix{Rows: out, Cols: in, Nibbles: make([]byte, out*in/2), Scales: make([]byte, out*in/BlockSize*2)}
	for i := range m.Nibbles {
		m.Nibbles[i] = byte(i*11 + seed)
	}
	for i := range m.Scales {
		m.Scales[i] = byte(i*5 + seed)
	}
	return Linear{Weight: m, Bias: floats(out, seed)}
}

func norm(n, seed int) Norm { return Norm{Weight: floats(n, seed), Bias: floats(n, seed+1)} }
