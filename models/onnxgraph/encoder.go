package onnxgraph

import (
	"fmt"
	"math"
)

// masked is added to the attention score of a padding token: its share is then exactly zero in float32, so
// a text's vector does not depend on the padding that its batch-mates cause.
const masked = -1e9

// floatAccuracy makes ONNX Runtime widen the weights inside a 4-bit product and multiply in float32. Its
// other way (level 4) narrows the activations to int8: vectors then differ from the float32 model's (cosine
// 0.9998 instead of 1), and texts of passage length were slower, not faster, on the machine tried.
const floatAccuracy = 1

// encoder lays the model out as a graph.
type encoder struct {
	graph
	model  *Model
	hidden int
}

func build(m *Model) *graph {
	e := &encoder{graph: graph{name: m.Name}, model: m, hidden: m.Word.Cols}
	e.input("input_ids", int64Type, "batch", "sequence")
	e.input("attention_mask", int64Type, "batch", "sequence")
	e.shapes()

	x := e.embeddings()
	mask := e.mask()
	for i := range m.Layers {
		x = e.layer(fmt.Sprintf("layer.%d", i), &m.Layers[i], x, mask)
	}
	if m.Classifier != nil {
		e.classifier(x)
	} else {
		e.node("last_hidden_state", "Identity", []string{x})
		e.output("last_hidden_state", float32Type, "batch", "sequence", e.hidden)
	}
	return &e.graph
}

// shapes adds the constants that every layer uses.
func (e *encoder) shapes() {
	head := e.hidden / e.model.Heads
	e.ints("shape.split", 0, 0, int64(e.model.Heads), int64(head))
	e.ints("shape.join", 0, 0, int64(e.hidden))
	e.scalar("attention.scale", float32(1/math.Sqrt(float64(head))))
}

func (e *encoder) embeddings() string {
	words := e.words()
	// Rows before FirstPosition are never used: leaving them out makes the rest the same for both families.
	skip := e.model.FirstPosition * e.hidden
	table := e.floats("position.table", e.model.Position.Values[skip:], e.model.Position.Rows-e.model.FirstPosition, e.hidden)
	shape := e.node("input.shape", "Shape", []string{"input_ids"}, intAttribute("start", 1), intAttribute("end", 2))
	positions := e.node("position", "Slice", []string{table, e.ints("position.start", 0), shape, e.ints("position.axis", 0)})
	sum := e.node("embedding.sum", "Add", []string{words, positions})
	return e.norm("embedding.norm", e.model.Norm, sum)
}

func (e *encoder) words() string {
	w := e.model.Word
	if !w.quantised() {
		table := e.floats("word.table", w.Values, w.Rows, w.Cols)
		return e.node("word", "Gather", []string{table, "input_ids"}, intAttribute("axis", 0))
	}
	table := e.bytes("word.table", uint8Type, []int{w.Rows, w.Cols / 2}, w.Nibbles)
	scales := e.scales("word.scales", w)
	return e.contrib("word", "GatherBlockQuantized", []string{table, "input_ids", scales},
		intAttribute("bits", 4), intAttribute("block_size", BlockSize),
		intAttribute("gather_axis", 0), intAttribute("quantize_axis", 1))
}

// scales keeps a matrix's scales in half precision in the file; they are widened, without loss, at loading.
func (e *encoder) scales(name string, m Matrix) string {
	half := e.bytes(name+".half", float16Type, []int{m.Rows, m.Cols / BlockSize}, m.Scales)
	return e.node(name, "Cast", []string{half}, intAttribute("to", int64(float32Type)))
}

// mask turns 1 and 0 into 0 and masked, as [batch, 1, 1, sequence].
func (e *encoder) mask() string {
	m := e.node("mask.float", "Cast", []string{"attention_mask"}, intAttribute("to", int64(float32Type)))
	m = e.node("mask.inverse", "Sub", []string{e.scalar("mask.one", 1), m})
	m = e.node("mask.scaled", "Mul", []string{m, e.scalar("mask.minimum", masked)})
	return e.node("mask", "Unsqueeze", []string{m, e.ints("mask.axes", 1, 2)})
}

