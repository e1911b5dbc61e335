package backend

import (
	"context"
	"time"

	"fanous/backend/domain"
	"fanous/backend/eval"
)

// SuggestTuning looks for what searches in a collection would do better with, on what was judged in it. Nothing is changed.
func (b *Backend) SuggestTuning(ctx context.Context, collection string, progress func(domain.MeasureProgress)) (domain.Suggestion, error) {
	set, err := b.Judged(ctx, collection)
	if err != nil {
		return domain.Suggestion{}, err
	}
	if set.Usable < eval.EnoughToTune {
		return domain.Suggestion{}, domain.Errorf(domain.CodeNotFound, "judge the results of some more searches",
			"tuning needs %d judged queries with a relevant result, and there are %d in %q", eval.EnoughToTune, set.Usable, collection)
	}
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return domain.Suggestion{}, err
	}
	o := eval.Options{Stages: []string{eval.StageBM25, eval.StageSemantic, eval.StageHybrid, eval.StageRerank}, Candidates: eval.TuningDepth, Wide: true}
	if progress != nil {
		o.Progress = func(phase string, done, of int) { progress(domain.MeasureProgress{Phase: phase, Done: done, Of: of}) }
	}
	result, err := b.EvaluateJudged(ctx, collection, false, o)
	if err != nil {
		return domain.Suggestion{}, err
	}
	s := eval.Tune(b.choice(c), result.Queries, result.Pools)
	s.Collection = collection
	return s, nil
}

// choice is what searches in a collection do where a request does not say.
func (b *Backend) choice(c domain.Collection) domain.SearchChoice {
	if t := c.Settings.Tuning; t != nil {
		return t.Choice
	}
	return domain.SearchChoice{LexicalWeight: b.cfg.LexicalWeight, Candidates: b.cfg.Candidates, Top: b.cfg.Top, Rerank: !b.cfg.RerankOff}
}

// ApplyTuning makes searches in a collection follow a suggestion from now on.
func (b *Backend) ApplyTuning(ctx context.Context, s domain.Suggestion) error {
	return b.tune(ctx, s.Collection, domain.Tuning{Choice: s.Best, Thresholds: s.Thresholds, Evidence: s.Gain})
}

// UndoTuning brings back what was before the tuning of a collection.
func (b *Backend) UndoTuning(ctx context.Context, collection string) error {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return err
	}
	if c.Settings.Tuning == nil {
		return domain.Errorf(domain.CodeNotFound, "there is nothing to undo", "the collection %q is not tuned", collection)
	}
	c.Settings.KeepReranking = c.Settings.KeepReranking || c.Settings.Tuning.Automatic
	c.Settings.Tuning = c.Settings.Tuning.Before
	return b.store.SetSettings(ctx, collection, c.Settings)
}

// tune puts a tuning in place of the one that a collection has, which it remembers.
func (b *Backend) tune(ctx context.Context, collection string, t domain.Tuning) error {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return err
	}
	if t.Choice.Top <= 0 || t.Choice.Top > t.Choice.Candidates || !(t.Choice.LexicalWeight >= 0 && t.Choice.LexicalWeight <= 1) {
		return domain.Errorf(domain.CodeUsage, "take one that was suggested", "this tuning is none that a search can follow")
	}
	if before := c.Settings.Tuning; before != nil {
		kept := *before
		kept.Before = nil // one step back is enough
		t.Before = &kept
	}
	t.At = time.Now().UTC().Truncate(time.Second)
	c.Settings.Tuning = &t
	return b.store.SetSettings(ctx, collection, c.Settings)
}

// protect switches reranking off in a collection where an evaluation has shown that it does significant harm. Once the
// analyst has undone that, it is not done again.
func (b *Backend) protect(ctx context.Context, collection string, r eval.Report) error {
	evidence, harm := eval.Harm(r)
	c, err := b.store.Collection(ctx, collection)
	if err != nil || !harm {
		return err
	}
	choice := b.choice(c)
	if !choice.Rerank || c.Settings.KeepReranking {
		return nil
	}
	choice.Rerank = false
	evidence.Gain, evidence.Low, evidence.High = -evidence.Gain, -evidence.High, -evidence.Low // of being without it
	return b.tune(ctx, collection, domain.Tuning{Choice: choice, Evidence: evidence, Automatic: true})
}
