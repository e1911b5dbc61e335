package bench

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/models"
	"fanous/models/madeupxlmr"
	"fanous/models/onnxgraph"
)

// small is a shape for machines that only see whether a benchmark runs.
var small = madeupxlmr.Shape{Name: "small-shape-madeup-weights", Tier: models.Fast, Vocabulary: 250002, Hidden: 64, Layers: 2, Heads: 4, FFN: 128}

var (
	fastForm  = onnxgraph.Form{Precision: onnxgraph.Int8, Layout: onnxgraph.Fast}
	fileForm  = onnxgraph.Form{Precision: onnxgraph.Int8, Layout: onnxgraph.Published}
	naiveForm = onnxgraph.Form{Precision: onnxgraph.FP32}
)

// lab is where the benchmarks' models are and what opens them. FANOUS_BENCH_SHAPE chooses the shape: mini or bge, those
// of the real rerankers, which are kept in the cache folder; a small one without it.
type lab struct {
	testing.TB
	rt    *onnx.Runtime
	shape madeupxlmr.Shape
	root  string
	full  bool
}

func newLab(b testing.TB) lab {
	b.Helper()
	rt, err := onnx.Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		b.Fatal(err)
	}
	l := lab{TB: b, rt: rt, shape: small, root: b.TempDir()}
	switch os.Getenv("FANOUS_BENCH_SHAPE") {
	case "mini":
		l.shape, l.full = madeupxlmr.Mini, true
	case "bge":
		l.shape, l.full = madeupxlmr.BGE, true
	}
	if l.full {
		cache, err := os.UserCacheDir()
		if err != nil {
			b.Fatal(err)
		}
		l.root = filepath.Join(cache, "fanous", "bench")
	}
	rt.KeepPrepared(filepath.Join(l.root, "prepared"))
	b.Cleanup(func() { rt.KeepPrepared("") })
	return l
}

func (l lab) folder(f onnxgraph.Form) string {
	l.Helper()
	dir, err := madeupxlmr.Folder(l.root, tokenizerPath(l), l.shape, f)
	if err != nil {
		l.Fatal(err)
	}
	return dir
}

func (l lab) reranker(f onnxgraph.Form) *rerank.CrossEncoder {
	l.Helper()
	c, err := rerank.OpenCrossEncoder(l.rt, l.folder(f))
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { _ = c.Close() })
	return c
}

func tokenizerPath(tb testing.TB) string {
	tb.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*-starter-q4", models.TokenizerFile))
	if err != nil || len(found) != 1 {
		tb.Fatal("FANOUS_MODELS has no tokenizer (go tool mage test sets it)", err)
	}
	return found[0]
}

// BenchmarkReranking reranks 20 and 40 pairs of realistic lengths in turn as most programs do, with fp32 weights and
// one padded batch on all cores, and as Fanous does: int8 weights, pair by pair. Metrics, all from one run:
//
//	fast/naive, file/naive  how many times as many pairs a second: our own graph, and one like the published file
//	peak                    of the operations a second that a large product of bytes reaches, the share that our graph does
//	overhead                what is not the library's work (Go, tokenizer, copies), as a share of it
//	...-40                  the same with 40 pairs
func BenchmarkReranking(b *testing.B) {
	l := newLab(b)
	fast, file := l.reranker(fastForm), l.reranker(fileForm)
	naive, err := l.rt.Open(filepath.Join(l.folder(naiveForm), models.GraphFile), onnx.OpenOptions{Threads: l.rt.Width()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = naive.Close() })
	tokenizer, err := l.rt.Tokenizer(tokenizerPath(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = tokenizer.Close() })
	size := 2048
	if !l.full {
		size = 256
	}
	peak, err := openProduct(l.rt, b.TempDir(), size)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = peak.session.Close() })

	for _, n := range []int{20, 40} {
		p, err := makePairs(tokenizer, lengths[:n])
		if err != nil {
			b.Fatal(err)
		}
		name := "20"
		if n == 40 {
			name = "40"
		}
		b.Run(name, func(b *testing.B) { l.compare(b, fast, file, naive, peak, p) })
	}
}

func (l lab) compare(b *testing.B, fast, file *rerank.CrossEncoder, naive *onnx.Session, peak *product, p pairs) {
	ours := func(c *rerank.CrossEncoder, passages []string) time.Duration {
		start := time.Now()
		if _, err := c.Rerank(b.Context(), rerank.Request{Query: query, Passages: passages}); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	work := 0.0
	for _, ids := range p.ids {
		work += operations(l.shape, len(ids), true)
	}
	usual := func() time.Duration {
		start := time.Now()
		if _, err := naive.RunPadded(b.Context(), p.ids); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	ours(fast, p.passages) // what is slow only once
	ours(file, p.passages)
	usual()
	var fastTime, fileTime, naiveTime, alone, busy time.Duration
	var rate float64
	rounds := 0
	for b.Loop() {
		measured, err := peak.rate(b.Context(), 4)
		if err != nil {
			b.Fatal(err)
		}
		rate += measured
		fastTime += ours(fast, p.passages)
		naiveTime += usual()
		fileTime += ours(file, p.passages)
		fastTime += ours(fast, p.passages) // twice, on both sides of what it is compared with
		if measured, err = peak.rate(b.Context(), 4); err != nil {
			b.Fatal(err)
		}
		rate += measured
		busy -= fast.Busy()
		for _, text := range p.passages { // one after the other: no core waits for another
			alone += ours(fast, []string{text})
		}
		busy += fast.Busy()
		rounds++
	}
	fastTime /= 2
	rate /= float64(2 * rounds)
	b.ReportMetric(float64(naiveTime)/float64(fastTime), "fast/naive")
	b.ReportMetric(float64(naiveTime)/float64(fileTime), "file/naive")
	b.ReportMetric(work*float64(rounds)/fastTime.Seconds()/rate, "peak")
	b.ReportMetric(rate/1e9, "GOP/s")
	b.ReportMetric(float64(alone-busy)/float64(busy), "overhead")
	b.ReportMetric(naiveTime.Seconds()/float64(rounds), "naive-s")
	b.ReportMetric(fastTime.Seconds()/float64(rounds), "fast-s")
}
