package convert

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fanous/models/onnxgraph"
	"fanous/models/safetensors"
)

// model lays the tensors out for the graph writer; typed says that the tokens of a second text are of type 1. Matrices
// stay in the file until they are written.
func (c *config) model(name string, tensors safetensors.Tensors, typed bool) (*onnxgraph.Model, error) {
	l := &loader{tensors: tensors, prefix: c.prefix, used: map[string]bool{}}
	if _, ok := tensors[c.prefix+wordTable]; !ok {
		l.prefix = ""
	}
	m := &onnxgraph.Model{
		Name: name, Heads: c.Heads, Epsilon: c.Epsilon, FirstPosition: c.firstPosition(),
		Word: l.matrix(l.prefix+wordTable, c.Vocabulary, c.Hidden),
		Norm: l.norm(l.prefix+"embeddings.LayerNorm", c.Hidden),
	}
	m.Position, m.Types = l.positions(c.Positions, c.Types, c.Hidden, typed)
	for i := range c.Layers {
		m.Layers = append(m.Layers, l.layer(fmt.Sprintf("%sencoder.layer.%d.", l.prefix, i), c.Hidden, c.FFN))
	}
	if c.out != "" {
		dense := c.dense
		if c.pooledEncoder {
			dense = l.prefix + dense
		}
		m.Classifier = &onnxgraph.Classifier{Dense: l.linear(dense, c.Hidden, c.Hidden), Out: l.linear(c.out, 1, c.Hidden)}
	}
	l.checkRest()
	return m, l.err
}

const wordTable = "embeddings.word_embeddings.weight"

// loader finds tensors by name. The first failure stays.
type loader struct {
	tensors safetensors.Tensors
	prefix  string
	used    map[string]bool
	err     error
}

func (l *loader) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf(format, args...)
	}
}

func (l *loader) find(name string, shape ...int) safetensors.Tensor {
	t, ok := l.tensors[name]
	l.used[name] = true
	switch {
	case !ok:
		l.fail("there is no tensor %q", name)
	case !t.Is(shape...):
		l.fail("tensor %q has the shape %v, not %v", name, t.Shape, shape)
	case !t.Float():
		l.fail("tensor %q is of type %s, not of floats", name, t.Type)
	}
	return t
}

// values reads a tensor now.
func (l *loader) values(name string, shape ...int) []float32 {
	t := l.find(name, shape...)
	if l.err != nil {
		return nil
	}
	values := make([]float32, t.Len())
	if err := t.ReadFloats(values, 0); err != nil {
		l.fail("%w", err)
	}
	return values
}

// matrix leaves a tensor to be read when it is written.
func (l *loader) matrix(name string, rows, cols int) onnxgraph.Matrix {
	return onnxgraph.Matrix{Rows: rows, Cols: cols, Read: l.find(name, rows, cols).ReadFloats}
}

func (l *loader) linear(name string, out, in int) onnxgraph.Linear {
	return onnxgraph.Linear{Weight: l.matrix(name+".weight", out, in), Bias: l.values(name+".bias", out)}
}

func (l *loader) norm(name string, size int) onnxgraph.Norm {
	return onnxgraph.Norm{Weight: l.values(name+".weight", size), Bias: l.values(name+".bias", size)}
}

// positions gives the tables of positions and of token types. Where texts are of type 0 only, its row is added to every
// position, and there is no table of types.
func (l *loader) positions(rows, types, hidden int, typed bool) (position, kind onnxgraph.Matrix) {
	values := l.values(l.prefix+"embeddings.position_embeddings.weight", rows, hidden)
	kinds := l.values(l.prefix+"embeddings.token_type_embeddings.weight", types, hidden)
	position = onnxgraph.Matrix{Rows: rows, Cols: hidden, Values: values}
	if typed {
		return position, onnxgraph.Matrix{Rows: types, Cols: hidden, Values: kinds}
	}
	if l.err == nil {
		for i := range values {
			values[i] += kinds[i%hidden]
		}
	}
	return position, kind
}

func (l *loader) layer(name string, hidden, ffn int) onnxgraph.Layer {
	return onnxgraph.Layer{
		Query:         l.linear(name+"attention.self.query", hidden, hidden),
		Key:           l.linear(name+"attention.self.key", hidden, hidden),
		Value:         l.linear(name+"attention.self.value", hidden, hidden),
		Output:        l.linear(name+"attention.output.dense", hidden, hidden),
		AttentionNorm: l.norm(name+"attention.output.LayerNorm", hidden),
		Up:            l.linear(name+"intermediate.dense", ffn, hidden),
		Down:          l.linear(name+"output.dense", hidden, ffn),
		OutputNorm:    l.norm(name+"output.LayerNorm", hidden),
	}
}

// checkRest refuses weights that the graph would leave out, such as those of an adapter or of more layers than the
// description says: the model would run and give other numbers than it should.
func (l *loader) checkRest() {
	for _, name := range slices.Sorted(maps.Keys(l.tensors)) {
		if !l.used[name] && !l.harmless(name) {
			l.fail("it has a tensor %q, which a model of its description has not", name)
		}
	}
}

// harmless are numbers that are no weights, and heads for other tasks.
func (l *loader) harmless(name string) bool {
	for _, prefix := range []string{
		l.prefix + "embeddings.position_ids", l.prefix + "embeddings.token_type_ids", l.prefix + "pooler.", "lm_head.", "cls.",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
