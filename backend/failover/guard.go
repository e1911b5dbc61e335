package failover

import (
	"fmt"
	"slices"
	"time"
)

// Guard keeps the calls of all processes that keep it at one place within a number a minute: any minute,
// not only those that begin on the minute.
//
// It is safe for concurrent use.
type Guard struct {
	most   int
	window time.Duration
	calls  shared[[]time.Time] // when each was let through; never more than most
}

// NewGuard allows most calls a minute; 0 or less: no limit, which is a nil Guard. A call arrives up to
// slack after it was let through, so that is added to the minute: the limit holds for arrivals too.
func NewGuard(keep Keep, most int, slack time.Duration) *Guard {
	if most <= 0 {
		return nil
	}
	return &Guard{most: most, window: time.Minute + slack, calls: shared[[]time.Time]{keep: keep}}
}

// take lets one call through and counts it, or says why not. A nil guard lets everything through.
func (g *Guard) take(name string) (refusal *Skip) {
	if g == nil {
		return nil
	}
	g.calls.update(func(calls *[]time.Time) bool {
		now := wallClock()
		recent := (*calls)[:0]
		for _, t := range *calls {
			if t.After(now) { // the clock was set back; when it really was is not known
				t = now
			}
			if now.Sub(t) < g.window {
				recent = append(recent, t)
			}
		}
		slices.SortFunc(recent, time.Time.Compare)
		recent = recent[max(0, len(recent)-g.most):]
		if len(recent) == g.most {
			wait := recent[0].Add(g.window).Sub(now)
			refusal = &Skip{CodeGuard, fmt.Sprintf("%s was not asked, to stay within %d calls a minute; the next one can be made in %d s.",
				name, g.most, int(wait.Seconds()+1))}
		} else {
			recent = append(recent, now)
		}
		*calls = recent
		return true
	})
	return refusal
}
