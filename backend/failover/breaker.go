package failover

import (
	"fmt"
	"strings"
	"time"
)

// DefaultRecovery is how long an open breaker leaves the other side alone before it lets one try through.
const DefaultRecovery = 30 * time.Second

// failuresToOpen is how many ordinary failures in a row open a breaker.
const failuresToOpen = 2

// Breaker keeps searches from paying again and again for a step that is down. It opens on the first
// hang or on two ordinary failures in a row, for the wait that the failure names or else for its
// recovery time. Then it lets one try through, which closes it or opens it anew. Failures of weight
// Ignored change nothing, and one that was the probe frees the probe's place; a probe that was killed
// loses its place when twice its deadline has passed.
//
// It is safe for concurrent use, and all processes that keep it at one place share it.
type Breaker struct {
	recovery time.Duration
	state    shared[circuit]
}

// circuit is a breaker's state. The zero value is closed.
type circuit struct {
	Failures int    `json:"failures"` // ordinary ones in a row
	Hold     period `json:"hold"`     // nothing is let through; zero: closed
	Probe    period `json:"probe"`    // the probe's place is taken

	// Generation counts openings and closings: what was let through before one says nothing after it.
	Generation uint64 `json:"generation"`

	Code   string `json:"code"` // of the latest failure that counted
	Reason string `json:"reason"`
}

func (c *circuit) closed() bool { return c.Hold.Until.IsZero() }

// NewBreaker makes a breaker that knows what was kept; recovery 0 means DefaultRecovery.
func NewBreaker(keep Keep, recovery time.Duration) *Breaker {
	if recovery <= 0 {
		recovery = DefaultRecovery
	}
	return &Breaker{recovery: recovery, state: shared[circuit]{keep: keep}}
}

// State is what a breaker does at the moment.
type State struct {
	Open   bool // it lets nothing through
	Until  time.Time
	Reason string // the failure that made it so: one plain sentence; empty where it is closed
}

// State reads it.
func (b *Breaker) State() State {
	var s State
	b.state.update(func(c *circuit) bool {
		if c.Hold.holds(wallClock()) {
			s = State{true, c.Hold.Until, c.Reason}
		}
		return false
	})
	return s
}

// admit asks to try for no longer than deadline (0: unknown). It returns where the outcome must be
// reported (nil: success), or why not to try. A nil breaker admits everything.
func (b *Breaker) admit(name string, deadline time.Duration) (report func(*Failure), refusal *Skip) {
	if b == nil {
		return func(*Failure) {}, nil
	}
	if deadline <= 0 {
		deadline = b.recovery
	}
	var generation uint64
	var place period // of the probe; zero: this is none
	b.state.update(func(c *circuit) bool {
		now := wallClock()
		generation = c.Generation
		switch {
		case c.closed():
			return false
		case c.Hold.holds(now):
			refusal = &Skip{CodeOpen, fmt.Sprintf("%s is left alone for a while, because of its last failure: %s", name, strings.TrimSpace(c.Reason))}
			return false
		case c.Probe.holds(now):
			refusal = &Skip{CodeOpen, name + " failed lately, and another search is just trying whether it works again."}
			return false
		}
		place = periodOf(now, 2*deadline)
		c.Probe = place
		return true
	})
	if refusal != nil {
		return nil, refusal
	}
	return func(f *Failure) {
		b.state.update(func(c *circuit) bool {
			return c.Generation == generation && c.note(f, place, b.recovery)
		})
	}, nil
}

// note takes an outcome in and says whether it changed anything. place is that of a probe.
func (c *circuit) note(f *Failure, place period, recovery time.Duration) bool {
	switch {
	case f == nil && c.closed():
		changed := c.Failures > 0
		c.Failures = 0
		return changed
	case f == nil:
		*c = circuit{Generation: c.Generation + 1}
		return true
	case f.Weight == Ignored:
		if c.closed() || !c.Probe.equal(place) {
			return false
		}
		c.Probe = period{}
		return true
	}
	c.Failures++
	c.Code, c.Reason = f.Code, f.Reason
	if f.Weight == Hang || f.Wait > 0 || c.Failures >= failuresToOpen { // a probe that fails is at least the second
		wait := recovery
		if f.Wait > 0 {
			wait = f.Wait
		}
		c.Hold, c.Probe = periodOf(wallClock(), wait), period{}
		c.Generation++
	}
	return true
}
