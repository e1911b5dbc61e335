package starter

import (
	"encoding/binary"
	"fmt"
	"math"

	"fanous/models/onnxgraph"
)

// Decode reads a weights file and lays it out for the graph writer. The 4-bit weights stay what they are:
// only the order of the nibbles changes. It returns an error that wraps ErrFormat for any other bytes.
func Decode(data []byte) (*onnxgraph.Model, error) {
	h, err := parse(data)
	if err != nil {
		return nil, err
	}
	t := &tensors{header: h}
	m := &onnxgraph.Model{
		Name:     Name,
		Heads:    h.heads,
		Epsilon:  h.epsilon,
		Word:     t.nibbles("emb.word", h.vocabulary, h.hidden),
		Position: t.positions(),
		Norm:     t.norm("emb.ln"),
	}
	for i := range h.layers {
		part := func(name string) string { return fmt.Sprintf("l%d.%s", i, name) }
		m.Layers = append(m.Layers, onnxgraph.Layer{
			Query:         t.linear(part("q"), h.hidden, h.hidden),
			Key:           t.linear(part("k"), h.hidden, h.hidden),
			Value:         t.linear(part("v"), h.hidden, h.hidden),
			Output:        t.linear(part("ao"), h.hidden, h.hidden),
			AttentionNorm: t.norm(part("aln")),
			Up:            t.linear(part("fi"), h.ffn, h.hidden),
			Down:          t.linear(part("fo"), h.hidden, h.ffn),
			OutputNorm:    t.norm(part("oln")),
		})
	}
	if t.err != nil {
		return nil, t.err
	}
	return m, nil
}

// tensors looks weights up by name. The first failure stays.
type tensors struct {
	*header
	err error
}

func (t *tensors) find(name string, dtype byte, count int) []byte {
	e, ok := t.entries[name]
	switch {
	case t.err != nil:
	case !ok:
		t.err = fmt.Errorf("%w: there is no tensor %q", ErrFormat, name)
	case e.dtype != dtype || e.count != count:
		t.err = fmt.Errorf("%w: tensor %q has type %d and %d weights, not %d and %d", ErrFormat, name, e.dtype, e.count, dtype, count)
	default:
		return e.data
	}
	return nil
}

func (t *tensors) floats(name string, count int) []float32 {
	data := t.find(name, dtypeFloat32, count)
	if data == nil {
		return nil
	}
	values := make([]float32, count)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

// positions adds the row of token type 0, the only type that the model is used with, to every position.
func (t *tensors) positions() onnxgraph.Matrix {
	values := t.floats("emb.pos", t.header.positions*t.hidden)
	types := t.floats("emb.type", t.tokenTypes*t.hidden)
	if t.err == nil {
		for i := range values {
			values[i] += types[i%t.hidden]
		}
	}
	return onnxgraph.Matrix{Rows: t.header.positions, Cols: t.hidden, Values: values}
}

func (t *tensors) norm(name string) onnxgraph.Norm {
	return onnxgraph.Norm{Weight: t.floats(name+".w", t.hidden), Bias: t.floats(name+".b", t.hidden)}
}

func (t *tensors) linear(name string, out, in int) onnxgraph.Linear {
	return onnxgraph.Linear{Weight: t.nibbles(name+".w", out, in), Bias: t.floats(name+".b", out)}
}

func (t *tensors) nibbles(name string, rows, cols int) onnxgraph.Matrix {
	m := onnxgraph.Matrix{Rows: rows, Cols: cols}
	data := t.find(name, dtypeNibbles, rows*cols)
	if data == nil {
		return m
	}
	m.Nibbles = make([]byte, 0, rows*cols/2)
	m.Scales = make([]byte, 0, rows*cols/blockSize*2)
	for ; len(data) > 0; data = data[blockBytes:] {
		m.Scales = append(m.Scales, data[:2]...)
		m.Nibbles = appendInterleaved(m.Nibbles, data[2:blockBytes])
	}
	return m
}

// appendInterleaved turns a block whose byte j holds weights j and j+16 into one whose byte j holds weights
// 2j and 2j+1, the low half first in both.
func appendInterleaved(dst, block []byte) []byte {
	for j := 0; j < len(block); j += 2 {
		dst = append(dst, block[j]&0x0f|block[j+1]<<4)
	}
	for j := 0; j < len(block); j += 2 {
		dst = append(dst, block[j]>>4|block[j+1]&0xf0)
	}
	return dst
}
