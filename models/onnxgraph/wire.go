package onnxgraph

import (
	"encoding/binary"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
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

// initializer is a constant of the graph. Its raw data is produced while the file is written, so that a
// big table is never held a second time.
type initializer struct {
	header []byte // the TensorProto up to and with the length of raw_data
	size   int64  // bytes of raw_data
	write  func(io.Writer) error
}

func newInitializer(name string, element elementType, dims []int, size int64, write func(io.Writer) error) initializer {
	var h []byte
	for _, d := range dims {
		h = appendInt(h, tensorDims, int64(d))
	}
	h = appendInt(h, tensorDataType, int64(element))
	h = appendString(h, tensorName, name)
	return initializer{header: appendPrefix(h, tensorRawData, size), size: size, write: write}
}

func (t initializer) messageSize() int64 { return int64(len(t.header)) + t.size }

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
