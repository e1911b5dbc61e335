package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/backend/store"
	"fanous/models"
)

// inference is what runs models: ONNX Runtime, the embedder and the local reranker. It is loaded by the
// first call that needs it, because a keyword search should not wait for a model. What cannot be loaded
// is a reason, never an error: searches go on without it.
type inference struct {
	runtime  domain.Component
	embedder *embed.Embedder // nil: see noEmbedder
	local    rerank.Reranker // nil: see noLocal
	measured rerank.Reranker // local without kept scores

	noEmbedder string // one plain sentence
	noLocal    string

	warmers []func(context.Context) error // load what is loaded on demand
	closers []func() error
}

// lazyInference loads once. Scores are kept in s.
func lazyInference(cfg Config, s *store.Store) func() *inference {
	return sync.OnceValue(func() *inference {
		in := &inference{}
		in.load(cfg, s)
		return in
	})
}

func (in *inference) load(cfg Config, s *store.Store) {
	rt, err := onnx.Load(cfg.RuntimeLibrary)
	if err != nil {
		in.runtime = domain.Component{Name: "ONNX Runtime", Reason: sentence(err)}
		in.noEmbedder = "No model can run: " + err.Error() + "."
		in.noLocal = in.noEmbedder
		return
	}
	in.runtime = domain.Component{Ready: true, Name: "ONNX Runtime", Version: rt.Version(), Device: "CPU"}
	in.loadEmbedder(rt, cfg)
	in.loadRerankers(rt, cfg, s)
}

func (in *inference) loadEmbedder(rt *onnx.Runtime, cfg Config) {
	var failures error
	for _, dir := range installed(cfg.ModelDirs, models.Embedder) {
		e, err := embed.Open(rt, dir)
		if err != nil {
			failures = errors.Join(failures, err)
			continue
		}
		e.UnloadWhenIdle(rerank.DefaultIdle)
		in.embedder = e
		in.closers = append(in.closers, e.Close)
		return
	}
	in.noEmbedder = "The embedder is not installed."
	if failures != nil {
		in.noEmbedder = "The embedder cannot be used: " + failures.Error() + "."
	}
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

// installed lists the folders of models of a role, the best tier first.
func installed(dirs []string, role models.Role) []string {
	byTier := map[models.Tier][]string{}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // not there: nothing is installed in it
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if m, err := models.Load(path); err == nil && m.Role == role {
				byTier[m.Tier] = append(byTier[m.Tier], path)
			}
		}
	}
	var out []string
	for _, tier := range []models.Tier{models.Precise, models.Fast, models.Starter} {
		out = append(out, byTier[tier]...)
	}
	return out
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

func (in *inference) embedderStatus() domain.Component {
	if in.embedder == nil {
		return domain.Component{Name: "embedder", Reason: in.noEmbedder}
	}
	return domain.Component{Ready: true, Name: in.embedder.Name(), Device: "CPU", Precision: in.embedder.Precision()}
}

// localStatus loads the reranker, for only then it is known that it runs.
func (in *inference) localStatus(ctx context.Context) domain.Component {
	if in.local == nil {
		return domain.Component{Name: "local reranker", Reason: in.noLocal}
	}
	info := in.local.Info()
	if err := in.warm(ctx); err != nil {
		return domain.Component{Name: info.Model, Reason: sentence(err)}
	}
	return domain.Component{
		Ready: true, Name: fmt.Sprintf("%s (%s)", info.Backend, info.Model), Device: info.Device, Precision: info.Precision,
	}
}

func sentence(err error) string { return err.Error() + "." }
