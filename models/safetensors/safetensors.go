// Package safetensors reads the format that model weights are published in: a length, a JSON header that says where
// each tensor lies, and the tensors. Nothing is read before it is asked for, and no header is believed: one that lies
// about sizes or places is an error, never a large allocation or a read outside its tensor.
package safetensors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"fanous/models/half"
)

// ErrFormat says that bytes are no safetensors file, or not a whole one.
var ErrFormat = errors.New("not a whole safetensors file")

// Tensor is one array of a file.
type Tensor struct {
	Name  string
	Type  string // as the file says: F32, F16, BF16, I64, ...
	Shape []int

	data io.ReaderAt // its bytes alone
}

// Len is how many numbers the tensor has.
func (t Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Is reports whether the tensor has this shape.
func (t Tensor) Is(shape ...int) bool {
	if len(shape) != len(t.Shape) {
		return false
	}
	for i, d := range shape {
		if t.Shape[i] != d {
			return false
		}
	}
	return true
}

// Float reports whether ReadFloats can read the tensor.
func (t Tensor) Float() bool { return t.Type == "F32" || t.Type == "F16" || t.Type == "BF16" }

// ReadFloats fills dst with the numbers from number first on, widened to float32 without loss.
func (t Tensor) ReadFloats(dst []float32, first int) error {
	if !t.Float() {
		return fmt.Errorf("tensor %q is of type %s, not of floats", t.Name, t.Type)
	}
	if first < 0 || first > t.Len() || len(dst) > t.Len()-first {
		return fmt.Errorf("tensor %q has %d numbers: %d from %d on are too many", t.Name, t.Len(), len(dst), first)
	}
	size := elementBits[t.Type] / 8
	buf := make([]byte, min(len(dst)*size, 1<<20))
	for at := int64(first * size); len(dst) > 0; at += int64(len(buf)) {
		buf = buf[:min(len(buf), len(dst)*size)]
		if _, err := t.data.ReadAt(buf, at); err != nil {
			return fmt.Errorf("tensor %q: %w", t.Name, err)
		}
		dst = dst[t.decode(dst, buf):]
	}
	return nil
}

// decode widens the numbers in buf and gives their count.
func (t Tensor) decode(dst []float32, buf []byte) int {
	switch t.Type {
	case "F32":
		for i := range len(buf) / 4 {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(buf[4*i:]))
		}
		return len(buf) / 4
	case "F16":
		for i := range len(buf) / 2 {
			dst[i] = half.Float32(binary.LittleEndian.Uint16(buf[2*i:]))
		}
	default: // BF16 is the upper half of a float32
		for i := range len(buf) / 2 {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(buf[2*i:])) << 16)
		}
	}
	return len(buf) / 2
}

// Tensors are the tensors of a file, or of all files of a model.
type Tensors map[string]Tensor

// Read reads the header of a file of size bytes. The tensors read from r when they are asked.
func Read(r io.ReaderAt, size int64) (Tensors, error) {
	h, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	tensors := Tensors{}
	for _, e := range h.entries {
		if err := e.check(size - h.end); err != nil {
			return nil, err
		}
		tensors[e.name] = Tensor{Name: e.name, Type: e.Type, Shape: e.Shape, data: io.NewSectionReader(r, h.end+e.begin(), e.bytes())}
	}
	return tensors, h.checkCover(size)
}
