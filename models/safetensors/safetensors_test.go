package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/models/safetensors/safetensorstest"
)

func read(file []byte) (Tensors, error) { return Read(bytes.NewReader(file), int64(len(file))) }

func TestReadFloats(t *testing.T) {
	values := []float32{1.5, -2, 0.25, 1e-7, 3, -0.0078125} // each type keeps all but 1e-7
	for _, kind := range []string{"F32", "F16", "BF16"} {
		tensors, err := read(safetensorstest.File(
			safetensorstest.Tensor{Name: "before", Type: "I64", Shape: []int{2}, Values: []float32{1, 2}},
			safetensorstest.Tensor{Name: "weights", Type: kind, Shape: []int{2, 3}, Values: values},
			safetensorstest.Tensor{Name: "after", Type: "F32", Shape: nil, Values: []float32{9}},
		))
		if err != nil {
			t.Fatal(err)
		}
		w := tensors["weights"]
		if !w.Is(2, 3) || w.Is(6) || w.Is(3, 2) || w.Len() != 6 || !w.Float() {
			t.Errorf("%s: %+v", kind, w)
		}
		got := make([]float32, 4)
		if err := w.ReadFloats(got, 2); err != nil {
			t.Fatal(err)
		}
		got[1] = values[3]
		if !slices.Equal(got, values[2:]) {
			t.Errorf("%s: %v, not %v", kind, got, values[2:])
		}
		for _, first := range []int{-1, 3, 7} {
			if err := w.ReadFloats(got, first); err == nil || !strings.Contains(err.Error(), "too many") {
				t.Errorf("%s: 4 numbers from %d on: %v", kind, first, err)
			}
		}
		if err := tensors["before"].ReadFloats(got[:2], 0); err == nil {
			t.Error("integers were read as floats")
		}
	}
}

