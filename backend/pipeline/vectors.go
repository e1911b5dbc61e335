package pipeline

import (
	"context"

	"fanous/backend/domain"
)

// embed gives a vector to every passage that has none.
func (r *ingestRun) embed(ctx context.Context) error {
	if r.Embedder == nil {
		return nil
	}
	missing, err := r.Store.CountMissingVectors(ctx, r.collection.ID)
	if err != nil || missing == 0 {
		return err
	}
	r.state.Phase, r.state.ToEmbed, r.state.Current = domain.PhaseEmbed, missing, ""
	r.state.Embedded, r.state.Rate, r.state.Remaining = 0, 0, 0
	r.tell(r.state)
	clock := newClock(missing)
	for after := int64(0); ; {
		if err := r.hold(ctx); err != nil {
			return err
		}
		missing, err := r.Store.MissingVectors(ctx, r.collection.ID, after, embedBatch)
		if err != nil || len(missing) == 0 {
			return err
		}
		ids := make([]int64, len(missing))
		for i, c := range missing {
			ids[i] = c.ID
		}
		passages, err := r.Store.Passages(ctx, ids)
		if err != nil {
			return err
		}
		texts := make([]string, len(passages))
		for i, p := range passages {
			texts[i] = passageText(p)
		}
		vectors, err := r.Embedder.Passages(ctx, texts)
		if err != nil {
			return err
		}
		byID := make(map[int64][]float32, len(passages))
		for i, p := range passages {
			byID[p.Chunk.ID] = vectors[i]
		}
		if err := r.w.PutVectors(context.WithoutCancel(ctx), r.collection.ID, byID); err != nil {
			return err
		}
		after = ids[len(ids)-1]
		r.state.Embedded += len(passages)
		r.state.Rate, r.state.Remaining = clock.at(r.state.Embedded)
		r.tell(r.state)
	}
}

// hold returns when work that can wait may be done.
func (r *ingestRun) hold(ctx context.Context) error {
	if r.Hold == nil {
		return nil
	}
	return r.Hold(ctx, func(reason string) {
		r.state.Waiting = reason
		r.tell(r.state)
	})
}
