package onnx

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"fanous/models"
	"fanous/models/madeupxlmr"
	"fanous/models/onnxgraph"
)

// BenchmarkExactLength scores 40 pairs of 60 to 512 tokens, in no order of length, one a Run at its exact length on
// as many cores as there are. The metrics are how many times as long the same pairs take in padded batches of 8, as
// they come:
//
//	batches-of-8  one batch at a time on a session with a thread a core, the usual setup
//	padding       a batch a core at once on sessions of one thread, as the exact ones run: what padding alone costs,
//	              and that five batches do not divide by the cores
//
// The model is small unless FANOUS_BENCH_SHAPE is mini or bge, the shapes of the real ones.
func BenchmarkExactLength(b *testing.B) {
	rt, err := Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		b.Fatal(err)
	}
	shape := madeupxlmr.Shape{Name: "small", Vocabulary: 1000, Hidden: 64, Layers: 2, Heads: 4, FFN: 128}
	root := b.TempDir()
	switch os.Getenv("FANOUS_BENCH_SHAPE") {
	case "mini":
		shape = madeupxlmr.Mini
	case "bge":
		shape = madeupxlmr.BGE
	}
	if shape.Vocabulary > 1000 { // kept from run to run
		cache, err := os.UserCacheDir()
		if err != nil {
			b.Fatal(err)
		}
		root = filepath.Join(cache, "fanous", "bench")
	}
	tokenizer, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*", models.TokenizerFile))
	if err != nil || len(tokenizer) == 0 {
		b.Fatal("FANOUS_MODELS has no tokenizer (go tool mage test sets it)", err)
	}
	dir, err := madeupxlmr.Folder(root, tokenizer[0], shape, onnxgraph.Form{Precision: onnxgraph.FP32})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, models.GraphFile)

	random := rand.New(rand.NewPCG(1, 2))
	pairs := make([][]int64, 40)
	for i := range pairs {
		length := 60 + random.IntN(320)
		if i%10 == 7 {
			length = 512 // a passage that has to be cut
		}
		pairs[i] = make([]int64, length)
		for k := range pairs[i] {
			pairs[i][k] = int64(5 + random.IntN(shape.Vocabulary-5))
		}
	}
	session, err := rt.Open(path, OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = session.Close() })
	exact := func() []float32 {
		logits := make([]float32, len(pairs))
		err := rt.Each(b.Context(), len(pairs), func(ctx context.Context, i int) error {
			out, err := session.Run(ctx, pairs[i])
			if err == nil {
				logits[i] = out.Data[0]
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		return logits
	}
	usual, single := batched(b, path, runtime.GOMAXPROCS(0)), batched(b, path, 1)
	batches := func(run func([][]int64) []float32, atOnce int) []float32 {
		parts := slices.Collect(slices.Chunk(pairs, 8))
		logits := make([][]float32, len(parts))
		var all sync.WaitGroup
		next := make(chan int)
		for range atOnce {
			all.Go(func() {
				for i := range next {
					logits[i] = run(parts[i])
				}
			})
		}
		for i := range parts {
			next <- i
		}
		close(next)
		all.Wait()
		return slices.Concat(logits...)
	}

	one, eight := exact(), batches(usual, 1) // the first calls, which are slower, and a check of both
	for i := range pairs {
		if d := one[i] - eight[i]; d > 1e-3 || d < -1e-3 {
			b.Fatalf("pair %d: %v alone, %v in a batch", i, one[i], eight[i])
		}
	}
	var alone, together, padded time.Duration
	for b.Loop() {
		start := time.Now()
		exact()
		alone += time.Since(start)
		start = time.Now()
		batches(usual, 1)
		together += time.Since(start)
		start = time.Now()
		batches(single, runtime.GOMAXPROCS(0))
		padded += time.Since(start)
	}
	b.ReportMetric(float64(padded)/float64(alone), "padding")
	b.ReportMetric(float64(together)/float64(alone), "batches-of-8")
}

// batched opens the model with so many threads and gives the function that runs pairs as one padded batch.
func batched(b *testing.B, path string, threads int) func(batch [][]int64) []float32 {
	options, err := ort.NewSessionOptions()
	if err != nil {
		b.Fatal(err)
	}
	defer options.Destroy()
	if err := options.SetIntraOpNumThreads(threads); err != nil {
		b.Fatal(err)
	}
	session, err := ort.NewDynamicAdvancedSession(path, []string{inputIDs, inputMask}, []string{"logits"}, options)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = session.Destroy() })
	return func(batch [][]int64) []float32 {
		longest := 0
		for _, p := range batch {
			longest = max(longest, len(p))
		}
		ids, mask := make([]int64, len(batch)*longest), make([]int64, len(batch)*longest)
		for i, p := range batch {
			for k := range longest {
				at := i*longest + k
				ids[at] = 1 // padding
				if k < len(p) {
					ids[at], mask[at] = p[k], 1
				}
			}
		}
		return runBatch(session, ids, mask, len(batch), longest)
	}
}

func runBatch(session *ort.DynamicAdvancedSession, ids, mask []int64, rows, length int) []float32 {
	shape := ort.NewShape(int64(rows), int64(length))
	idTensor, err := ort.NewTensor(shape, ids)
	if err != nil {
		panic(err) // not b.Fatal: this runs in goroutines
	}
	defer idTensor.Destroy()
	maskTensor, err := ort.NewTensor(shape, mask)
	if err != nil {
		panic(err)
	}
	defer maskTensor.Destroy()
	out := []ort.Value{nil}
	if err := session.Run([]ort.Value{idTensor, maskTensor}, out); err != nil {
		panic(err)
	}
	defer out[0].Destroy()
	return slices.Clone(out[0].(*ort.Tensor[float32]).GetData())
}
