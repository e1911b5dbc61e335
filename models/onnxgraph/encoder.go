package onnxgraph

import "fmt"

// floatAccuracy makes ONNX Runtime widen the weights inside a 4-bit product and multiply in float32. Its
// other way (level 4) narrows the activations to int8: vectors then differ from the float32 model's (cosine
// 0.9998 instead of 1), and texts of passage length were slower, not faster, on the machine tried.
const floatAccuracy = 1

// encoder lays the model out as a graph.
type encoder struct {
	graph
	model       *Model
	form        Form
	hidden      int
	activations map[string]activation // quantised values, by the name of what they are of
}

func build(m *Model, f Form) *graph {
	e := &encoder{graph: graph{name: m.Name}, model: m, form: f, hidden: m.Word.Cols, activations: map[string]activation{}}
	e.input("input_ids", int64Type, "batch", "sequence")
	if f.Layout != Fast {
		e.input("attention_mask", int64Type, "batch", "sequence")
		e.shapes()
	}
	if m.Types.Rows > 0 {
		e.input("token_type_ids", int64Type, "batch", "sequence")
	}
	x := e.embeddings()
	if f.Layout != Fast {
		e.mask()
	}
	for i := range m.Layers {
		last := i == len(m.Layers)-1
		x = e.layer(fmt.Sprintf("layer.%d", i), &m.Layers[i], x, last && f.Layout == Fast && m.Classifier != nil)
	}
	if m.Classifier != nil {
		e.classifier(x)
	} else {
		e.result("last_hidden_state", x, "batch", "sequence", e.hidden)
	}
	return &e.graph
}

// shapes adds the constants that every layer uses.
func (e *encoder) shapes() {
	head := e.hidden / e.model.Heads
	e.ints("shape.split", 0, 0, int64(e.model.Heads), int64(head))
	e.ints("shape.join", 0, 0, int64(e.hidden))
	e.scalar("attention.scale", e.attentionScale())
}

func (e *encoder) embeddings() string {
	words := e.words()
	// Rows before FirstPosition are never used: leaving them out makes the rest the same for both families.
	table := e.table("position.table", e.model.Position.rows(e.model.FirstPosition, e.model.Position.Rows-e.model.FirstPosition))
	shape := e.node("input.shape", "Shape", []string{"input_ids"}, intAttribute("start", 1), intAttribute("end", 2))
	positions := e.node("position", "Slice", []string{table, e.ints("position.start", 0), shape, e.ints("position.axis", 0)})
	sum := e.node("embedding.sum", "Add", []string{words, positions})
	if types := e.model.Types; types.Rows > 0 {
		kinds := e.node("type", "Gather", []string{e.table("type.table", types), "token_type_ids"}, intAttribute("axis", 0))
		sum = e.node("embedding.typed", "Add", []string{sum, kinds})
	}
	return e.norm("embedding.norm", e.model.Norm, sum)
}

// layer gives a layer's output for every token, or where only that is read, for the first.
func (e *encoder) layer(name string, l *Layer, x string, firstOnly bool) string {
	reader := x
	if firstOnly {
		reader = e.node(name+".first", "Slice", []string{x, e.ints("first.start", 0), e.ints("first.end", 1), e.ints("first.axis", 1)})
	}
	a := e.attention(name+".attention", l, reader, x)
	a = e.node(name+".attention.sum", "Add", []string{a, reader})
	a = e.norm(name+".attention.norm", l.AttentionNorm, a)

	f := e.feedForward(name, l.Up, l.Down, a)
	f = e.node(name+".output.sum", "Add", []string{f, a})
	return e.norm(name+".output.norm", l.OutputNorm, f)
}

func (e *encoder) norm(name string, n Norm, x string) string {
	weight := e.vector(name+".weight", n.Weight)
	bias := e.vector(name+".bias", n.Bias)
	return e.node(name, "LayerNormalization", []string{x, weight, bias},
		intAttribute("axis", -1), floatAttribute("epsilon", e.model.Epsilon))
}

func (e *encoder) classifier(x string) {
	c := e.model.Classifier
	first := e.node("classifier.first", "Gather", []string{x, e.scalarInt("classifier.index", 0)}, intAttribute("axis", 1))
	dense := e.headLinear("classifier.dense", c.Dense, first)
	dense = e.node("classifier.tanh", "Tanh", []string{dense})
	e.result("logits", e.headLinear("classifier.out", c.Out, dense), "batch", c.Out.Weight.Rows)
}

// result makes x the output, in float32.
func (e *encoder) result(name, x string, dims ...any) {
	if e.float() == float32Type {
		e.node(name, "Identity", []string{x})
	} else {
		e.node(name, "Cast", []string{x}, intAttribute("to", int64(float32Type)))
	}
	e.output(name, float32Type, dims...)
}
