package backend

import (
	"context"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/backend/store"
	"fanous/models"
)

// loadRerankers makes the local reranker of the tiers that are installed; none of the cross-encoders is loaded
// before it is needed.
//
// With a precise cross-encoder on the CPU it is a cascade: the fast one, or late interaction, over the whole pool, then
// the precise one over the best few. Any other device reads a whole pool in the time, and the precise one stands
// alone. So does the fast one, for it costs no more than late interaction, which has to run an
// embedder of the same size over every passage that it has not seen. Late interaction, which needs no further
// model, is what is left where there is no other, and the spare of those that turn out not to run.
//
// Each tier keeps its scores, and only what has to be worked out waits for its turn. An evaluation gets the same
// tiers without kept scores: its passages are not in this index, and it is to measure what a search costs.
func (in *inference) loadRerankers(ctx context.Context, cfg Config, s *store.Store) {
	scores := s.Scores()
	kept := rerank.Kept{Get: scores.Get, Put: scores.Put}
	turns := rerank.NewTurns()

	var late rerank.Reranker
	if in.embedder != nil {
		late = turns.InTurn(rerank.NewLateInteraction(tokenModel(in.embedder)))
	}
	crossEncoders := map[models.Tier]rerank.Reranker{}
	for _, tier := range []models.Tier{models.Fast, models.Precise} {
		m, installed := in.plan.rerankers[tier]
		if !installed {
			continue
		}
		if model := in.crossEncoder(ctx, m); model != nil {
			crossEncoders[tier] = turns.InTurn(model)
		}
	}
	for _, r := range in.plan.refused {
		if in.plan.rerankers[r.Tier].dir == "" {
			in.noLocal = sentence(r.result.Err())
			in.noteFault(r.dir, r.result.Err())
		}
	}
	in.closers = append(in.closers, scores.Close) // after those whose scores it keeps

	cached := func(r rerank.Reranker, normalize func(float64) float64) rerank.Reranker {
		if r == nil {
			return nil
		}
		return rerank.NewCached(r, kept, normalize)
	}
	wanted, options := cfg.LocalTier, rerank.CascadeOptions{EarlyExit: cfg.EarlyExit}
	placed, installed := in.plan.rerankers[models.Precise]
	elsewhere := installed && placed.device != onnx.CPU // and not what was measured
	if elsewhere && cfg.tierMeasured {
		wanted = domain.TierAuto
	}
	join := func(late, fast, precise rerank.Reranker) rerank.Reranker {
		return joined(wanted, elsewhere, late, fast, precise, options)
	}
	fast, precise := crossEncoders[models.Fast], crossEncoders[models.Precise]
	in.measured = join(late, fast, precise)
	in.tiers = map[domain.LocalTier]rerank.Reranker{}
	for tier, r := range map[domain.LocalTier]rerank.Reranker{domain.TierLate: late, domain.TierFast: fast, domain.TierPrecise: precise} {
		if r != nil {
			in.tiers[tier] = r
		}
	}
	in.local = join(cached(late, rerank.NormalizeMaxSim), cached(fast, rerank.NormalizeLogit), cached(precise, rerank.NormalizeLogit))
	if in.local == nil && in.noLocal == "" {
		in.noLocal = "No local reranker is installed, and without the embedder there is no late interaction."
	}
}

// crossEncoder is a cross-encoder that is loaded by its first use, while ctx lasts; nil where it cannot be one, which noLocal
// then says.
func (in *inference) crossEncoder(ctx context.Context, m placed) *rerank.OnDemand {
	manifest, err := rerank.CheckCrossEncoder(m.dir)
	if err != nil {
		in.noLocal = sentence(err)
		in.noteFault(m.dir, modelFault(err))
		return nil
	}
	model := rerank.NewOnDemand(rerank.CrossEncoderInfo(manifest, string(m.device)), func() (rerank.Closer, error) {
		c, err := in.openCrossEncoder(ctx, m)
		if err != nil {
			in.noteFault(m.dir, err)
			return nil, err // not c: a nil *CrossEncoder in it would not be nil
		}
		return c, nil
	})
	in.warmers = append(in.warmers, model.Warm)
	in.closers = append(in.closers, model.Close)
	return model
}

func (in *inference) openCrossEncoder(ctx context.Context, m placed) (*rerank.CrossEncoder, error) {
	if err := in.ready(ctx, m); err != nil {
		return nil, err
	}
	c, err := rerank.OpenCrossEncoderOn(in.library, m.dir, m.device)
	return c, modelFault(err)
}

// joined makes one ranker of those that there are; elsewhere: the precise one does not run on the CPU. nil: there are none.
func joined(wanted domain.LocalTier, elsewhere bool, late, fast, precise rerank.Reranker, o rerank.CascadeOptions) rerank.Reranker {
	late, fast, precise = only(wanted, late, fast, precise)
	if precise != nil && (elsewhere || wanted == domain.TierPrecise) {
		return alone(late, fast, precise)
	}
	return tiers(late, fast, precise, o)
}

// only leaves out the rankers that a tier does without, unless none would be left.
func only(tier domain.LocalTier, late, fast, precise rerank.Reranker) (rerank.Reranker, rerank.Reranker, rerank.Reranker) {
	switch {
	case tier == domain.TierFast && fast != nil:
		precise = nil
	case tier == domain.TierLate && late != nil:
		fast, precise = nil, nil
	}
	return late, fast, precise
}

// alone is the precise ranker for the whole pool, with the best of the others as its spare.
func alone(late, fast, precise rerank.Reranker) rerank.Reranker {
	switch {
	case fast != nil:
		return rerank.WithSpare(precise, fast)
	case late != nil:
		return rerank.WithSpare(precise, late)
	}
	return precise
}

// tiers joins the local rankers that there are; nil: none.
func tiers(late, fast, precise rerank.Reranker, o rerank.CascadeOptions) rerank.Reranker {
	best := precise
	switch cheaper := fast; {
	case precise == nil && fast == nil:
		return late
	case precise == nil:
		best = fast
	case cheaper != nil:
		best = rerank.NewCascade(cheaper, precise, o)
	case late != nil:
		return rerank.NewCascade(late, precise, o) // late interaction is its spare already
	}
	if late == nil {
		return best
	}
	return rerank.WithSpare(best, late)
}
