package onnx

import (
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protowire"
)

// Port is a named input or output of a model.
type Port struct {
	Name string
	Type int64   // ONNX's TensorProto.DataType: 1 float32, 7 int64, 10 float16
	Dims []int64 // -1 where the model leaves it open; nil where it says nothing
}

const (
	typeFloat = 1
	typeInt64 = 7
)

// graph is what a model's file says of its inputs and outputs.
type graph struct{ inputs, outputs []Port }

// Field numbers of the ONNX messages that lead to the ports.
const (
	modelGraph        = 7
	graphInput        = 11
	graphOutput       = 12
	valueName         = 1
	valueType         = 2
	typeTensor        = 1
	tensorElem        = 1
	tensorShape       = 2
	shapeDim          = 1
	dimValue          = 1
	maxPort     int64 = 1 << 20 // bytes; a port's description takes tens of them
)

// readGraph reads the ports from a model's file, jumping over its weights: asking ONNX Runtime
// instead would load the whole model a second time.
func readGraph(path string) (graph, error) {
	f, err := os.Open(path)
	if err != nil {
		return graph{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return graph{}, err
	}
	return parseGraph(f, info.Size())
}

func parseGraph(r io.ReaderAt, size int64) (graph, error) {
	var g graph
	found := false
	err := fields(r, 0, size, func(num protowire.Number, from, to int64) error {
		if num != modelGraph {
			return nil
		}
		found = true
		return fields(r, from, to, func(num protowire.Number, from, to int64) error {
			if num != graphInput && num != graphOutput {
				return nil
			}
			if to-from > maxPort {
				return errors.New("the description of an input is absurdly long")
			}
			buf := make([]byte, to-from)
			if _, err := r.ReadAt(buf, from); err != nil && err != io.EOF {
				return err
			}
			if num == graphInput {
				g.inputs = append(g.inputs, parsePort(buf))
			} else {
				g.outputs = append(g.outputs, parsePort(buf))
			}
			return nil
		})
	})
	switch {
	case err != nil:
		return graph{}, fmt.Errorf("not an ONNX model, or damaged: %w", err)
	case !found || len(g.inputs) == 0 || len(g.outputs) == 0:
		return graph{}, errors.New("not an ONNX model: it has no inputs and outputs")
	}
	return g, nil
}

// fields calls do with the range of every length-delimited field of the message that lies in
// [from, to) of r, and skips the others.
func fields(r io.ReaderAt, from, to int64, do func(num protowire.Number, from, to int64) error) error {
	var buf [20]byte // a tag and a varint take ten bytes each at most
	for from < to {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), to-from)], from)
		if err != nil && err != io.EOF {
			return err
		}
		head := buf[:n]
		num, kind, tagLen := protowire.ConsumeTag(head)
		if tagLen < 0 {
			return protowire.ParseError(tagLen)
		}
		from += int64(tagLen)
		switch kind {
		case protowire.BytesType:
			size, n := protowire.ConsumeVarint(head[tagLen:])
			if n < 0 {
				return protowire.ParseError(n)
			}
			from += int64(n)
			if size > uint64(to-from) {
				return io.ErrUnexpectedEOF
			}
			if err := do(num, from, from+int64(size)); err != nil {
				return err
			}
			from += int64(size)
		default:
			n := protowire.ConsumeFieldValue(num, kind, head[tagLen:])
			if n < 0 {
				return protowire.ParseError(n)
			}
			from += int64(n)
		}
	}
	return nil
}

func parsePort(value []byte) Port {
	p := Port{Name: string(message(value, valueName))}
	tensor := message(message(value, valueType), typeTensor)
	each(tensor, func(num protowire.Number, v uint64, _ []byte) {
		if num == tensorElem {
			p.Type = int64(v)
		}
	})
	each(message(tensor, tensorShape), func(num protowire.Number, _ uint64, dim []byte) {
		if num != shapeDim {
			return
		}
		size := int64(-1)
		each(dim, func(num protowire.Number, v uint64, b []byte) {
			if num == dimValue && b == nil {
				size = int64(v)
			}
		})
		p.Dims = append(p.Dims, size)
	})
	return p
}

// message finds the last field num of a message, which is the one that counts.
func message(b []byte, want protowire.Number) (found []byte) {
	each(b, func(num protowire.Number, _ uint64, v []byte) {
		if num == want {
			found = v
		}
	})
	return found
}

// each calls do with every varint (v) and length-delimited field (b, not nil) up to the first
// thing that is neither valid nor known.
func each(b []byte, do func(num protowire.Number, v uint64, b []byte)) {
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return
		}
		b = b[n:]
		switch kind {
		case protowire.VarintType:
			v, n := protowire.ConsumeVarint(b)
			if n < 0 {
				return
			}
			do(num, v, nil)
			b = b[n:]
		case protowire.BytesType:
			v, n := protowire.ConsumeBytes(b)
			if n < 0 {
				return
			}
			do(num, 0, v)
			b = b[n:]
		default:
			n := protowire.ConsumeFieldValue(num, kind, b)
			if n < 0 {
				return
			}
			b = b[n:]
		}
	}
}
