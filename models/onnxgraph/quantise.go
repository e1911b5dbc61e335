package onnxgraph

import (
	"encoding/binary"
	"io"
	"math"

	"fanous/models/half"
)

// signed8 is the largest weight in 8 bits: -128 is left out, so that a scale serves both signs.
const signed8 = 127

// int8Matrix is a matrix whose rows are each rounded to 8 bits, with a scale a row: w = scale x q. The rounding is done
// when the weights are written; the scales of that are kept for the constant that comes after.
type int8Matrix struct {
	Matrix
	uniform bool // one scale for the whole matrix
	scales  []float32
}

// measure finds the scales.
func (m *int8Matrix) measure() error {
	if m.scales != nil {
		return nil
	}
	scales := make([]float32, 0, m.Rows)
	err := m.each(func(rows []float32) error {
		for ; len(rows) > 0; rows = rows[m.Cols:] {
			scales = append(scales, largest(rows[:m.Cols])/signed8)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if m.uniform {
		scales = []float32{largest(scales)}
	}
	m.scales = scales
	return nil
}

func largest(values []float32) float32 {
	var most float32
	for _, v := range values {
		most = max(most, float32(math.Abs(float64(v))))
	}
	return most
}

// scale is the one of a row.
func (m *int8Matrix) scale(row int) float32 {
	if m.uniform {
		row = 0
	}
	return m.scales[row]
}

// writeRows writes the bytes row-major, as a table is looked up.
func (m *int8Matrix) writeRows(w io.Writer) error {
	if err := m.measure(); err != nil {
		return err
	}
	row, out := 0, []byte(nil)
	return m.each(func(rows []float32) error {
		out = out[:0]
		for ; len(rows) > 0; rows = rows[m.Cols:] {
			scale := m.scale(row)
			for _, v := range rows[:m.Cols] {
				out = append(out, byte(toInt8(v, scale)))
			}
			row++
		}
		_, err := w.Write(out)
		return err
	})
}

// writeColumns writes the bytes transposed, as [cols, rows], which is how a product takes them.
func (m *int8Matrix) writeColumns(w io.Writer) error {
	if err := m.measure(); err != nil {
		return err
	}
	values, err := m.whole()
	if err != nil {
		return err
	}
	out := make([]byte, len(values))
	for row := range m.Rows {
		scale := m.scale(row)
		for col, v := range values[row*m.Cols : (row+1)*m.Cols] {
			out[col*m.Rows+row] = byte(toInt8(v, scale))
		}
	}
	_, err = w.Write(out)
	return err
}

func (m *int8Matrix) writeScales(w io.Writer) error {
	if err := m.measure(); err != nil {
		return err
	}
	return writeFloats(w, len(m.scales), func(i int) float32 { return m.scales[i] })
}

func toInt8(v, scale float32) int8 {
	if scale == 0 {
		return 0
	}
	return int8(math.RoundToEven(float64(v / scale)))
}

// nibbleMatrix rounds a matrix to 4-bit blocks. The weight of the largest size in a block becomes -8, the one of
// sixteen steps that no other step is the negative of, so that none is wasted.
type nibbleMatrix struct {
	Matrix
	halves []byte // the scales, when they are known
}

func (m *nibbleMatrix) writeWeights(w io.Writer) error {
	if m.Nibbles != nil {
		_, err := w.Write(m.Nibbles)
		return err
	}
	halves, out := make([]byte, 0, m.size()/BlockSize*2), []byte(nil)
	err := m.each(func(rows []float32) error {
		out = out[:0]
		for ; len(rows) > 0; rows = rows[BlockSize:] {
			var scale uint16
			scale, out = appendBlock(out, rows[:BlockSize])
			halves = binary.LittleEndian.AppendUint16(halves, scale)
		}
		_, err := w.Write(out)
		return err
	})
	m.halves = halves
	return err
}

func (m *nibbleMatrix) writeScales(w io.Writer) error {
	halves := m.halves
	switch {
	case m.Nibbles != nil:
		halves = m.Scales
	case halves == nil: // not in the order of the weights
		if err := m.writeWeights(io.Discard); err != nil {
			return err
		}
		halves = m.halves
	}
	_, err := w.Write(halves)
	return err
}

// appendBlock gives the block's scale, a float16, and its bytes.
func appendBlock(dst []byte, block []float32) (bits uint16, out []byte) {
	var extreme float32
	for _, v := range block {
		if math.Abs(float64(v)) > math.Abs(float64(extreme)) {
			extreme = v
		}
	}
	bits = half.Bits(extreme / -8)
	scale := half.Float32(bits)
	for i := 0; i < len(block); i += 2 {
		dst = append(dst, toNibble(block[i], scale)|toNibble(block[i+1], scale)<<4)
	}
	return bits, dst
}

func toNibble(v, scale float32) byte {
	if scale == 0 {
		return 8
	}
	return byte(min(max(math.RoundToEven(float64(v/scale)), -8), 7) + 8)
}
