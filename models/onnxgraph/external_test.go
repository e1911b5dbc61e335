package onnxgraph

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"fanous/models"
)

func TestWriteFolder(t *testing.T) {
	dir := t.TempDir()
	form := Form{Precision: Int8, Layout: Fast}
	m := madeUp(false, 2, &Classifier{Dense: dense(32, 32, 90), Out: dense(1, 32, 91)})
	var last, total int64
	files, err := WriteFolder(t.Context(), dir, m, form, func(done, all int64) {
		if done < last || total != 0 && all != total || done > all {
			t.Errorf("progress went from %d of %d to %d of %d", last, total, done, all)
		}
		last, total = done, all
	})
	if err != nil || len(files) != 2 || files[0].Name != models.GraphFile || files[1].Name != DataFile {
		t.Fatalf("%v, %v", files, err)
	}
	if last != total {
		t.Errorf("progress ended at %d of %d", last, total)
	}
	graph, err := os.ReadFile(filepath.Join(dir, models.GraphFile))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, DataFile))
	if err != nil {
		t.Fatal(err)
	}
	var whole bytes.Buffer
	if err := Write(&whole, m, form); err != nil {
		t.Fatal(err)
	}
	want, got := constants(t, whole.Bytes(), nil), constants(t, graph, data)
	if len(got) != len(want) {
		t.Errorf("%d constants, not %d", len(got), len(want))
	}
	for name, bytes := range want {
		if string(got[name]) != string(bytes) {
			t.Errorf("constant %s has other bytes in the data file", name)
		}
	}
}

// constants reads the data of every constant, from the graph or from the data file.
func constants(t *testing.T, graph, data []byte) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	tensor := func(b []byte) {
		var name string
		var raw []byte
		entries := map[string]string{}
		each(t, b, func(field protowire.Number, _ uint64, b []byte) {
			switch field {
			case tensorName:
				name = string(b)
			case tensorRawData:
				raw = b
			case tensorExternal:
				var pair []string
				each(t, b, func(_ protowire.Number, _ uint64, b []byte) { pair = append(pair, string(b)) })
				entries[pair[0]] = pair[1]
			}
		})
		if len(entries) > 0 {
			offset, err := strconv.Atoi(entries["offset"])
			length, err2 := strconv.Atoi(entries["length"])
			if err != nil || err2 != nil || entries["location"] != DataFile || offset%page != 0 || length < smallest || raw != nil {
				t.Errorf("constant %s lies at %v", name, entries)
			}
			raw = data[offset : offset+length]
		}
		found[name] = raw
	}
	each(t, graph, func(field protowire.Number, _ uint64, b []byte) {
		if field == modelGraph {
			each(t, b, func(field protowire.Number, _ uint64, b []byte) {
				if field == graphInitializer {
					tensor(b)
				}
			})
		}
	})
	return found
}

func TestWriteFolderStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	_, err := WriteFolder(ctx, dir, madeUp(false, 0, nil), Form{}, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestWriteReportsWhatCannotBeRead(t *testing.T) {
	gone := errors.New("the stick was pulled out")
	m := madeUp(false, 0, nil)
	m.Layers[0].Up.Weight = Matrix{Rows: 64, Cols: 32, Read: func([]float32, int) error { return gone }}
	for _, p := range []Precision{FP32, FP16, Int8, Q4} {
		if _, err := WriteFolder(t.Context(), t.TempDir(), m, Form{Precision: p}, nil); !errors.Is(err, gone) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestWriteRefusesAnUnknownPrecision(t *testing.T) {
	if err := Write(&bytes.Buffer{}, madeUp(false, 0, nil), Form{Precision: "fp8"}); err == nil {
		t.Error("it was written")
	}
}
