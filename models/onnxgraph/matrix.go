package onnxgraph

import (
	"encoding/binary"
	"fmt"

	"fanous/models/half"
)

// Matrix is row-major, in one of three ways: Values, Read, or Nibbles with Scales.
type Matrix struct {
	Rows, Cols int

	Values []float32

	// Read fills dst with the values from number first on. It is for weights that are not in memory: writing asks for a
	// matrix at a time, or for some rows of a big table.
	Read func(dst []float32, first int) error

	// Nibbles holds two weights a byte, the even one in the low half; a weight is (nibble - 8) x the scale
	// of its block of BlockSize.
	Nibbles []byte
	Scales  []byte // little-endian float16, one a block
}

func (m Matrix) size() int { return m.Rows * m.Cols }

func (m Matrix) check(what string, rows, cols int) error {
	ways := 0
	for _, there := range []bool{m.Values != nil, m.Read != nil, m.Nibbles != nil} {
		if there {
			ways++
		}
	}
	switch {
	case m.Rows != rows || m.Cols != cols:
		return fmt.Errorf("%s is [%d, %d], not [%d, %d]", what, m.Rows, m.Cols, rows, cols)
	case ways > 1:
		return fmt.Errorf("%s is given in %d ways", what, ways)
	case m.Read != nil:
		return nil
	case m.Nibbles == nil && len(m.Values) != rows*cols:
		return fmt.Errorf("%s has %d values, not %d", what, len(m.Values), rows*cols)
	case m.Nibbles == nil:
		return nil
	case cols%BlockSize != 0:
		return fmt.Errorf("%s has %d columns, not a multiple of %d", what, cols, BlockSize)
	case len(m.Nibbles) != rows*cols/2:
		return fmt.Errorf("%s has %d bytes of nibbles, not %d", what, len(m.Nibbles), rows*cols/2)
	case len(m.Scales) != rows*cols/BlockSize*2:
		return fmt.Errorf("%s has %d bytes of scales, not %d", what, len(m.Scales), rows*cols/BlockSize*2)
	}
	return nil
}

// read fills dst with the values from number first on, however they are kept.
func (m Matrix) read(dst []float32, first int) error {
	switch {
	case m.Read != nil:
		return m.Read(dst, first)
	case m.Nibbles == nil:
		copy(dst, m.Values[first:])
		return nil
	}
	for i := range dst {
		at := first + i
		nibble := m.Nibbles[at/2] >> (at % 2 * 4) & 0x0f
		scale := half.Float32(binary.LittleEndian.Uint16(m.Scales[at/BlockSize*2:]))
		dst[i] = (float32(nibble) - 8) * scale
	}
	return nil
}

// rows is n rows from one on.
func (m Matrix) rows(first, n int) Matrix {
	skip := first * m.Cols
	return Matrix{Rows: n, Cols: m.Cols, Read: func(dst []float32, at int) error { return m.read(dst, skip+at) }}
}

// columns is n columns from one on.
func (m Matrix) columns(first, n int) Matrix {
	return Matrix{Rows: m.Rows, Cols: n, Read: func(dst []float32, at int) error {
		for len(dst) > 0 {
			row, col := at/n, at%n
			part := dst[:min(n-col, len(dst))]
			if err := m.read(part, row*m.Cols+first+col); err != nil {
				return err
			}
			at += len(part)
			dst = dst[len(part):]
		}
		return nil
	}}
}

// whole is all values at once.
func (m Matrix) whole() ([]float32, error) {
	if m.Values != nil {
		return m.Values, nil
	}
	values := make([]float32, m.size())
	return values, m.read(values, 0)
}

// each calls f with some whole rows after another, so that a big table is never in memory at once. The slice is
// f's until it returns.
func (m Matrix) each(f func(rows []float32) error) error {
	const batch = 1 << 18 // values
	step := max(1, batch/m.Cols) * m.Cols
	buf := make([]float32, min(step, m.size()))
	for first := 0; first < m.size(); first += step {
		part := buf[:min(step, m.size()-first)]
		if err := m.read(part, first); err != nil {
			return err
		}
		if err := f(part); err != nil {
			return err
		}
	}
	return nil
}
