package onnxgraph

import (
	"fmt"
	"io"
	"slices"
)

// Version is of the writer: it grows when the same model in the same form gives other numbers.
const Version = 1

// Form is how a model is laid out as a graph. The zero Form keeps each matrix as the model holds it, in the standard
// layout.
type Form struct {
	Precision Precision
	Layout    Layout
}

// Precision is how a graph holds and multiplies the model's matrices.
type Precision string

// Precisions that a model is written in. The position table and the normalisations keep float32 but in FP16.
const (
	AsHeld     Precision = ""
	FP32       Precision = "fp32"
	FP16       Precision = "fp16"        // everything; for GPUs. The output is float32 still.
	Int8       Precision = "int8"        // for CPUs: a scale an output channel, activations quantised as they come
	Int8Words4 Precision = "int8-words4" // the same with the word table in 4 bits
	Q4         Precision = "q4"          // 4-bit blocks, multiplied in float32: small, not fast
)

// Layout is which operators a graph consists of.
type Layout int

const (
	// Standard takes a mask, so that texts of different lengths go in one batch, padded on the right.
	Standard Layout = iota
	// Fast takes no mask: there must be no padding. Attention is one fused operator and a classifier's last layer is
	// worked out for the first token alone. Its numbers are Standard's but for the order of summing.
	Fast
	// Published is laid out and, with Int8, quantised as ONNX Runtime's own tool does it: a scale a matrix, standard
	// operators only. It stands for published files in comparisons.
	Published
)

// String names the form, as int8-fast.
func (f Form) String() string {
	name := string(f.Precision)
	if name == "" {
		name = "as-held"
	}
	switch f.Layout {
	case Fast:
		name += "-fast"
	case Published:
		name += "-published"
	}
	return name
}

func (f Form) check() error {
	known := []Precision{AsHeld, FP32, FP16, Int8, Int8Words4, Q4}
	if !slices.Contains(known, f.Precision) {
		return fmt.Errorf("precision %q is not known, only %q", f.Precision, known[1:])
	}
	return nil
}

// words is the precision of the word table.
func (f Form) words() Precision {
	if f.Precision == Int8Words4 {
		return Q4
	}
	return f.Precision
}

// matrices is the precision of everything else.
func (f Form) matrices() Precision {
	if f.Precision == Int8Words4 {
		return Int8
	}
	return f.Precision
}

// of gives a matrix's own precision.
func (p Precision) of(m Matrix) Precision {
	switch {
	case p != AsHeld:
		return p
	case m.Nibbles != nil:
		return Q4
	}
	return FP32
}

// Write writes the model as one ONNX file.
func Write(w io.Writer, m *Model, f Form) error {
	g, err := lay(m, f)
	if err != nil {
		return err
	}
	return g.write(w, nil)
}

func lay(m *Model, f Form) (*graph, error) {
	err := f.check()
	if err == nil {
		err = m.check(f)
	}
	if err != nil {
		return nil, fmt.Errorf("onnxgraph: %s: %w", m.Name, err)
	}
	return build(m, f), nil
}
