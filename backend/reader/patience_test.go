package reader

import (
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// madeUp is a child that gets a share of a processor.
type madeUp struct {
	start time.Time
	share float64
	wants bool
}

func (m madeUp) worked() time.Duration { return time.Duration(m.share * float64(time.Since(m.start))) }
func (m madeUp) wantsToWork() bool     { return m.wants }

// TestABusyMachineIsNotTheFilesFault: a file does not go to quarantine because other programs leave its reader no time.
func TestABusyMachineIsNotTheFilesFault(t *testing.T) {
	for name, c := range map[string]struct {
		share float64
		wants bool
		after time.Duration
	}{
		"it spins":                   {1, true, time.Minute},
		"it spins beside others":     {0.25, true, 2 * time.Minute},
		"it is deadlocked":           {0, false, time.Minute},
		"it waits for a network":     {0.01, false, time.Minute},
		"it is left no processor":    {0.01, true, 10 * time.Minute},
		"a twentieth of a processor": {0.05, true, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				p := patience{child: madeUp{start, c.share, c.wants}}
				killed := make(chan struct{})
				p.begin(func() { close(killed) }, Limits{Stall: time.Minute, Total: 10 * time.Minute})
				p.wait()
				<-killed
				if after := time.Since(start); after != c.after {
					t.Errorf("ended after %v, want %v", after, c.after)
				}
			})
		})
	}
}

// TestAWaitThatWasPausedIsNotResumedByItself: the clock of a starved child stands still with that of others.
func TestAWaitThatWasPausedIsNotResumedByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := patience{child: madeUp{time.Now(), 0.01, true}}
		p.begin(func() { t.Error("ended while its parent had the turn") }, Limits{Stall: time.Minute, Total: 10 * time.Minute})
		p.wait()
		time.Sleep(5*time.Minute + time.Second)
		p.pause()
		time.Sleep(time.Hour)
		if p.left != 5*time.Minute-time.Second {
			t.Errorf("%v are left", p.left)
		}
	})
}

func TestTheSystemKnowsWhoWorks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("schedule_linux.go is what is tested")
	}
	me := schedule{os.Getpid()}
	before := me.worked()
	for start := time.Now(); me.worked()-before < 10*time.Millisecond; {
		if time.Since(start) > time.Minute {
			t.Fatalf("%v of work, then %v", before, me.worked())
		}
	}
	if !me.wantsToWork() {
		t.Error("this thread runs, and is not seen")
	}
	if (schedule{0}).wantsToWork() {
		t.Error("no process works")
	}
}
