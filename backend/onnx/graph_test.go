package onnx

import (
	"bytes"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is a length-delimited field of a message.
func field(num protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), slices.Concat(parts...))
}

func number(num protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), v)
}

func port(name string, kind uint64, dims ...[]byte) []byte {
	return slices.Concat(field(valueName, []byte(name)),
		field(valueType, field(typeTensor, number(tensorElem, kind), field(tensorShape, dims...))))
}

func TestParseGraph(t *testing.T) {
	weights := bytes.Repeat([]byte{0xff}, 5000)
	model := slices.Concat(
		number(1, 8), // ir_version
		field(modelGraph,
			field(1, []byte("a node")),
			field(graphInput, port("input_ids", typeInt64, field(shapeDim, field(2, []byte("batch"))), field(shapeDim))),
			field(5, weights),
			field(graphOutput, port("logits", typeFloat, field(shapeDim, field(2, []byte("batch"))), field(shapeDim, number(dimValue, 1)))),
		),
		field(8, number(2, 17)), // opset_import
	)
	g, err := parseGraph(bytes.NewReader(model), int64(len(model)))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.inputs) != 1 || g.inputs[0].Name != "input_ids" || g.inputs[0].Type != typeInt64 || !slices.Equal(g.inputs[0].Dims, []int64{-1, -1}) {
		t.Errorf("inputs %+v", g.inputs)
	}
	if len(g.outputs) != 1 || g.outputs[0].Name != "logits" || g.outputs[0].Type != typeFloat || !slices.Equal(g.outputs[0].Dims, []int64{-1, 1}) {
		t.Errorf("outputs %+v", g.outputs)
	}

	for cut := range len(model) {
		if cut == len(model)-len(field(8, number(2, 17))) {
			continue // still a whole message
		}
		if _, err := parseGraph(bytes.NewReader(model[:cut]), int64(cut)); err == nil {
			t.Errorf("cut at %d of %d: no error", cut, len(model))
		}
	}
}

func FuzzParseGraph(f *testing.F) {
	f.Add(field(modelGraph, field(graphInput, port("x", 1)), field(graphOutput, port("y", 1, field(shapeDim)))))
	f.Add([]byte("<!DOCTYPE html>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := parseGraph(bytes.NewReader(data), int64(len(data)))
		if err == nil && (len(g.inputs) == 0 || len(g.outputs) == 0) {
			t.Error("neither an error nor ports")
		}
	})
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"", "a\x00b", "\xff\x00\xff", "سلام\x00", "\x00\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, nuls := plain(text)
		if bytes.IndexByte([]byte(got), 0) >= 0 {
			t.Fatal("a NUL is left")
		}
		if end := nuls.original(uint(len(got))); end != len(text) {
			t.Errorf("the end is at %d of %d", end, len(text))
		}
		last := 0
		for i := range got { // every boundary of a character maps to one, in order
			at := nuls.original(uint(i))
			if at < last || at > len(text) {
				t.Fatalf("%d maps to %d after %d", i, at, last)
			}
			last = at
		}
	})
}
