package onnxgraph

import "math"

// attention gives the attended value of every token of reader from those of x, which is reader too save where only
// the first token's is wanted.
func (e *encoder) attention(name string, l *Layer, reader, x string) string {
	if e.form.Layout == Fast {
		return e.fusedAttention(name, l, reader, x)
	}
	split := func(part string, linear Linear, from string, perm ...int64) string {
		v := e.linear(name+"."+part, linear, from)
		v = e.node(name+"."+part+".split", "Reshape", []string{v, "shape.split"})
		return e.node(name+"."+part+".heads", "Transpose", []string{v}, intsAttribute("perm", perm...))
	}
	q := split("query", l.Query, reader, 0, 2, 1, 3)
	k := split("key", l.Key, x, 0, 2, 3, 1)
	v := split("value", l.Value, x, 0, 2, 1, 3)

	s := e.node(name+".product", "MatMul", []string{q, k})
	s = e.node(name+".scaled", "Mul", []string{s, "attention.scale"})
	s = e.node(name+".masked", "Add", []string{s, "mask"})
	s = e.node(name+".shares", "Softmax", []string{s}, intAttribute("axis", -1))
	s = e.node(name+".context", "MatMul", []string{s, v})
	s = e.node(name+".context.heads", "Transpose", []string{s}, intsAttribute("perm", 0, 2, 1, 3))
	s = e.node(name+".context.join", "Reshape", []string{s, "shape.join"})
	return e.linear(name+".output", l.Output, s)
}

// fusedAttention never holds the shares of all tokens at once, which the mask would force it to.
func (e *encoder) fusedAttention(name string, l *Layer, reader, x string) string {
	q := e.linear(name+".query", l.Query, reader)
	k := e.linear(name+".key", l.Key, x)
	v := e.linear(name+".value", l.Value, x)
	s := e.contrib(name+".context", "MultiHeadAttention", []string{q, k, v},
		intAttribute("num_heads", int64(e.model.Heads)), floatAttribute("scale", e.attentionScale()))
	return e.linear(name+".output", l.Output, s)
}

func (e *encoder) attentionScale() float32 {
	return float32(1 / math.Sqrt(float64(e.hidden/e.model.Heads)))
}

// masked is added to the attention score of a padding token: its share is then exactly zero in float32, so
// a text's vector does not depend on the padding that its batch-mates cause.
const masked = -1e9

// maskedHalf is the same within float16's range.
const maskedHalf = -3e4

// mask turns 1 and 0 into 0 and masked, as [batch, 1, 1, sequence].
func (e *encoder) mask() {
	minimum := float32(masked)
	if e.float() == float16Type {
		minimum = maskedHalf
	}
	m := e.node("mask.float", "Cast", []string{"attention_mask"}, intAttribute("to", int64(e.float())))
	m = e.node("mask.inverse", "Sub", []string{e.scalar("mask.one", 1), m})
	m = e.node("mask.scaled", "Mul", []string{m, e.scalar("mask.minimum", minimum)})
	e.node("mask", "Unsqueeze", []string{m, e.ints("mask.axes", 1, 2)})
}
