package onnxgraph

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// summary reads a file back, with no knowledge of how it was written, into one line a thing.
func summary(t *testing.T, file []byte) string {
	t.Helper()
	var out strings.Builder
	each(t, file, func(field protowire.Number, v uint64, b []byte) {
		switch field {
		case modelIRVersion:
			fmt.Fprintf(&out, "ir %d\n", v)
		case modelProducer:
			fmt.Fprintf(&out, "producer %s\n", b)
		case modelOpsetImport:
			fmt.Fprintf(&out, "opset %s\n", fields(t, b))
		case modelGraph:
			each(t, b, func(field protowire.Number, _ uint64, b []byte) {
				switch field {
				case graphNode:
					fmt.Fprintf(&out, "node %s\n", node(t, b))
				case graphName:
					fmt.Fprintf(&out, "graph %s\n", b)
				case graphInitializer:
					fmt.Fprintf(&out, "constant %s\n", tensor(t, b))
				case graphInput:
					fmt.Fprintf(&out, "input %s\n", value(t, b))
				case graphOutput:
					fmt.Fprintf(&out, "output %s\n", value(t, b))
				default:
					t.Errorf("unexpected field %d in the graph", field)
				}
			})
		default:
			t.Errorf("unexpected field %d in the model", field)
		}
	})
	return out.String()
}

func node(t *testing.T, b []byte) string {
	var in, out, op, attributes, domain string
	each(t, b, func(field protowire.Number, _ uint64, b []byte) {
		switch field {
		case nodeInput:
			in += " " + fmt.Sprintf("%q", b)
		case nodeOutput:
			out += string(b) + " "
		case nodeOpType:
			op = string(b)
		case nodeDomain:
			domain = string(b) + "."
		case nodeAttribute:
			attributes += " {" + fields(t, b) + "}"
		}
	})
	return out + "= " + domain + op + in + attributes
}

func tensor(t *testing.T, b []byte) string {
	var dims []uint64
	var kind uint64
	var name string
	var raw []byte
	each(t, b, func(field protowire.Number, v uint64, b []byte) {
		switch field {
		case tensorDims:
			dims = append(dims, v)
		case tensorDataType:
			kind = v
		case tensorName:
			name = string(b)
		case tensorRawData:
			raw = b
		}
	})
	size := map[elementType]uint64{float32Type: 4, uint8Type: 1, int8Type: 1, int64Type: 8, float16Type: 2}[elementType(kind)]
	for _, d := range dims {
		size *= d
	}
	if size != uint64(len(raw)) {
		t.Errorf("constant %s: %v of type %d need %d bytes, not %d", name, dims, kind, size, len(raw))
	}
	return fmt.Sprintf("%s type %d %v %x", name, kind, dims, sha256.Sum256(raw))
}

func value(t *testing.T, b []byte) string {
	var s string
	var walk func(b []byte, path ...protowire.Number)
	walk = func(b []byte, path ...protowire.Number) {
		each(t, b, func(field protowire.Number, v uint64, b []byte) {
			if len(path) > 0 && field != path[0] {
				if b == nil {
					s += fmt.Sprintf(" type %d", v)
				} else {
					s += string(b)
				}
				return
			}
			if len(path) == 1 {
				s += " [" + fields(t, b) + "]"
				return
			}
			walk(b, path[1:]...)
		})
	}
	walk(b, valueType, typeTensor, tensorTypeShape, shapeDim)
	return s
}

// fields shows a message without submessages.
func fields(t *testing.T, b []byte) string {
	var s []string
	each(t, b, func(field protowire.Number, v uint64, b []byte) {
		switch {
		case b != nil:
			s = append(s, fmt.Sprintf("%d:%q", field, b))
		case field == attributeFloat && v>>32 == 0 && v > 1<<24:
			s = append(s, fmt.Sprintf("%d:%g", field, math.Float32frombits(uint32(v))))
		default:
			s = append(s, fmt.Sprintf("%d:%d", field, int64(v)))
		}
	})
	return strings.Join(s, " ")
}

func each(t *testing.T, b []byte, f func(field protowire.Number, v uint64, b []byte)) {
	t.Helper()
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		b = b[n:]
		switch kind {
		case protowire.VarintType:
			v, m := protowire.ConsumeVarint(b)
			n = m
			f(field, v, nil)
		case protowire.Fixed32Type:
			v, m := protowire.ConsumeFixed32(b)
			n = m
			f(field, uint64(v), nil)
		case protowire.BytesType:
			v, m := protowire.ConsumeBytes(b)
			n = m
			if v == nil {
				v = []byte{}
			}
			f(field, 0, v)
		default:
			t.Fatalf("field %d has wire type %d", field, kind)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		b = b[n:]
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, a, b)
		}
	}
	return "none"
}
