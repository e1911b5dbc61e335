package pipeline

import (
	"context"
	"time"

	"fanous/backend/domain"
)

// settle waits until a search that is to be reranked may be, so that one which is typed on ends here: its error is then
// ctx's.
func (r *Ranking) settle(ctx context.Context, start time.Time, req domain.SearchRequest) error {
	begun := time.Now()
	wait := time.Duration(req.SettleMS)*time.Millisecond - begun.Sub(start)
	if wait <= 0 || !r.willRerank(req) {
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		r.Stages = append(r.Stages, domain.StageSince(domain.StageSettle, begun, len(r.Entries), len(r.Entries)))
		return nil
	}
}
