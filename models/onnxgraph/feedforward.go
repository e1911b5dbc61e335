package onnxgraph

import "fmt"

// widest is how many columns the middle of a feed-forward network may have before it is worked out in parts. A few
// hundred tokens of a part then stay in a core's own cache between the products and the activation, which saves a
// large model about a tenth of its time; each part is also quantised on its own, which is finer.
const widest = 1536

// feedForward is down(gelu(up(x))).
func (e *encoder) feedForward(name string, up, down Linear, x string) string {
	parts := 1
	if e.form.Layout == Fast && e.form.matrices() == Int8 {
		for up.Weight.Rows/parts > widest && up.Weight.Rows%(2*parts) == 0 {
			parts *= 2
		}
	}
	if parts == 1 {
		return e.inOnePart(name, up, down, x)
	}
	n := up.Weight.Rows / parts
	var sum string
	for i := range parts {
		part := fmt.Sprintf("%s.part.%d", name, i)
		u := Linear{Weight: up.Weight.rows(i*n, n), Bias: up.Bias[i*n : (i+1)*n]}
		d := Linear{Weight: down.Weight.columns(i*n, n)}
		if i == 0 {
			d.Bias = down.Bias
			sum = e.inOnePart(part, u, d, x)
			continue
		}
		sum = e.node(part+".sum", "Add", []string{sum, e.inOnePart(part, u, d, x)})
	}
	return sum
}

func (e *encoder) inOnePart(name string, up, down Linear, x string) string {
	f := e.linear(name+".up", up, x)
	f = e.contrib(name+".gelu", "Gelu", []string{f}) // the exact one, with erf
	return e.linear(name+".down", down, f)
}
