package onnxgraph

import "io"

// linear adds x·Wᵀ + b in the precision of the form.
func (e *encoder) linear(name string, l Linear, x string) string {
	switch e.form.matrices().of(l.Weight) {
	case Q4:
		return e.nibbleLinear(name, l, x)
	case Int8:
		return e.int8Linear(name, l, x)
	}
	return e.floatLinear(name, l, x)
}

func (e *encoder) floatLinear(name string, l Linear, x string) string {
	bias := e.vector(name+".bias", l.Bias)
	product := e.node(name+".product", "MatMul", []string{x, e.transposed(name+".weight", l.Weight)})
	return e.node(name, "Add", []string{product, bias})
}

// headLinear is a linear layer of the classifier. For one token there is nothing to gain from fewer bits.
func (e *encoder) headLinear(name string, l Linear, x string) string {
	if e.form.Precision == AsHeld || e.form.Layout == Published {
		return e.linear(name, l, x)
	}
	return e.floatLinear(name, l, x)
}

func (e *encoder) nibbleLinear(name string, l Linear, x string) string {
	w := l.Weight
	bias := e.vector(name+".bias", l.Bias)
	n := &nibbleMatrix{Matrix: w}
	weight := e.constant(name+".weight", uint8Type, []int{w.Rows, w.Cols / BlockSize, BlockSize / 2}, int64(w.size()/2), n.writeWeights)
	// The two empty inputs are zero points (8 where there are none) and a group index.
	return e.contrib(name, "MatMulNBits", []string{x, weight, e.nibbleScales(name+".scales", n), "", "", bias},
		intAttribute("K", int64(w.Cols)), intAttribute("N", int64(w.Rows)), intAttribute("bits", 4),
		intAttribute("block_size", BlockSize), intAttribute("accuracy_level", floatAccuracy))
}

// nibbleScales keeps a matrix's scales in half precision in the file; they are widened, without loss, at loading.
func (e *encoder) nibbleScales(name string, n *nibbleMatrix) string {
	half := e.constant(name+".half", float16Type, []int{n.Rows, n.Cols / BlockSize}, int64(n.size()/BlockSize*2), n.writeScales)
	return e.node(name, "Cast", []string{half}, intAttribute("to", int64(float32Type)))
}

// int8Linear quantises x as it comes, one scale for all of it, once for all products that read it.
func (e *encoder) int8Linear(name string, l Linear, x string) string {
	w := &int8Matrix{Matrix: l.Weight, uniform: e.form.Layout == Published}
	weight := e.constant(name+".weight", int8Type, []int{w.Cols, w.Rows}, int64(w.size()), w.writeColumns)
	dims, size := []int{w.Rows}, 4*int64(w.Rows)
	if w.uniform {
		dims, size = nil, 4
	}
	scale := e.constant(name+".scale", float32Type, dims, size, w.writeScales)
	var bias string // empty: none
	if l.Bias != nil {
		bias = e.vector(name+".bias", l.Bias)
	}
	q := e.quantised(x)
	if e.form.Layout != Published {
		return e.contrib(name, "MatMulIntegerToFloat", []string{q.values, weight, q.scale, scale, q.zero, "", bias})
	}
	product := e.node(name+".integers", "MatMulInteger", []string{q.values, weight, q.zero})
	product = e.node(name+".wide", "Cast", []string{product}, intAttribute("to", int64(float32Type)))
	scales := e.node(name+".scales", "Mul", []string{q.scale, scale})
	product = e.node(name+".product", "Mul", []string{product, scales})
	return e.node(name, "Add", []string{product, bias})
}

// activation names the parts of a quantised value.
type activation struct{ values, scale, zero string }

func (e *encoder) quantised(x string) activation {
	if a, ok := e.activations[x]; ok {
		return a
	}
	a := activation{values: x + ".q", scale: x + ".q.scale", zero: x + ".q.zero"}
	e.addMany("", x+".q", "DynamicQuantizeLinear", []string{x}, []string{a.values, a.scale, a.zero}, nil)
	e.activations[x] = a
	return a
}

// table stores a matrix in the graph's floats, row-major.
func (e *encoder) table(name string, m Matrix) string {
	return e.constant(name, e.float(), []int{m.Rows, m.Cols}, e.bytesOf(m.size()), func(w io.Writer) error {
		return m.each(func(rows []float32) error { return e.put(w, len(rows), func(i int) float32 { return rows[i] }) })
	})
}

// transposed stores a matrix as [cols, rows], which is how MatMul takes it.
func (e *encoder) transposed(name string, m Matrix) string {
	return e.constant(name, e.float(), []int{m.Cols, m.Rows}, e.bytesOf(m.size()), func(w io.Writer) error {
		values, err := m.whole()
		if err != nil {
			return err
		}
		return e.put(w, len(values), func(i int) float32 { return values[i%m.Rows*m.Cols+i/m.Rows] })
	})
}

func (e *encoder) vector(name string, values []float32) string {
	return e.values(name, []int{len(values)}, values)
}

func (e *encoder) values(name string, dims []int, values []float32) string {
	return e.constant(name, e.float(), dims, e.bytesOf(len(values)), func(w io.Writer) error {
		return e.put(w, len(values), func(i int) float32 { return values[i] })
	})
}

// scalar stores a number without dimensions.
func (e *encoder) scalar(name string, v float32) string { return e.values(name, nil, []float32{v}) }

// float is the type that the graph calculates in.
func (e *encoder) float() elementType {
	if e.form.Precision == FP16 {
		return float16Type
	}
	return float32Type
}

func (e *encoder) bytesOf(n int) int64 {
	if e.float() == float16Type {
		return 2 * int64(n)
	}
	return 4 * int64(n)
}

func (e *encoder) put(w io.Writer, n int, at func(i int) float32) error {
	if e.float() == float16Type {
		return writeHalves(w, n, at)
	}
	return writeFloats(w, n, at)
}
