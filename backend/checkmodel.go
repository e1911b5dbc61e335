package backend

import (
	"context"
	"errors"
	"path/filepath"

	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/backend/trial"
	"fanous/models"
)

// checkModel says why the model m in dir must not be offered: it is not what its manifest says, its tokenizer is another
// model's, or it does not run. A model of the catalogue is vouched for by its digests, whatever this machine can run.
func (b *Backend) checkModel(ctx context.Context, m models.Manifest, dir string) error {
	if _, ok := models.Catalogue().Find(m.Name); ok || m.Role == models.Runtime {
		return nil
	}
	if err := describes(m, dir); err != nil {
		return err
	}
	library := b.cfg.library()
	usable := onnx.Check(library) == nil && passes(ctx, b.tester, trial.Subject{Library: library, Device: onnx.CPU}) == nil
	if usable && b.tester.Can() { // in a process of its own, which looks at the vocabulary too
		return passes(ctx, b.tester, trial.Subject{Library: library, Model: dir, Device: onnx.CPU})
	}
	if err := sameVocabulary(dir); err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if !usable {
		return nil // the library is to blame, not the model
	}
	rt, err := onnx.Load(library)
	if err != nil {
		return nil // as above
	}
	return runs(rt, m, dir)
}

// checkAndAsk is checkModel, which refuses also what asksFirst does.
func (b *Backend) checkAndAsk(ctx context.Context, m models.Manifest, dir string) error {
	if err := b.checkModel(ctx, m, dir); err != nil {
		return err
	}
	return b.asksFirst(ctx, m, dir)
}

func sameVocabulary(dir string) error {
	t, err := onnx.OpenTokenizer(filepath.Join(dir, models.TokenizerFile))
	if err != nil {
		return domain.Errorf(domain.CodeModelTokenizer, "put the model's own tokenizer.json into the folder", "%w", err)
	}
	return errors.Join(onnx.CheckVocabulary(filepath.Join(dir, models.GraphFile), t), t.Close())
}

// describes compares the manifest with the description that the model's file has of itself. It loads nothing.
func describes(m models.Manifest, dir string) error {
	if m.Role == models.Reranker {
		_, err := rerank.CheckCrossEncoder(dir)
		return notOfThisKind(err)
	}
	output, err := onnx.Describe(filepath.Join(dir, models.GraphFile), "")
	if err != nil {
		return notOfThisKind(err)
	}
	dims := output.Dims
	if len(dims) != 0 && (len(dims) != 3 || dims[2] > 0 && dims[2] != int64(m.Dim)) {
		return domain.Errorf(domain.CodeModelKind, "correct role or dim in its manifest.json",
			"it gives numbers of shape %v, not vectors of length %d", dims, m.Dim)
	}
	return nil
}

// runs loads the model and runs it once.
func runs(rt *onnx.Runtime, m models.Manifest, dir string) error {
	var model interface{ Close() error }
	var err error
	if m.Role == models.Reranker {
		model, err = rerank.OpenCrossEncoder(rt, dir)
	} else {
		model, err = embed.Open(rt, dir)
	}
	if err != nil {
		return notOfThisKind(err)
	}
	return model.Close()
}

func notOfThisKind(err error) error {
	var known *domain.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, rerank.ErrNotCrossEncoder):
		return domain.Errorf(domain.CodeModelKind, "give its manifest.json the role embedder, or import a cross-encoder", "%w", err)
	}
	return domain.Errorf(domain.CodeModelFailed, "import the model again, or another one", "%w", err)
}

// judge looks at an installed model's own description of itself: a whole one may still be of another kind.
func (b *Backend) judge(s *domain.ModelStatus) {
	m, err := models.Load(s.Path)
	if err == nil && m.Role != models.Runtime {
		err = describes(m, s.Path)
	}
	if err != nil {
		s.State, s.Code, s.Reason, s.Hint = domain.ModelRefused, domain.CodeOf(err), err.Error(), domain.HintOf(err)
	}
}