func TestLongTensorsAreReadInParts(t *testing.T) {
	values := make([]float32, 700_000)
	for i := range values {
		values[i] = float32(i)
	}
	tensors, err := read(safetensorstest.File(safetensorstest.Tensor{Name: "a", Type: "F32", Shape: []int{len(values)}, Values: values}))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, len(values)-1)
	if err := tensors["a"].ReadFloats(got, 1); err != nil || !slices.Equal(got, values[1:]) {
		t.Errorf("the numbers differ, %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	one := func(inner string) []byte { return safetensorstest.Raw([]byte(`{"a":{`+inner+`}}`), make([]byte, 8)) }
	for name, test := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":           {nil, "only 0 bytes"},
		"seven bytes":       {make([]byte, 7), "only 7 bytes"},
		"a huge header":     {binary.LittleEndian.AppendUint64(nil, 1<<63), "more than"},
		"a large header":    {binary.LittleEndian.AppendUint64(nil, maxHeader+1), "more than"},
		"a longer header":   {binary.LittleEndian.AppendUint64(nil, 20), "the file 8"},
		"no JSON":           {safetensorstest.Raw([]byte("PK\x03\x04"), nil), "no JSON object"},
		"a list":            {safetensorstest.Raw([]byte("[]"), nil), "no JSON object"},
		"an unclosed one":   {safetensorstest.Raw([]byte(`{"__metadata__":{}`), nil), "cut"},
		"more than one":     {safetensorstest.Raw([]byte(`{}{}`), nil), "follows"},
		"twice":             {safetensorstest.Raw([]byte(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`), make([]byte, 8)), "there twice"},
		"unknown type":      {one(`"dtype":"F4","shape":[2],"data_offsets":[0,8]`), `type "F4"`},
		"no offsets":        {one(`"dtype":"F32","shape":[2]`), "0 offsets"},
		"backwards":         {one(`"dtype":"F32","shape":[2],"data_offsets":[8,0]`), "from 8 to 0"},
		"negative":          {one(`"dtype":"F32","shape":[2],"data_offsets":[-8,0]`), "from -8 to 0"},
		"beyond the end":    {one(`"dtype":"F32","shape":[4],"data_offsets":[0,16]`), "ends at 16 of 8 bytes: the file is cut"},
		"too large":         {one(`"dtype":"F32","shape":[9223372036854775807,9223372036854775807],"data_offsets":[0,8]`), "cannot hold"},
		"overflowing":       {one(`"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]`), "cannot hold"},
		"beyond an integer": {one(`"dtype":"F32","shape":[92233720368547758079],"data_offsets":[0,8]`), "cannot be read"},
		"negative size":     {one(`"dtype":"F32","shape":[-2],"data_offsets":[0,8]`), "shape [-2]"},
		"many dimensions":   {one(`"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]`), "9 dimensions"},
		"another size":      {one(`"dtype":"F32","shape":[1],"data_offsets":[0,8]`), "needs 4 bytes, not 8"},
		"rest at the end":   {one(`"dtype":"F32","shape":[1],"data_offsets":[0,4]`), "4 bytes after the last tensor"},
		"a hole":            {one(`"dtype":"F32","shape":[1],"data_offsets":[4,8]`), "bytes from 0 to 4 belong to no tensor"},
		"shared bytes":      {safetensorstest.Raw([]byte(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`), make([]byte, 8)), "inside another"},
		"text for a tensor": {safetensorstest.Raw([]byte(`{"a":"b"}`), nil), "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(test.file)
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestEveryCutFileIsRefused(t *testing.T) {
	file := safetensorstest.File(safetensorstest.Tensor{Name: "a", Type: "F32", Shape: []int{2}, Values: []float32{1, 2}})
	for n := range file {
		if _, err := read(file[:n]); !errors.Is(err, ErrFormat) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(file), err)
		}
	}
}

func tensor(name string) safetensorstest.Tensor {
	return safetensorstest.Tensor{Name: name, Type: "F32", Shape: []int{1}, Values: []float32{float32(len(name))}}
}

func TestOpenFolder(t *testing.T) {
	files := map[string][]byte{
		"one.safetensors": safetensorstest.File(tensor("a"), tensor("bb")),
		"two.safetensors": safetensorstest.File(tensor("ccc")),
		IndexFile:         []byte(`{"metadata":{"total_size":12},"weight_map":{"a":"one.safetensors","bb":"one.safetensors","ccc":"two.safetensors"}}`),
	}
	f, err := OpenFolder(folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, name := range []string{"a", "bb", "ccc"} {
		got := make([]float32, 1)
		if err := f.Tensors[name].ReadFloats(got, 0); err != nil || got[0] != float32(len(name)) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if len(f.Paths) != 2 || filepath.Base(f.Paths[0]) != "one.safetensors" {
		t.Errorf("the files are %v", f.Paths)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	files[WeightsFile] = safetensorstest.File(tensor("alone"))
	alone, err := OpenFolder(folder(t, files))
	if err != nil || len(alone.Tensors) != 1 {
		t.Fatalf("the one file does not go before shards: %v", err)
	}
	_ = alone.Close()
}

func TestOpenFolderRefuses(t *testing.T) {
	shard := safetensorstest.File(tensor("a"))
	for name, test := range map[string]struct {
		files map[string][]byte
		want  string
	}{
		"nothing":            {nil, "neither"},
		"a broken file":      {map[string][]byte{WeightsFile: shard[:9]}, WeightsFile},
		"an index of text":   {map[string][]byte{IndexFile: []byte("<html>")}, "cannot be read"},
		"an empty index":     {map[string][]byte{IndexFile: []byte("{}")}, "names no tensors"},
		"a missing shard":    {map[string][]byte{IndexFile: []byte(`{"weight_map":{"a":"one"}}`)}, "one"},
		"a path":             {map[string][]byte{IndexFile: []byte(`{"weight_map":{"a":"../one"}}`)}, "not beside it"},
		"a path of Windows":  {map[string][]byte{IndexFile: []byte(`{"weight_map":{"a":"x\\one"}}`)}, "not beside it"},
		"a missing tensor":   {map[string][]byte{IndexFile: []byte(`{"weight_map":{"b":"one"}}`), "one": shard}, "is not"},
		"the same one twice": {map[string][]byte{IndexFile: []byte(`{"weight_map":{"a":"one","b":"two"}}`), "one": shard, "two": shard}, "another file too"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := OpenFolder(folder(t, test.files))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if name == "nothing" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v is not fs.ErrNotExist", err)
			}
		})
	}
}

func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// FuzzRead reads whatever a header promises: that must never be outside the file, and never much memory.
func FuzzRead(f *testing.F) {
	f.Add(safetensorstest.File(tensor("a"), tensor("b")))
	f.Add(safetensorstest.Raw([]byte(`{"a":{"dtype":"F16","shape":[0,5],"data_offsets":[0,0]}}`), nil))
	f.Add(safetensorstest.Raw([]byte(`{"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}} `), make([]byte, 2)))
	f.Fuzz(func(t *testing.T, file []byte) {
		tensors, err := read(file)
		if err != nil {
			return
		}
		for name, tensor := range tensors {
			if tensor.Len() > len(file) {
				t.Fatalf("%q has %d numbers in a file of %d bytes", name, tensor.Len(), len(file))
			}
			if tensor.Float() {
				if err := tensor.ReadFloats(make([]float32, tensor.Len()), 0); err != nil {
					t.Errorf("%q: %v", name, err)
				}
			}
		}
	})
}
