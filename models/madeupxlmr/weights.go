package madeupxlmr

import (
	"math"

	"fanous/models/onnxgraph"
)

// model lays the weights out. None of them is in memory: each is worked out from its number when it is written.
func (s Shape) model() *onnxgraph.Model {
	var d dice
	m := &onnxgraph.Model{
		Name: s.Name, Heads: s.Heads, Epsilon: 1e-5, FirstPosition: firstPosition,
		Word: d.matrix(s.Vocabulary, s.Hidden), Position: d.matrix(positions, s.Hidden), Norm: plain(s.Hidden),
		Classifier: &onnxgraph.Classifier{Dense: d.linear(s.Hidden, s.Hidden), Out: d.linear(1, s.Hidden)},
	}
	for range s.Layers {
		m.Layers = append(m.Layers, onnxgraph.Layer{
			Query: d.linear(s.Hidden, s.Hidden), Key: d.linear(s.Hidden, s.Hidden), Value: d.linear(s.Hidden, s.Hidden),
			Output: d.linear(s.Hidden, s.Hidden), AttentionNorm: plain(s.Hidden),
			Up: d.linear(s.FFN, s.Hidden), Down: d.linear(s.Hidden, s.FFN), OutputNorm: plain(s.Hidden),
		})
	}
	return m
}

// plain is a normalisation that does nothing more.
func plain(n int) onnxgraph.Norm {
	norm := onnxgraph.Norm{Weight: make([]float32, n), Bias: make([]float32, n)}
	for i := range norm.Weight {
		norm.Weight[i] = 1
	}
	return norm
}

// dice hands out the numbers of weights, one after another.
type dice struct{ next uint64 }

func (d *dice) linear(out, in int) onnxgraph.Linear {
	return onnxgraph.Linear{Weight: d.matrix(out, in), Bias: make([]float32, out)}
}

// matrix has weights whose products keep the size of what they are multiplied with, so that no number overflows
// however many layers there are: their variance is 1/cols.
func (d *dice) matrix(rows, cols int) onnxgraph.Matrix {
	first := d.next
	d.next += uint64(rows * cols)
	scale := 1 / (deviation * math.Sqrt(float64(cols)))
	return onnxgraph.Matrix{Rows: rows, Cols: cols, Read: func(dst []float32, at int) error {
		for i := range dst {
			dst[i] = float32(float64(bell(first+uint64(at+i))) * scale)
		}
		return nil
	}}
}

// deviation is bell's: of the sum of four numbers spread evenly over 2^16.
const deviation = 1 << 16 * 0.5773502691896258

// bell is the number-th draw from a bell curve around zero, so that a few weights of a row are much larger than most, as in
// real models: output number of splitmix64, taken as four numbers.
func bell(number uint64) int {
	z := (number + 1) * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return int(z&0xffff) + int(z>>16&0xffff) + int(z>>32&0xffff) + int(z>>48) - 2*0xffff
}
