package onnxgraph

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"fanous/models/half"
)

// Field numbers of the ONNX messages that an encoder needs, as onnx.proto gives them.
const (
	modelIRVersion   = 1
	modelProducer    = 2
	modelGraph       = 7
	modelOpsetImport = 8

	opsetDomain  = 1
	opsetVersion = 2

	graphNode        = 1
	graphName        = 2
	graphInitializer = 5
	graphInput       = 11
	graphOutput      = 12

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOpType    = 4
	nodeAttribute = 5
	nodeDomain    = 7

	attributeName  = 1
	attributeFloat = 2
	attributeInt   = 3
	attributeInts  = 8
	attributeType  = 20

	attributeTypeFloat = 1
	attributeTypeInt   = 2
	attributeTypeInts  = 7

	tensorDims     = 1
	tensorDataType = 2
	tensorName     = 8
	tensorRawData  = 9
	tensorExternal = 13
	tensorLocation = 14

	entryKey   = 1
	entryValue = 2

	valueName = 1
	valueType = 2

	typeTensor = 1

	tensorTypeElement = 1
	tensorTypeShape   = 2

	shapeDim = 1

	dimValue = 1
	dimParam = 2
)

// elementType is TensorProto.DataType.
type elementType uint64

const (
	float32Type elementType = 1
	uint8Type   elementType = 2
	int8Type    elementType = 3
	int64Type   elementType = 7
	float16Type elementType = 10
)

func appendString(dst []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(dst, field, protowire.BytesType), s)
}

func appendMessage(dst []byte, field protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, field, protowire.BytesType), message)
}

func appendInt(dst []byte, field protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, field, protowire.VarintType), uint64(v))
}

// appendPrefix opens a length-delimited field whose content the caller writes next.
func appendPrefix(dst []byte, field protowire.Number, size int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, field, protowire.BytesType), uint64(size))
}

// attribute is one encoded AttributeProto.
type attribute []byte

func intAttribute(name string, v int64) attribute {
	a := appendString(nil, attributeName, name)
	a = appendInt(a, attributeInt, v)
	return appendInt(a, attributeType, attributeTypeInt)
}

func floatAttribute(name string, v float32) attribute {
	a := appendString(nil, attributeName, name)
	a = protowire.AppendTag(a, attributeFloat, protowire.Fixed32Type)
	a = protowire.AppendFixed32(a, math.Float32bits(v))
	return appendInt(a, attributeType, attributeTypeFloat)
}

func intsAttribute(name string, values ...int64) attribute {
	a := appendString(nil, attributeName, name)
	for _, v := range values {
		a = appendInt(a, attributeInts, v)
	}
	return appendInt(a, attributeType, attributeTypeInts)
}

// valueInfo describes an input or an output; a string dimension is symbolic, an int one is fixed.
func valueInfo(name string, element elementType, dims ...any) []byte {
	var shape []byte
	for _, d := range dims {
		var dim []byte
		switch d := d.(type) {
		case int:
			dim = appendInt(nil, dimValue, int64(d))
		case string:
			dim = appendString(nil, dimParam, d)
		}
		shape = appendMessage(shape, shapeDim, dim)
	}
	tensor := appendInt(nil, tensorTypeElement, int64(element))
	tensor = appendMessage(tensor, tensorTypeShape, shape)
	return appendMessage(appendString(nil, valueName, name), valueType, appendMessage(nil, typeTensor, tensor))
}

// initializer is a constant of the graph. Its data is produced while the file is written, so that a
// big table is never held a second time.
type initializer struct {
	name    string
	element elementType
	dims    []int
	size    int64 // bytes of the data
	write   func(io.Writer) error
}

// message is the TensorProto up to its data, of which inside bytes follow.
func (t initializer) message(data *externalData) (message []byte, inside int64) {
	for _, d := range t.dims {
		message = appendInt(message, tensorDims, int64(d))
	}
	message = appendInt(message, tensorDataType, int64(t.element))
	message = appendString(message, tensorName, t.name)
	if data.holds(t) {
		return data.appendPlace(message, t), 0
	}
	return appendPrefix(message, tensorRawData, t.size), t.size
}

func appendEntry(dst []byte, field protowire.Number, key, value string) []byte {
	return appendMessage(dst, field, appendString(appendString(nil, entryKey, key), entryValue, value))
}

// writeFloats writes n little-endian values, at(i) each.
func writeFloats(w io.Writer, n int, at func(i int) float32) error {
	const batch = 16 << 10
	buf := make([]byte, 0, 4*batch)
	for i := range n {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(at(i)))
		if len(buf) == cap(buf) || i == n-1 {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return nil
}

// writeHalves writes n little-endian float16, at(i) each.
func writeHalves(w io.Writer, n int, at func(i int) float32) error {
	out := make([]byte, 0, 2*n)
	for i := range n {
		v := at(i)
		bits := half.Bits(v)
		if bits&0x7fff >= 0x7c00 {
			return fmt.Errorf("a weight of %g does not fit into float16", v)
		}
		out = binary.LittleEndian.AppendUint16(out, bits)
	}
	_, err := w.Write(out)
	return err
}
