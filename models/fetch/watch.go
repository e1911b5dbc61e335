package fetch

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// ErrSlow says that a source gave nothing, or next to nothing, for longer than the patience.
var ErrSlow = errors.New("it gives nothing any more, or too slowly")

// watch ends a source's context when too little comes from it.
type watch struct {
	received atomic.Int64
	cancel   context.CancelCauseFunc
}

// watch counts from now on, the time until the first byte included. It ends with stop.
func (f *Fetcher) watch(ctx context.Context) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{cancel: cancel}
	least := int64(f.Patience.Seconds() * float64(f.MinRate))
	go func() {
		tick := time.NewTicker(f.Patience)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if w.received.Swap(0) < max(least, 1) {
					cancel(ErrSlow)
				}
			}
		}
	}()
	return ctx, w
}

func (w *watch) got(n int) { w.received.Add(int64(n)) }

func (w *watch) stop() { w.cancel(context.Canceled) }

// slow is why something ended: the patience where that was it, else err.
func slow(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), ErrSlow) {
		return ErrSlow
	}
	return err
}
