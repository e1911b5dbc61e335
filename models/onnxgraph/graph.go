package onnxgraph

import (
	"encoding/binary"
	"fmt"
	"io"
)

const (
	irVersion        = 8
	opset            = 17 // the first with LayerNormalization
	microsoft        = "com.microsoft"
	microsoftVersion = 1
	producer         = "fanous"
)

// graph collects nodes and constants. A value is known by its name; every method that adds a node returns
// the name of what the node gives.
type graph struct {
	name         string
	nodes        []byte
	initializers []initializer
	inputs       []byte
	outputs      []byte
}

// node adds a standard operator; its only output has the node's own name.
func (g *graph) node(name, op string, inputs []string, attributes ...attribute) string {
	return g.add("", name, op, inputs, attributes)
}

// contrib adds one of ONNX Runtime's own operators.
func (g *graph) contrib(name, op string, inputs []string, attributes ...attribute) string {
	return g.add(microsoft, name, op, inputs, attributes)
}

func (g *graph) add(domain, name, op string, inputs []string, attributes []attribute) string {
	var n []byte
	for _, in := range inputs {
		n = appendString(n, nodeInput, in)
	}
	n = appendString(n, nodeOutput, name)
	n = appendString(n, nodeName, name)
	n = appendString(n, nodeOpType, op)
	for _, a := range attributes {
		n = appendMessage(n, nodeAttribute, a)
	}
	if domain != "" {
		n = appendString(n, nodeDomain, domain)
	}
	g.nodes = appendMessage(g.nodes, graphNode, n)
	return name
}

func (g *graph) constant(name string, element elementType, dims []int, size int64, write func(io.Writer) error) string {
	g.initializers = append(g.initializers, newInitializer(name, element, dims, size, write))
	return name
}

func (g *graph) bytes(name string, element elementType, dims []int, data []byte) string {
	return g.constant(name, element, dims, int64(len(data)), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (g *graph) floats(name string, values []float32, dims ...int) string {
	return g.constant(name, float32Type, dims, 4*int64(len(values)), func(w io.Writer) error {
		return writeFloats(w, len(values), func(i int) float32 { return values[i] })
	})
}

// transposed stores a row-major [rows, cols] matrix as [cols, rows], which is how MatMul takes it.
func (g *graph) transposed(name string, values []float32, rows, cols int) string {
	return g.constant(name, float32Type, []int{cols, rows}, 4*int64(len(values)), func(w io.Writer) error {
		return writeFloats(w, len(values), func(i int) float32 { return values[i%rows*cols+i/rows] })
	})
}

// ints stores a one-dimensional constant; scalarInt and scalar store one without dimensions.
func (g *graph) ints(name string, values ...int64) string {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	return g.bytes(name, int64Type, []int{len(values)}, data)
}

func (g *graph) scalarInt(name string, v int64) string {
	return g.bytes(name, int64Type, nil, binary.LittleEndian.AppendUint64(nil, uint64(v)))
}

func (g *graph) scalar(name string, v float32) string { return g.floats(name, []float32{v}) }

func (g *graph) input(name string, element elementType, dims ...any) {
	g.inputs = appendMessage(g.inputs, graphInput, valueInfo(name, element, dims...))
}

func (g *graph) output(name string, element elementType, dims ...any) {
	g.outputs = appendMessage(g.outputs, graphOutput, valueInfo(name, element, dims...))
}

// write puts out the whole ModelProto: sizes first, so that data streams through.
func (g *graph) write(w io.Writer) error {
	head := appendString(nil, graphName, g.name)
	size := int64(len(g.nodes) + len(head) + len(g.inputs) + len(g.outputs))
	prefixes := make([][]byte, len(g.initializers))
	for i, t := range g.initializers {
		prefixes[i] = appendPrefix(nil, graphInitializer, t.messageSize())
		size += int64(len(prefixes[i])) + t.messageSize()
	}

	out := &checkedWriter{w: w}
	model := appendInt(nil, modelIRVersion, irVersion)
	model = appendString(model, modelProducer, producer)
	out.put(appendPrefix(model, modelGraph, size))
	out.put(g.nodes)
	out.put(head)
	for i, t := range g.initializers {
		out.put(prefixes[i])
		out.put(t.header)
		start := out.written
		if out.err == nil {
			out.err = t.write(out)
		}
		if got := out.written - start; out.err == nil && got != t.size {
			return fmt.Errorf("onnxgraph: a constant of %d bytes wrote %d", t.size, got)
		}
	}
	out.put(g.inputs)
	out.put(g.outputs)
	out.put(opsetImport("", opset))
	out.put(opsetImport(microsoft, microsoftVersion))
	return out.err
}

func opsetImport(domain string, version int64) []byte {
	return appendMessage(nil, modelOpsetImport, appendInt(appendString(nil, opsetDomain, domain), opsetVersion, version))
}

// checkedWriter keeps the first error and counts what was written.
type checkedWriter struct {
	w       io.Writer
	written int64
	err     error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.written += int64(n)
	return n, err
}

func (c *checkedWriter) put(p []byte) {
	if c.err == nil {
		_, c.err = c.Write(p)
	}
}
