package embed

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"fanous/backend/onnx"
	"fanous/models"
)

// BenchmarkPassages compares embedding with the same model driven bare, in the same run and with as
// many Runs at a time: ids at hand, longest first, nothing made of the output. Metric "overhead" is
// the time of ours over that of the bare one, less 1.
func BenchmarkPassages(b *testing.B) {
	dir := filepath.Join(os.Getenv("FANOUS_MODELS"), "multilingual-e5-small-starter-q4")
	rt, err := onnx.Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		b.Fatal(err)
	}
	e, err := Open(rt, dir)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	bare, err := openBare(filepath.Join(dir, models.GraphFile))
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Destroy()

	var texts []string
	for i := range 24 {
		texts = append(texts, strings.Repeat("the lantern of the harbour فانوس دریایی ", 1+i%6))
	}
	loaded, done, err := e.model.Use(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer done()
	var ids [][]int64
	for _, text := range texts {
		enc, err := e.encode(b.Context(), text, Passage)
		if err != nil {
			b.Fatal(err)
		}
		ids = append(ids, loaded.tokenizer.Single(enc.IDs))
	}
	slices.SortStableFunc(ids, func(a, b []int64) int { return len(b) - len(a) })

	measure := func(f func() error) time.Duration {
		start := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	ours := func() time.Duration {
		return measure(func() error {
			_, err := e.Passages(context.Background(), texts)
			return err
		})
	}
	theirs := func() time.Duration { return measure(func() error { return runBare(bare, ids, rt.Width()) }) }
	ours() // both warm
	theirs()

	var a, c time.Duration
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 { // neither is always the first
			a += ours()
			c += theirs()
		} else {
			c += theirs()
			a += ours()
		}
	}
	b.ReportMetric(float64(a)/float64(c)-1, "overhead")
	b.ReportMetric(float64(len(texts)*b.N)/a.Seconds(), "texts/s")
}

// openBare opens a model with the same options and nothing of ours around it.
func openBare(path string) (*ort.DynamicAdvancedSession, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	for _, set := range []func() error{
		func() error { return o.SetIntraOpNumThreads(1) },
		func() error { return o.SetInterOpNumThreads(1) },
		func() error { return o.SetExecutionMode(ort.ExecutionModeSequential) },
		func() error { return o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll) },
		func() error {
			return o.AddSessionConfigEntry("optimization.disable_specified_optimizers", "SkipLayerNormFusion")
		},
	} {
		if err := set(); err != nil {
			return nil, err
		}
	}
	return ort.NewDynamicAdvancedSession(path, []string{"input_ids", "attention_mask"}, []string{"last_hidden_state"}, o)
}

func runBare(session *ort.DynamicAdvancedSession, ids [][]int64, width int) error {
	var (
		workers sync.WaitGroup
		next    atomic.Int64
		failed  atomic.Pointer[error]
	)
	for range width {
		workers.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(ids); i = next.Add(1) - 1 {
				if err := runOne(session, ids[i]); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	workers.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func runOne(session *ort.DynamicAdvancedSession, ids []int64) error {
	shape := ort.NewShape(1, int64(len(ids)))
	in, err := ort.NewTensor(shape, ids)
	if err != nil {
		return err
	}
	defer in.Destroy()
	mask, err := ort.NewTensor(shape, slices.Repeat([]int64{1}, len(ids)))
	if err != nil {
		return err
	}
	defer mask.Destroy()
	out := []ort.Value{nil}
	if err := session.Run([]ort.Value{in, mask}, out); err != nil {
		return err
	}
	return out[0].Destroy()
}
