package failover

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// run is one way through a chain. One step flies at a time, or two where the second is a hedge.
type run[T any] struct {
	ctx    context.Context // the caller's
	chain  Chain[T]
	next   int              // index of the first step that was not looked at
	flying []flight         // in order of the chain
	landed chan landing[T]  // has room for every step: one that was left behind can still end
	late   <-chan time.Time // the time to start the next step beside the one that flies; nil: never
	report Report
}

// flight is a step that runs.
type flight struct {
	index   int
	start   time.Time
	cancel  context.CancelFunc
	outcome func(*Failure) // where its breaker is told
}

// landing is how a step ended.
type landing[T any] struct {
	index int
	value T
	err   error
}

// launch starts the next step that applies and is admitted; false: there is none. Beside another one, only
// the very next step is considered.
func (r *run[T]) launch() bool {
	r.late = nil
	beside := len(r.flying) > 0
	for r.next < len(r.chain) {
		i := r.next
		step := r.chain[i]
		r.next++
		refusal := step.Skip
		var outcome func(*Failure)
		if refusal == nil {
			outcome, refusal = step.Breaker.admit(step.Name, step.Deadline)
		}
		if refusal == nil {
			if refusal = step.Guard.take(step.Name); refusal != nil {
				outcome(&Failure{Weight: Ignored})
			}
		}
		if refusal != nil {
			r.pass(Passed{Index: i, Code: refusal.Code, Reason: refusal.Reason})
			if beside {
				return false
			}
			continue
		}
		ctx, cancel := context.WithCancel(r.ctx)
		r.flying = append(r.flying, flight{i, time.Now(), cancel, outcome})
		go func() {
			value, err := step.attempt(ctx)
			r.landed <- landing[T]{i, value, err}
		}()
		if !beside && r.next < len(r.chain) {
			if wait := r.chain[r.next].Hedge; wait > 0 {
				r.late = time.After(wait)
			}
		}
		return true
	}
	return false
}

// serve notes the step whose result is taken. One before it that still flies was too slow; one after it
// was only there in case it failed.
func (r *run[T]) serve(index int) {
	winner := r.take(index)
	winner.outcome(nil)
	r.report.Served, r.report.Elapsed = index, time.Since(winner.start)
	for len(r.flying) > 0 && r.flying[0].index < index {
		slow, fast := r.chain[r.flying[0].index], r.chain[index]
		r.fail(r.flying[0].index, &Failure{
			Code: CodeLate, Reason: fmt.Sprintf("%s, started %v after %s, was first.", fast.Name, fast.Hedge, slow.Name),
		})
	}
}

// fail notes a step that failed.
func (r *run[T]) fail(index int, err error) {
	f := r.take(index)
	failure := failureOf(r.chain[index].Name, r.chain[index].Deadline, err)
	f.outcome(failure)
	r.pass(Passed{
		Index: index, Code: failure.Code, Reason: failure.Reason, Tried: true, Elapsed: time.Since(f.start), Err: err,
	})
}

// abandon cancels what still flies. A breaker that was not told yet learns nothing from it.
func (r *run[T]) abandon() {
	for _, f := range r.flying {
		f.cancel()
		f.outcome(&Failure{Weight: Ignored})
	}
}

// take removes a flight from those that fly.
func (r *run[T]) take(index int) flight {
	at := slices.IndexFunc(r.flying, func(f flight) bool { return f.index == index })
	f := r.flying[at]
	f.cancel()
	r.flying = slices.Delete(r.flying, at, at+1)
	return f
}

func (r *run[T]) pass(p Passed) {
	r.report.Passed = append(r.report.Passed, p)
	slices.SortFunc(r.report.Passed, func(a, b Passed) int { return cmp.Compare(a.Index, b.Index) })
	if told := r.chain[p.Index].OnPass; told != nil {
		told()
	}
}
