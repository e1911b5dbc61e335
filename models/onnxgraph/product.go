package onnxgraph

import (
	"io"
	"math/rand/v2"
)

// WriteProduct writes a graph that is hardly more than one product of n×n matrices of bytes, for measuring how many
// operations a machine can do: 2n³ of them for n token ids below n. The weights are random. Its output, one row of the
// product, stands for a classifier's logits.
func WriteProduct(w io.Writer, n int) error {
	random := rand.NewChaCha8([32]byte{2})
	square := func(writer io.Writer) error {
		row := make([]byte, n)
		for range n {
			_, _ = random.Read(row) // it never fails
			if _, err := writer.Write(row); err != nil {
				return err
			}
		}
		return nil
	}
	g := &graph{name: "product"}
	g.input("input_ids", int64Type, "batch", "sequence")
	// The left matrix depends on the input, or the library would work the product out when it loads the graph.
	left := g.constant("left.table", uint8Type, []int{n, n}, int64(n*n), square)
	left = g.node("left", "Gather", []string{left, "input_ids"}, intAttribute("axis", 0))
	right := g.constant("right", int8Type, []int{n, n}, int64(n*n), square)
	product := g.node("product", "MatMulInteger", []string{left, right})
	row := g.node("row", "Slice", []string{product, g.ints("from", 0), g.ints("to", 1), g.ints("axis", 1)})
	g.node("logits", "Cast", []string{row}, intAttribute("to", int64(float32Type)))
	g.output("logits", float32Type, "batch", 1, n)
	return g.write(w, nil)
}
