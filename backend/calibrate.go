package backend

import (
	"context"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// Calibrate compares the two rerankers now on what Cohere has scored in this process, which is otherwise
// done between searches, and returns when that is done.
func (b *Backend) Calibrate(ctx context.Context) error { return b.calibrator.Finish(ctx) }

// calibrations says how far every two rerankers have been compared, and which comparison a search that falls
// back to local would use.
func (b *Backend) calibrations(ctx context.Context, local rerank.Reranker) ([]domain.Calibration, error) {
	models, err := b.store.ScoredModels(ctx)
	if err != nil {
		return nil, err
	}
	list := []domain.Calibration{}
	for _, m := range models {
		c, err := b.calibrator.Calibration(ctx, m[0], m[1])
		if err != nil {
			return nil, err
		}
		d := c.Describe()
		d.Remote, d.Local = m[0], m[1]
		d.Applied = c.Refusal() == "" && local != nil &&
			m == [2]string{rerank.CohereInfo(b.cfg.CohereModel).Scale(), local.Info().Scale()}
		list = append(list, d)
	}
	return list, nil
}
