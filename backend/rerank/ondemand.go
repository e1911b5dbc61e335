package rerank

import (
	"context"
	"errors"
	"time"

	"fanous/backend/onnx"
)

// Closer is a ranker that holds something.
type Closer interface {
	Reranker
	Close() error
}

// OnDemand loads a ranker when it is first needed and frees it when it has not been used for a while.
type OnDemand struct {
	info  Info
	model *onnx.OnDemand[Closer]
}

// NewOnDemand makes a ranker that is, while nothing is loaded, already known by its info.
func NewOnDemand(info Info, open func() (Closer, error)) *OnDemand {
	return &OnDemand{info, onnx.NewOnDemand(onnx.DefaultIdle, open)}
}

// Info is known without loading.
func (o *OnDemand) Info() Info { return o.info }

// Warm loads the ranker, or says why that cannot be. It is then as if it had just been used.
func (o *OnDemand) Warm(ctx context.Context) error {
	_, done, err := o.model.Use(ctx)
	if err == nil {
		done()
	}
	return err
}

// Rerank loads the ranker where it is not there; that counts against the budget. A spent budget is answered at once,
// while the loading goes on for whoever comes next.
func (o *OnDemand) Rerank(ctx context.Context, req Request) (Result, error) {
	if err := ctx.Err(); err != nil || len(req.Passages) == 0 {
		return newResult(len(req.Passages)), err
	}
	start := time.Now()
	loading := ctx
	if req.Budget > 0 {
		var cancel context.CancelFunc
		loading, cancel = context.WithTimeout(ctx, req.Budget)
		defer cancel()
	}
	ranker, done, err := o.model.Use(loading)
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return newResult(len(req.Passages)), nil
	case err != nil:
		return Result{}, err
	}
	defer done()
	req, ok := req.after(time.Since(start))
	if !ok {
		return newResult(len(req.Passages)), nil
	}
	return ranker.Rerank(ctx, req)
}

// Close frees the ranker after the requests under way; later ones are refused with onnx.ErrClosed. Closing twice is
// harmless.
func (o *OnDemand) Close() error { return o.model.Close() }
