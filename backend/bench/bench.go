// Package bench measures how fast a machine reranks, embeds, retrieves and indexes, without a network and without
// the user's own data, and says what searches on it should do by default.
package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
)

// Options say what to measure.
type Options struct {
	Library   string   // path of the ONNX Runtime library
	ModelDirs []string // where installed models are
	Version   string   // of the program
	Quick     bool     // under a minute, with less certainty
	Dir       string   // for temporary files, which take some GB without Quick; empty: the system's own
}

// Run measures. What cannot be measured is left out, with a sentence; the end of ctx is an error, and leaves nothing
// behind either. progress may be nil.
func Run(ctx context.Context, o Options, progress func(domain.BenchProgress)) (domain.BenchReport, error) {
	return measure(ctx, o, fullScale(), progress)
}

func measure(ctx context.Context, o Options, size scale, progress func(domain.BenchProgress)) (report domain.BenchReport, err error) {
	if progress == nil {
		progress = func(domain.BenchProgress) {}
	}
	dir, err := os.MkdirTemp(o.Dir, "fanous-bench-")
	if err != nil {
		return domain.BenchReport{}, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(dir)
	r := &run{Options: o, scale: size, dir: dir, tell: progress, report: domain.BenchReport{
		Machine: domain.BenchMachine{Processor: onnx.Processor(), Cores: runtime.GOMAXPROCS(0), Instructions: onnx.Instructions()},
		At:      time.Now(), Version: o.Version, Quick: o.Quick,
		Rerankers: []domain.BenchReranker{}, Naive: []domain.BenchNaive{}, Embedding: []domain.BenchEmbedding{},
		Retrieval: []domain.BenchRetrieval{}, Skipped: []string{},
	}}
	if r.rt, err = onnx.Load(o.Library); err != nil {
		r.skip("No model was measured: %v.", err)
	} else {
		r.report.Machine.Library = r.rt.Version()
		if err := r.models(ctx); err != nil {
			return domain.BenchReport{}, err
		}
	}
	for _, step := range []func(context.Context) error{r.indexing, r.retrieval} {
		if err := step(ctx); err != nil {
			return domain.BenchReport{}, err
		}
	}
	r.report.Recommended = Recommend(r.speeds)
	return r.report, nil
}

// run is one measuring.
type run struct {
	Options
	scale  scale
	dir    string
	tell   func(domain.BenchProgress)
	rt     *onnx.Runtime // nil: there is none
	report domain.BenchReport
	speeds Speeds
}

func (r *run) skip(format string, args ...any) {
	r.report.Skipped = append(r.report.Skipped, fmt.Sprintf(format, args...))
}

func (r *run) step(format string, args ...any) {
	r.tell(domain.BenchProgress{Step: fmt.Sprintf(format, args...)})
}

// models measures what runs on the library.
func (r *run) models(ctx context.Context) error {
	r.rt.KeepPrepared(filepath.Join(r.dir, "prepared"))
	defer r.rt.KeepPrepared("")
	if err := r.peak(ctx); err != nil {
		return err
	}
	if err := r.embedding(ctx); err != nil {
		return err
	}
	return r.rerankers(ctx)
}

// peak measures what the processor can do at most.
func (r *run) peak(ctx context.Context) error {
	r.step("a large product of bytes")
	size, rounds := 2048, 12
	if r.Quick {
		size, rounds = 1024, 24
	}
	p, err := openProduct(r.rt, r.dir, size)
	if err != nil {
		return err
	}
	defer p.session.Close()
	if _, err := p.rate(ctx, 1); err != nil { // the first is slower
		return err
	}
	rate, err := p.rate(ctx, rounds)
	r.report.PeakGOPS = rate / 1e9
	return err
}
