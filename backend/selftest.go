package backend

import (
	"context"

	"fanous/backend/trial"
)

// SelfTest tries what is installed on the devices of this machine, where that was not done before: it loads, scores
// known pairs, compares with the CPU and times, in processes of their own. Where that changes what runs on what, later
// searches use the new choice. It takes from nothing at all to minutes, and is for the background.
func (b *Backend) SelfTest(ctx context.Context) error {
	if !b.tester.Can() {
		return nil
	}
	gen, done := b.models.use()
	defer done()
	in := gen.inference()
	if in.library == nil {
		return nil // what is wrong with it is known without a test
	}
	last, err := b.tryPending(ctx, in.library.Path())
	if err == nil && !last.same(in.plan) {
		b.ReloadModels()
	}
	return err
}

// tryPending makes the tests that a plan waits for, one after the other, until none is left that could change it.
func (b *Backend) tryPending(ctx context.Context, library string) (plan, error) {
	tried := map[trial.Subject]bool{}
	for {
		p := planFor(library, b.cfg, b.tester)
		test, ok := p.next(tried)
		if !ok {
			return p, ctx.Err()
		}
		tried[test] = true
		if test.Model != "" && confirm(ctx, test.Model) != nil {
			continue // damaged: whoever loads it says so
		}
		if _, err := b.tester.Ensure(ctx, test); err != nil && ctx.Err() != nil {
			return p, ctx.Err()
		}
	}
}

// next is the first test that is still to make.
func (p plan) next(tried map[trial.Subject]bool) (trial.Subject, bool) {
	for _, test := range p.pending {
		if !tried[test] {
			return test, true
		}
	}
	return trial.Subject{}, false
}

// same says whether two plans run the same rerankers on the same devices.
func (p plan) same(q plan) bool {
	if len(p.rerankers) != len(q.rerankers) {
		return false
	}
	for tier, m := range p.rerankers {
		if other := q.rerankers[tier]; other.dir != m.dir || other.device != m.device {
			return false
		}
	}
	return true
}
