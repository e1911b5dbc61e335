package onnx_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fanous/backend/onnx"
	"fanous/models"
	"fanous/models/convert"
	"fanous/models/convert/converttest"
	"fanous/models/onnxgraph"
	"fanous/models/safetensors"
	"fanous/models/tinyxlmr"
)

// reference is what models/reference/converted.py recorded of the reference implementation.
type reference struct {
	Models []struct {
		Architecture string
		BERTTokens   bool   `json:"bert_tokens"`
		Weights      string `json:"weights_sha256"`
		Outputs      []struct {
			IDs     []int64
			Numbers []float32 // the logit, or the first four of the first and of the last token's vector
		}
	}
}

// int8Tolerance leaves room for processors without VNNI, whose 8-bit products saturate.
const int8Tolerance = 0.4

// TestConvertedModelsGiveTheReferenceNumbers follows published weights to numbers. The small made-up models exaggerate
// what rounding does; see decisions/local-graphs.md for large ones.
func TestConvertedModelsGiveTheReferenceNumbers(t *testing.T) {
	data, err := os.ReadFile("testdata/converted-reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var want reference
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	within := map[onnxgraph.Precision]float64{
		onnxgraph.FP32: 1e-5, onnxgraph.FP16: 1e-2, onnxgraph.Int8: int8Tolerance, onnxgraph.Int8Words4: 0.5, onnxgraph.Q4: 1,
	}
	for _, m := range want.Models {
		kind := converttest.Kind{Architecture: m.Architecture, Type: "F32", BERTTokens: m.BERTTokens}
		src := filepath.Join(t.TempDir(), kind.Name())
		if err := converttest.Folder(src, kind, nil); err != nil {
			t.Fatal(err)
		}
		if got := fileDigest(t, filepath.Join(src, safetensors.WeightsFile)); got != m.Weights {
			t.Fatalf("%s: the made-up weights have SHA-256 %s, and those that were recorded %s", m.Architecture, got, m.Weights)
		}
		for precision, tolerance := range within {
			dir := t.TempDir()
			o := convert.Options{Manifest: models.Manifest{Name: "made"}, Precision: precision}
			if _, err := convert.Folder(t.Context(), src, dir, o); err != nil {
				t.Fatal(err)
			}
			session := openConverted(t, dir)
			var worst float64
			for _, out := range m.Outputs {
				got := run(t, session, out.IDs)
				if !kind.Cross() {
					got = append(got[:4:4], got[len(got)-converttest.Hidden:][:4]...)
				}
				worst = max(worst, furthest(t, got, out.Numbers))
			}
			t.Logf("%-65s %-11s differs by up to %.2g", kind.Name(), precision, worst)
			if !(worst <= tolerance) {
				t.Errorf("%s as %s differs from the reference by %g, more than %g", kind.Name(), precision, worst, tolerance)
			}
		}
	}
}

// TestFormsOfOneModelAgree compares every form with the standard float32 one, whose numbers are the reference's.
func TestFormsOfOneModelAgree(t *testing.T) {
	const words = 1000 // of the vocabulary: enough here, and quicker
	within := map[onnxgraph.Form]float64{
		{Precision: onnxgraph.FP32, Layout: onnxgraph.Fast}:       1e-5,
		{Precision: onnxgraph.FP32, Layout: onnxgraph.Published}:  0,
		{Precision: onnxgraph.FP16}:                               1e-2,
		{Precision: onnxgraph.FP16, Layout: onnxgraph.Fast}:       1e-2,
		{Precision: onnxgraph.Int8}:                               int8Tolerance,
		{Precision: onnxgraph.Int8, Layout: onnxgraph.Fast}:       int8Tolerance,
		{Precision: onnxgraph.Int8, Layout: onnxgraph.Published}:  int8Tolerance,
		{Precision: onnxgraph.Int8Words4, Layout: onnxgraph.Fast}: 0.5,
	}
	texts := [][]int64{{0, 2, 2, 5, 2}, {0, 581, 9, 2, 2, words - 1, 77, 123, 44, 2}, make([]int64, 512)}
	for i := range texts[2] {
		texts[2][i] = int64(5 + i*i%(words-5))
	}
	reranker := tinyxlmr.Model()
	reranker.Word = onnxgraph.Matrix{Rows: words, Cols: reranker.Word.Cols, Values: reranker.Word.Values[:words*reranker.Word.Cols]}
	encoder := *reranker
	encoder.Classifier = nil
	wide := widened(reranker)
	for name, model := range map[string]*onnxgraph.Model{"cross-encoder": reranker, "wide": wide, "embedder": &encoder} {
		open := func(f onnxgraph.Form) *onnx.Session {
			dir := t.TempDir()
			if _, err := onnxgraph.WriteFolder(t.Context(), dir, model, f, nil); err != nil {
				t.Fatal(err)
			}
			return openGraph(t, filepath.Join(dir, models.GraphFile))
		}
		plain := open(onnxgraph.Form{Precision: onnxgraph.FP32})
		for form, tolerance := range within {
			session := open(form)
			var worst float64
			for _, ids := range texts {
				worst = max(worst, furthest(t, run(t, session, ids), run(t, plain, ids)))
			}
			t.Logf("%-13s %-17s differs by up to %.2g", name, form, worst)
			if name != "cross-encoder" {
				tolerance *= 8 // the worst of 512 x 32 numbers, or of sums of 4,096
			}
			if !(worst <= tolerance) {
				t.Errorf("%s as %s differs from float32 by %g, more than %g", name, form, worst, tolerance)
			}
			_ = session.Close()
		}
	}
}

// widened has feed-forward networks of many times the width and the same numbers: every column of the middle is there
// often, side by side, and weighs as much less.
func widened(m *onnxgraph.Model) *onnxgraph.Model {
	const times = 64
	wide := *m
	wide.Layers = slices.Clone(m.Layers)
	for i, l := range m.Layers {
		up, down := l.Up.Weight, l.Down.Weight
		var u onnxgraph.Linear
		for row := range up.Rows {
			u.Weight.Values = append(u.Weight.Values, slices.Repeat(up.Values[row*up.Cols:(row+1)*up.Cols], times)...)
			u.Bias = append(u.Bias, slices.Repeat(l.Up.Bias[row:row+1], times)...)
		}
		u.Weight.Rows, u.Weight.Cols = up.Rows*times, up.Cols
		d := onnxgraph.Linear{Weight: onnxgraph.Matrix{Rows: down.Rows, Cols: down.Cols * times}, Bias: l.Down.Bias}
		for _, v := range down.Values {
			d.Weight.Values = append(d.Weight.Values, slices.Repeat([]float32{v / times}, times)...)
		}
		wide.Layers[i].Up, wide.Layers[i].Down = u, d
	}
	return &wide
}

// openConverted opens a model as programs do: its tokenizer says what token types a pair has.
func openConverted(t *testing.T, dir string) *onnx.Session {
	t.Helper()
	s, tokenizer, err := loadRuntime(t).OpenModel(dir, onnx.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = s.Close(), tokenizer.Close() })
	return s
}

func openGraph(t *testing.T, path string) *onnx.Session {
	t.Helper()
	s, err := loadRuntime(t).Open(path, onnx.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func run(t *testing.T, s *onnx.Session, ids []int64) []float32 {
	t.Helper()
	out, err := s.Run(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	return out.Data
}

// furthest is the largest difference of two lists of numbers.
func furthest(t *testing.T, got, want []float32) (worst float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d numbers, not %d", len(got), len(want))
	}
	for i := range got {
		d := math.Abs(float64(got[i]) - float64(want[i]))
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}

func fileDigest(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
