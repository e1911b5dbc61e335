package backend

import (
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/backend/store"
	"fanous/models"
)

// loadRerankers makes the local reranker of the tiers that are installed; none of the cross-encoders is loaded
// before it is needed.
//
// With a precise cross-encoder it is a cascade: the fast one, or late interaction, over the whole pool, then the
// precise one over the best few. That is for processors, the only device so far: a GPU reads a whole pool in the
// time. The fast one stands alone, for it costs no more than late interaction, which has to run an
// embedder of the same size over every passage that it has not seen. Late interaction, which needs no further
// model, is what is left where there is no other, and the spare of those that turn out not to run.
//
// Each tier keeps its scores, and only what has to be worked out waits for its turn. An evaluation gets the same
// tiers without kept scores: its passages are not in this index, and it is to measure what a search costs.
func (in *inference) loadRerankers(rt *onnx.Runtime, cfg Config, s *store.Store) {
	scores := s.Scores()
	kept := rerank.Kept{Get: scores.Get, Put: scores.Put}
	turns := rerank.NewTurns()

	var late rerank.Reranker
	if in.embedder != nil {
		late = turns.InTurn(rerank.NewLateInteraction(tokenModel(in.embedder)))
	}
	crossEncoders := map[models.Tier]rerank.Reranker{}
	for _, dir := range installed(cfg.ModelDirs, models.Reranker) {
		manifest, err := rerank.CheckCrossEncoder(dir)
		if err != nil {
			in.noLocal = sentence(err)
			continue
		}
		if crossEncoders[manifest.Tier] != nil {
			continue
		}
		model := rerank.NewOnDemand(rerank.CrossEncoderInfo(manifest, "CPU"), rerank.DefaultIdle, func() (rerank.Closer, error) {
			c, err := rerank.OpenCrossEncoder(rt, dir)
			if err != nil {
				return nil, err // not c: a nil *CrossEncoder in it would not be nil
			}
			return c, nil
		})
		in.warmers = append(in.warmers, model.Warm)
		in.closers = append(in.closers, model.Close)
		crossEncoders[manifest.Tier] = turns.InTurn(model)
	}
	in.closers = append(in.closers, scores.Close) // after those whose scores it keeps

	cached := func(r rerank.Reranker, normalize func(float64) float64) rerank.Reranker {
		if r == nil {
			return nil
		}
		return rerank.NewCached(r, kept, normalize)
	}
	fast, precise := crossEncoders[models.Fast], crossEncoders[models.Precise]
	options := rerank.CascadeOptions{EarlyExit: cfg.EarlyExit}
	in.measured = tiers(late, fast, precise, options)
	in.local = tiers(cached(late, rerank.NormalizeMaxSim), cached(fast, rerank.NormalizeLogit), cached(precise, rerank.NormalizeLogit), options)
	if in.local == nil && in.noLocal == "" {
		in.noLocal = "No local reranker is installed, and without the embedder there is no late interaction."
	}
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
