package onnxgraph

// words looks the tokens up in the word table.
func (e *encoder) words() string {
	switch w := e.model.Word; e.form.words().of(w) {
	case Q4:
		return e.nibbleWords(w)
	case Int8:
		return e.int8Words(w)
	default:
		return e.node("word", "Gather", []string{e.table("word.table", w), "input_ids"}, intAttribute("axis", 0))
	}
}

func (e *encoder) nibbleWords(w Matrix) string {
	n := &nibbleMatrix{Matrix: w}
	table := e.constant("word.table", uint8Type, []int{w.Rows, w.Cols / 2}, int64(w.size()/2), n.writeWeights)
	scales := e.nibbleScales("word.scales", n)
	return e.contrib("word", "GatherBlockQuantized", []string{table, "input_ids", scales},
		intAttribute("bits", 4), intAttribute("block_size", BlockSize),
		intAttribute("gather_axis", 0), intAttribute("quantize_axis", 1))
}

// int8Words has a scale a word, looked up beside the word's row; a published file has one for all.
func (e *encoder) int8Words(w Matrix) string {
	q := &int8Matrix{Matrix: w, uniform: e.form.Layout == Published}
	table := e.constant("word.table", int8Type, []int{w.Rows, w.Cols}, int64(w.size()), q.writeRows)
	row := e.node("word.row", "Gather", []string{table, "input_ids"}, intAttribute("axis", 0))
	if q.uniform {
		scale := e.constant("word.scale", float32Type, nil, 4, q.writeScales)
		return e.node("word", "DequantizeLinear", []string{row, scale})
	}
	scales := e.constant("word.scales", float32Type, []int{w.Rows, 1}, 4*int64(w.Rows), q.writeScales)
	scale := e.node("word.scale", "Gather", []string{scales, "input_ids"}, intAttribute("axis", 0))
	row = e.node("word.float", "Cast", []string{row}, intAttribute("to", int64(float32Type)))
	return e.node("word", "Mul", []string{row, scale})
}
