package rerank

import (
	"context"
	"time"
)

// Turns lets the rankers that share it work one at a time. The cores are all taken by one search; two at once
// would only make both late. It is never held between the calls of one search.
type Turns struct{ place chan struct{} }

// NewTurns makes a place for one.
func NewTurns() *Turns { return &Turns{place: make(chan struct{}, 1)} }

// InTurn makes r wait for its turn. The wait counts against the request's budget, because a reader waits for
// both; a request whose turn does not come within it has scored nothing.
func (t *Turns) InTurn(r Reranker) Reranker { return inTurn{Reranker: r, turns: t} }

type inTurn struct {
	Reranker
	turns *Turns
}

func (t inTurn) Rerank(ctx context.Context, req Request) (Result, error) {
	if err := ctx.Err(); err != nil || len(req.Passages) == 0 {
		return newResult(len(req.Passages)), err
	}
	var spent <-chan time.Time
	if req.Budget > 0 {
		timer := time.NewTimer(req.Budget)
		defer timer.Stop()
		spent = timer.C
	}
	start := time.Now()
	select {
	case t.turns.place <- struct{}{}:
	case <-ctx.Done():
		return Result{}, ctx.Err()
	case <-spent:
		return newResult(len(req.Passages)), nil
	}
	defer func() { <-t.turns.place }()
	req, ok := req.after(time.Since(start))
	if !ok {
		return newResult(len(req.Passages)), nil
	}
	return t.Reranker.Rerank(ctx, req)
}

// after takes the time spent off the budget; not ok: nothing is left of it.
func (r Request) after(spent time.Duration) (Request, bool) {
	if r.Budget <= 0 {
		return r, true
	}
	r.Budget -= spent
	return r, r.Budget > 0
}