func (e *encoder) layer(name string, l *Layer, x, mask string) string {
	a := e.attention(name+".attention", l, x, mask)
	a = e.node(name+".attention.sum", "Add", []string{a, x})
	a = e.norm(name+".attention.norm", l.AttentionNorm, a)

	f := e.linear(name+".up", l.Up, a)
	f = e.contrib(name+".gelu", "Gelu", []string{f}) // the exact one, with erf
	f = e.linear(name+".down", l.Down, f)
	f = e.node(name+".output.sum", "Add", []string{f, a})
	return e.norm(name+".output.norm", l.OutputNorm, f)
}

func (e *encoder) attention(name string, l *Layer, x, mask string) string {
	split := func(part string, linear Linear, perm ...int64) string {
		v := e.linear(name+"."+part, linear, x)
		v = e.node(name+"."+part+".split", "Reshape", []string{v, "shape.split"})
		return e.node(name+"."+part+".heads", "Transpose", []string{v}, intsAttribute("perm", perm...))
	}
	q := split("query", l.Query, 0, 2, 1, 3)
	k := split("key", l.Key, 0, 2, 3, 1)
	v := split("value", l.Value, 0, 2, 1, 3)

	s := e.node(name+".product", "MatMul", []string{q, k})
	s = e.node(name+".scaled", "Mul", []string{s, "attention.scale"})
	s = e.node(name+".masked", "Add", []string{s, mask})
	s = e.node(name+".shares", "Softmax", []string{s}, intAttribute("axis", -1))
	s = e.node(name+".context", "MatMul", []string{s, v})
	s = e.node(name+".context.heads", "Transpose", []string{s}, intsAttribute("perm", 0, 2, 1, 3))
	s = e.node(name+".context.join", "Reshape", []string{s, "shape.join"})
	return e.linear(name+".output", l.Output, s)
}

func (e *encoder) linear(name string, l Linear, x string) string {
	w := l.Weight
	bias := e.floats(name+".bias", l.Bias, w.Rows)
	if !w.quantised() {
		product := e.node(name+".product", "MatMul", []string{x, e.transposed(name+".weight", w.Values, w.Rows, w.Cols)})
		return e.node(name, "Add", []string{product, bias})
	}
	weight := e.bytes(name+".weight", uint8Type, []int{w.Rows, w.Cols / BlockSize, BlockSize / 2}, w.Nibbles)
	// The two empty inputs are zero points (8 where there are none) and a group index.
	return e.contrib(name, "MatMulNBits", []string{x, weight, e.scales(name+".scales", w), "", "", bias},
		intAttribute("K", int64(w.Cols)), intAttribute("N", int64(w.Rows)), intAttribute("bits", 4),
		intAttribute("block_size", BlockSize), intAttribute("accuracy_level", floatAccuracy))
}

func (e *encoder) norm(name string, n Norm, x string) string {
	weight := e.floats(name+".weight", n.Weight, len(n.Weight))
	bias := e.floats(name+".bias", n.Bias, len(n.Bias))
	return e.node(name, "LayerNormalization", []string{x, weight, bias},
		intAttribute("axis", -1), floatAttribute("epsilon", e.model.Epsilon))
}

func (e *encoder) classifier(x string) {
	c := e.model.Classifier
	first := e.node("classifier.first", "Gather", []string{x, e.scalarInt("classifier.index", 0)}, intAttribute("axis", 1))
	dense := e.linear("classifier.dense", c.Dense, first)
	dense = e.node("classifier.tanh", "Tanh", []string{dense})
	e.node("logits", "Identity", []string{e.linear("classifier.out", c.Out, dense)})
	e.output("logits", float32Type, "batch", c.Out.Weight.Rows)
}
