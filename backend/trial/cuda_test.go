package trial

import (
	"os"
	"path/filepath"
	"testing"

	"fanous/backend/onnx"
	"fanous/models"
	"fanous/models/madeupxlmr"
	"fanous/models/onnxgraph"
)

// TestCUDA is for a machine with an NVIDIA graphics processor: FANOUS_TEST_CUDA is the path of the ONNX Runtime library
// of an installed CUDA runtime. A reranker of the real size, with made-up weights in 16-bit floats, must run there and
// agree with the CPU; pairs a second are logged. FANOUS_TEST_DEVICE names another device than CUDA.
func TestCUDA(t *testing.T) {
	library := os.Getenv("FANOUS_TEST_CUDA")
	if library == "" {
		t.Skip("FANOUS_TEST_CUDA names no library for a graphics processor: what a machine without one can show is in the other tests")
	}
	device := onnx.CUDA
	if name := os.Getenv("FANOUS_TEST_DEVICE"); name != "" {
		d, ok := onnx.ParseDevice(name)
		if !ok {
			t.Fatalf("there is no device %q", name)
		}
		device = d
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := madeupxlmr.Folder(filepath.Join(cache, "fanous", "bench"), filepath.Join(starter(t), models.TokenizerFile),
		madeupxlmr.BGE, onnxgraph.Form{Precision: onnxgraph.FP16, Layout: onnxgraph.Fast})
	if err != nil {
		t.Fatal(err)
	}
	r := try(t, Subject{Library: library, Model: dir, Device: device})
	if !r.Passed() || r.Difference > tolerance {
		t.Errorf("%+v", r)
	}
	t.Logf("%s on %s: %.1f pairs a second of %d tokens, loaded in %.1f s, %d MiB, at most %.2g from the CPU; scores %.4f",
		filepath.Base(dir), device, r.PerSecond, r.Tokens, r.LoadMS/1000, r.Bytes>>20, r.Difference, r.Scores)
}
