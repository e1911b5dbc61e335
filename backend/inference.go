package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/backend/store"
	"fanous/backend/trial"
)

// preparedName is the folder in the data folder of models in this machine's own form.
const preparedName = "prepared"

// inference is what runs models: ONNX Runtime, the embedder and the local reranker, as a plan says. It is loaded by
// the first call that needs it, because a keyword search should not wait for a model. What cannot be loaded
// is a reason, never an error: searches go on without it.
type inference struct {
	tester    *trial.Tester
	libraries []library     // that were tried
	library   *onnx.Runtime // nil: none could be loaded
	plan      plan

	embedder *embed.Embedder                      // nil: see noEmbedder
	local    rerank.Reranker                      // nil: see noLocal
	measured rerank.Reranker                      // local without kept scores
	tiers    map[domain.LocalTier]rerank.Reranker // each one alone, without kept scores

	noEmbedder string // one plain sentence
	noLocal    string

	mu     sync.Mutex
	faults map[string]error // of models that could not be used, by folder

	warmers []func(context.Context) error // load what is loaded on demand
	closers []func() error
}

// newInference loads what is installed now. Scores are kept in s. The end of ctx leaves out what was not loaded yet, also
// later on.
func newInference(ctx context.Context, cfg Config, s *store.Store, tester *trial.Tester) *inference {
	in := &inference{tester: tester, faults: map[string]error{}}
	in.library, in.libraries = loadLibrary(ctx, cfg, tester)
	if in.library == nil {
		in.noEmbedder = "No model can run: " + in.libraryFault().Error() + "."
		in.noLocal = in.noEmbedder
		return in
	}
	in.library.KeepPrepared(filepath.Join(cfg.DataDir, preparedName))
	in.plan = planFor(in.library.Path(), cfg, tester)
	in.loadEmbedder(ctx)
	in.loadRerankers(ctx, cfg, s)
	return in
}

// planFor is the plan of a library with what is installed and known now.
func planFor(library string, cfg Config, tester *trial.Tester) plan {
	return planner{library: library, dirs: cfg.ModelDirs, devices: cfg.devices(runtime.GOOS), known: tester.Known}.plan()
}

func (in *inference) noteFault(dir string, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.faults[dir] = err
}

// fault is why the model of a folder could not be used; nil: nobody has found anything wrong.
func (in *inference) fault(dir string) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.faults[dir]
}

// libraryFault is why there is no library: that of the settings is the last one, and always there.
func (in *inference) libraryFault() error {
	return in.libraries[len(in.libraries)-1].failure
}

func (in *inference) loadEmbedder(ctx context.Context) {
	var failures error
	for _, m := range in.plan.embedders {
		e, err := in.openEmbedder(ctx, m)
		if err != nil {
			failures = errors.Join(failures, err)
			in.noteFault(m.dir, err)
			continue
		}
		in.embedder = e
		in.closers = append(in.closers, e.Close)
		return
	}
	in.noEmbedder = "The embedder is not installed."
	if failures != nil {
		in.noEmbedder = "The embedder cannot be used: " + failures.Error() + "."
	}
}

func (in *inference) openEmbedder(ctx context.Context, m placed) (*embed.Embedder, error) {
	if err := in.ready(ctx, m); err != nil {
		return nil, err
	}
	e, err := embed.Open(in.library, m.dir)
	return e, modelFault(err)
}

// ready says why a model must not be loaded: its files are not what they were, or its self-test fails.
func (in *inference) ready(ctx context.Context, m placed) error {
	if err := confirm(ctx, m.dir); err != nil {
		return err
	}
	return passes(ctx, in.tester, m.test)
}

// modelFault gives an error of loading a model a code, where it has none.
func modelFault(err error) error {
	if err == nil || domain.CodeOf(err) != domain.CodeInternal {
		return err
	}
	return domain.Errorf(domain.CodeModelFailed, "install the model again", "%w", err)
}

// tokenModel is the embedder as late interaction uses it.
func tokenModel(e *embed.Embedder) rerank.TokenModel {
	tokens := func(role embed.Role) func(context.Context, string) ([]int64, []float32, error) {
		return func(ctx context.Context, text string) ([]int64, []float32, error) {
			t, err := e.Tokens(ctx, text, role)
			return t.IDs, t.Vectors, err
		}
	}
	return rerank.TokenModel{
		Model: e.Name(), Device: e.Device(), Precision: e.Precision(), Digest: e.Digest(), Runtime: e.Runtime(), Dim: e.Dim(),
		Query: tokens(embed.Query), Passage: tokens(embed.Passage), Rarity: e.Rarity,
	}
}

// warm loads what is loaded on demand, so that the first search does not wait for it.
func (in *inference) warm(ctx context.Context) error {
	var err error
	for _, w := range in.warmers {
		err = errors.Join(err, w(ctx))
	}
	return err
}

func (in *inference) close() error {
	var err error
	for _, c := range in.closers {
		err = errors.Join(err, c())
	}
	return err
}

func (in *inference) runtimeStatus() domain.Component {
	if in.library == nil {
		return broken("ONNX Runtime", in.libraryFault())
	}
	c := domain.Component{Ready: true, Name: "ONNX Runtime", Version: in.library.Version(), Device: string(onnx.CPU)}
	for _, m := range in.plan.rerankers {
		if m.device != onnx.CPU {
			c.Device = string(m.device)
		}
	}
	return c
}

func (in *inference) embedderStatus() domain.Component {
	if in.embedder == nil {
		c := domain.Component{Name: "embedder", Code: domain.CodeModelMissing, Reason: in.noEmbedder, Hint: "get one: fanous models list"}
		if in.library == nil {
			c.Code, c.Hint = domain.CodeOf(in.libraryFault()), domain.HintOf(in.libraryFault())
		}
		for _, m := range in.plan.embedders {
			if err := in.fault(m.dir); err != nil {
				c.Code, c.Hint = domain.CodeOf(err), domain.HintOf(err)
				break
			}
		}
		return c
	}
	return domain.Component{Ready: true, Name: in.embedder.Name(), Device: in.embedder.Device(), Precision: in.embedder.Precision()}
}

// localStatus loads the reranker, for only then it is known that it runs.
func (in *inference) localStatus(ctx context.Context) domain.Component {
	if in.local == nil {
		return domain.Component{Name: "local reranker", Reason: in.noLocal}
	}
	info := in.local.Info()
	if err := in.warm(ctx); err != nil {
		return broken(info.Model, err)
	}
	return domain.Component{
		Ready: true, Name: fmt.Sprintf("%s (%s)", info.Backend, info.Model), Device: info.Device, Precision: info.Precision,
	}
}

// broken is a part that cannot be used.
func broken(name string, err error) domain.Component {
	return domain.Component{Name: name, Code: domain.CodeOf(err), Reason: sentence(err), Hint: domain.HintOf(err)}
}

func sentence(err error) string { return err.Error() + "." }
