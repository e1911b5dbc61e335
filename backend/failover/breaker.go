package failover

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"
)

// DefaultRecovery is how long an open breaker leaves the other side alone before it lets one try through.
const DefaultRecovery = 30 * time.Second

// failuresToOpen is how many ordinary failures in a row open a breaker.
const failuresToOpen = 2

// Breaker keeps a chain from paying again and again for a step that is down. It opens on the first
// hang or on two ordinary failures in a row; after a while it lets one try through, which closes it or
// opens it anew. A failure that names a wait keeps it open for that long. Failures of weight
// Ignored change nothing, and one that was the probe frees the probe's place.
//
// It is safe for concurrent use, and it lives in memory: a new process starts with a closed one.
type Breaker struct {
	circuit *gobreaker.TwoStepCircuitBreaker[struct{}]

	mu   sync.Mutex
	last *Failure  // the latest that counted
	hold time.Time // no try before this
}

// NewBreaker makes a closed breaker; recovery 0 means DefaultRecovery.
func NewBreaker(recovery time.Duration) *Breaker {
	if recovery <= 0 {
		recovery = DefaultRecovery
	}
	// gobreaker shows ReadyToTrip the counts only, not the error. IsSuccessful sees the error, and
	// gobreaker calls it just before, under the same lock: that is how a hang gets from one to the other.
	var hang bool
	return &Breaker{circuit: gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Timeout:    recovery,
		IsExcluded: func(err error) bool { return weightOf(err) == Ignored },
		IsSuccessful: func(err error) bool {
			hang = weightOf(err) == Hang
			return err == nil
		},
		ReadyToTrip: func(c gobreaker.Counts) bool {
			return hang || c.ConsecutiveFailures >= failuresToOpen
		},
	})}
}

// State says whether the breaker lets nothing through now, and the failure that made it so.
func (b *Breaker) State() (open bool, last *Failure) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Before(b.hold) || b.circuit.State() == gobreaker.StateOpen, b.last
}

// admit asks to try. It returns where the outcome must be reported (nil: success), or why not to try.
// A nil breaker admits everything.
func (b *Breaker) admit(name string) (report func(*Failure), refusal *Skip) {
	if b == nil {
		return func(*Failure) {}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Now().Before(b.hold) {
		return nil, b.refusal(name)
	}
	done, err := b.circuit.Allow()
	if err != nil {
		return nil, b.refusal(name)
	}
	return func(f *Failure) {
		if f == nil {
			done(nil)
			return
		}
		done(f)
		if f.Weight == Ignored {
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.last = f
		if until := time.Now().Add(f.Wait); f.Wait > 0 && until.After(b.hold) {
			b.hold = until
		}
	}, nil
}

// refusal is called under the lock.
func (b *Breaker) refusal(name string) *Skip {
	reason := name + " failed lately and is left alone for a while."
	if b.last != nil {
		reason = fmt.Sprintf("%s is left alone for a while, because of its last failure: %s", name, strings.TrimSpace(b.last.Reason))
	}
	return &Skip{Code: CodeOpen, Reason: reason}
}

func weightOf(err error) Weight {
	if f, ok := err.(*Failure); ok {
		return f.Weight
	}
	return Counted
}
