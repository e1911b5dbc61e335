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
	return g.addMany(domain, name, op, inputs, []string{name}, attributes)[0]
}

// addMany adds a node with several outputs.
func (g *graph) addMany(domain, name, op string, inputs, outputs []string, attributes []attribute) []string {
	var n []byte
	for _, in := range inputs {
		n = appendString(n, nodeInput, in)
	}
	for _, out := range outputs {
		n = appendString(n, nodeOutput, out)
	}
	n = appendString(n, nodeName, name)
	n = appendString(n, nodeOpType, op)
	for _, a := range attributes {
		n = appendMessage(n, nodeAttribute, a)
	}
	if domain != "" {
		n = appendString(n, nodeDomain, domain)
	}
	g.nodes = appendMessage(g.nodes, graphNode, n)
	return outputs
}

func (g *graph) constant(name string, element elementType, dims []int, size int64, write func(io.Writer) error) string {
	g.initializers = append(g.initializers, initializer{name: name, element: element, dims: dims, size: size, write: write})
	return name
}

func (g *graph) bytes(name string, element elementType, dims []int, data []byte) string {
	return g.constant(name, element, dims, int64(len(data)), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ints stores a one-dimensional constant; scalarInt stores one without dimensions.
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

func (g *graph) input(name string, element elementType, dims ...any) {
	g.inputs = appendMessage(g.inputs, graphInput, valueInfo(name, element, dims...))
}

func (g *graph) output(name string, element elementType, dims ...any) {
	g.outputs = appendMessage(g.outputs, graphOutput, valueInfo(name, element, dims...))
}

// write puts out the whole ModelProto: sizes first, so that data streams through.
func (g *graph) write(w io.Writer, data *externalData) error {
	head := appendString(nil, graphName, g.name)
	size := int64(len(g.nodes) + len(head) + len(g.inputs) + len(g.outputs))
	constants := make([][]byte, len(g.initializers)) // each up to its data
	for i, t := range g.initializers {
		message, inside := t.message(data)
		constants[i] = append(appendPrefix(nil, graphInitializer, int64(len(message))+inside), message...)
		size += int64(len(constants[i])) + inside
	}

	out := &checkedWriter{w: w}
	model := appendInt(nil, modelIRVersion, irVersion)
	model = appendString(model, modelProducer, producer)
	out.put(appendPrefix(model, modelGraph, size))
	out.put(g.nodes)
	out.put(head)
	for i, t := range g.initializers {
		out.put(constants[i])
		if !data.holds(t) {
			out.constant(t)
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

// constant writes a constant's data.
func (c *checkedWriter) constant(t initializer) {
	if c.err != nil {
		return
	}
	start := c.written
	if c.err = t.write(c); c.err != nil {
		c.err = fmt.Errorf("%s: %w", t.name, c.err)
	} else if got := c.written - start; got != t.size {
		c.err = fmt.Errorf("onnxgraph: %s has %d bytes and wrote %d", t.name, t.size, got)
	}
}
