package reader

import (
	"sync"
	"sync/atomic"
	"time"
)

// patience ends a child for which its parent has waited too long. Where other programs leave it no processor, that is
// no fault of the file: a stall is one only if the child had half of that time to work in, or had nothing to do.
type patience struct {
	child interface {
		worked() time.Duration // processor time so far
		wantsToWork() bool     // it would go on if the system let it
	}
	late atomic.Bool // it was ended

	mu          sync.Mutex
	stall, left time.Duration
	since       time.Time // of the wait; zero: its parent does not wait
	before      time.Duration
	timer       *time.Timer
}

func (p *patience) begin(kill func(), limit Limits) {
	p.stall, p.left = limit.Stall, limit.Total
	p.timer = time.AfterFunc(limit.Total, func() { p.over(kill) })
	p.timer.Stop()
}

func (p *patience) wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since, p.before = time.Now(), p.child.worked()
	p.timer.Reset(max(0, min(p.stall, p.left)))
}

func (p *patience) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer.Stop()
	p.left -= time.Since(p.since)
	p.since = time.Time{}
}

func (p *patience) over(kill func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return
	}
	left := p.left - time.Since(p.since)
	if left > 0 && p.child.worked()-p.before < p.stall/2 && p.child.wantsToWork() {
		p.timer.Reset(min(p.stall, left))
		return
	}
	p.late.Store(true)
	kill()
}
