// Package safetensorstest makes safetensors files for tests.
package safetensorstest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"fanous/models/half"
)

// Tensor is one array to write.
type Tensor struct {
	Name   string
	Type   string // F32, F16, BF16, or I64
	Shape  []int
	Values []float32
}

// File is a file with the tensors in the order given.
func File(tensors ...Tensor) []byte {
	header := []byte(`{"__metadata__":{"format":"pt"}`)
	var data []byte
	for _, t := range tensors {
		begin := len(data)
		for _, v := range t.Values {
			data = t.append(data, v)
		}
		shape, err := json.Marshal(t.Shape)
		if err != nil {
			panic(err) // of a slice of int: never
		}
		header = fmt.Appendf(header, `,%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, t.Name, t.Type, shape, begin, len(data))
	}
	return Raw(append(header, '}'), data)
}

// Raw is a file of a header's text and what follows it.
func Raw(header, data []byte) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), data...)
}

func (t Tensor) append(data []byte, v float32) []byte {
	switch t.Type {
	case "F16":
		return binary.LittleEndian.AppendUint16(data, half.Bits(v))
	case "BF16":
		return binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(v)>>16))
	case "I64":
		return binary.LittleEndian.AppendUint64(data, uint64(int64(v)))
	}
	return binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
}
