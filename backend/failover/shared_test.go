package failover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

func keepIn(t *testing.T) Keep {
	return Keep{Path: filepath.Join(t.TempDir(), "state", "breaker.json"), Owner: "somebody"}
}

// another is the breaker of another process: it knows only what the file says.
func another(keep Keep) *Breaker { return NewBreaker(keep, time.Second) }

func TestProcessesShareABreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keep := keepIn(t)
		try(t, another(keep), errors.New("boom"))
		try(t, another(keep), nil)
		try(t, another(keep), errors.New("boom"))
		if !try(t, another(keep), errors.New("boom")) {
			t.Fatal("one failure opened it")
		}
		if try(t, another(keep), nil) {
			t.Fatal("two failures of two processes did not open it")
		}
		if s := another(keep).State(); !s.Open || s.Reason != "Remote failed: boom." || time.Until(s.Until) != time.Second {
			t.Errorf("state %+v", s)
		}
		other := keep
		other.Owner = "somebody else"
		if NewBreaker(other, time.Second).State().Open {
			t.Error("another owner is held back")
		}

		<-time.After(time.Second)
		_, _, err := Chain[string]{{Breaker: another(keep), Do: func(context.Context) (string, error) {
			if try(t, another(keep), nil) {
				t.Error("a second process probed beside the first")
			}
			return "works", nil
		}}}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !try(t, another(keep), nil) || another(keep).State().Open {
			t.Error("a good probe of one process did not close it for another")
		}
	})
}

func TestAKilledProbeLosesItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keep := keepIn(t)
		try(t, another(keep), context.DeadlineExceeded)
		<-time.After(time.Second)
		const deadline = 2 * time.Second
		if _, refusal := another(keep).admit("Remote", deadline); refusal != nil { // and its outcome never comes
			t.Fatal(refusal)
		}
		<-time.After(2*deadline - 1)
		if try(t, another(keep), nil) {
			t.Fatal("a second probe before the first can be given up")
		}
		<-time.After(1)
		if !try(t, another(keep), nil) {
			t.Error("the killed probe kept its place")
		}
	})
}

// TestAnOutcomeFromBeforeAnOpeningSaysNothing: a slow success that was sent before the failure is no recovery.
func TestAnOutcomeFromBeforeAnOpeningSaysNothing(t *testing.T) {
	keep := keepIn(t)
	report, _ := another(keep).admit("Remote", 0)
	try(t, another(keep), context.DeadlineExceeded)
	report(nil)
	if !another(keep).State().Open {
		t.Error("it closed the breaker")
	}
}

// TestTheWallClock: whatever the clock or the file claims, nothing is held longer than its wait.
func TestTheWallClock(t *testing.T) {
	now := wallClock()
	at := func(d time.Duration) time.Time { return now.Add(d) }
	tests := []struct {
		name string
		hold period
		open bool
	}{
		{"in its wait", period{at(-time.Second), at(time.Minute)}, true},
		{"over, as after a sleep", period{at(-2 * time.Hour), at(-time.Hour)}, false},
		{"the clock was set back to before it", period{at(time.Hour), at(time.Hour + time.Minute)}, false},
		{"a year to wait, two hours ago", period{at(-2 * time.Hour), at(365 * 24 * time.Hour)}, false},
		{"a year to wait, from now", period{at(0), at(365 * 24 * time.Hour)}, true},
		{"backwards", period{at(time.Hour), at(-time.Hour)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keep := keepIn(t)
			(&shared[circuit]{keep: keep}).update(func(c *circuit) bool {
				*c = circuit{Hold: tt.hold, Reason: "Made up."}
				return true
			})
			if got := another(keep).State().Open; got != tt.open {
				t.Errorf("open is %v", got)
			}
			if through := try(t, another(keep), nil); through == tt.open {
				t.Errorf("let through is %v", through)
			}
		})
	}
	if p := periodOf(now, 1<<62); p.Until.Sub(now) != longestPeriod {
		t.Errorf("a wait of %v", p.Until.Sub(now))
	}
}

func TestADamagedFileCountsAsClosedAndIsReplaced(t *testing.T) {
	keep := keepIn(t)
	try(t, another(keep), context.DeadlineExceeded)
	whole, err := os.ReadFile(keep.Path)
	if err != nil || !another(keep).State().Open {
		t.Fatal(err)
	}
	damages := map[string][]byte{
		"empty": nil, "cut": whole[:len(whole)/2], "a page": []byte("<!doctype html>"), "null": []byte("null"),
		"another type": []byte(`{"owner":"somebody","value":[1]}`), "zeros": make([]byte, 512),
		"too long": append(whole, make([]byte, maxKept)...),
		"odd time": []byte(`{"owner":"somebody","value":{"hold":{"from":"0000-99-99T00:00:00Z"}}}`),
	}
	for name, data := range damages {
		if err := os.WriteFile(keep.Path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if another(keep).State().Open {
			t.Errorf("%s: open", name)
		}
		try(t, another(keep), context.DeadlineExceeded)
		if !another(keep).State().Open {
			t.Errorf("%s: it was not replaced", name)
		}
	}
}

// TestAFolderThatCannotBeWritten: the breaker then works for its own process.
func TestAFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	keep := Keep{Path: filepath.Join(file, "breaker.json")}
	b := another(keep)
	try(t, b, context.DeadlineExceeded)
	if !b.State().Open || try(t, b, nil) {
		t.Error("it forgot what it could not write")
	}
	if another(keep).State().Open {
		t.Error("another process knows it, from where?")
	}
}

// TestAProcessThatStoppedInTheLockHoldsNobody.
func TestAProcessThatStoppedInTheLockHoldsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keep := keepIn(t)
		try(t, another(keep), nil)
		if err := os.MkdirAll(filepath.Dir(keep.Path), 0o700); err != nil {
			t.Fatal(err)
		}
		lock := flock.New(keep.Path + ".lock")
		if err := lock.Lock(); err != nil {
			t.Fatal(err)
		}
		defer lock.Close()
		start := time.Now()
		try(t, another(keep), context.DeadlineExceeded)
		if spent := time.Since(start); spent != 2*lockPatience {
			t.Errorf("waited %v of the fake clock", spent)
		}
		if !another(keep).State().Open {
			t.Error("the failure was lost")
		}
	})
}

func TestManyAtOnceOneProbe(t *testing.T) {
	keep := keepIn(t)
	(&shared[circuit]{keep: keep}).update(func(c *circuit) bool {
		c.Hold = period{wallClock().Add(-2 * time.Second), wallClock().Add(-time.Second)}
		return true
	})
	var mu sync.Mutex
	admitted := 0
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, refusal := another(keep).admit("Remote", time.Minute); refusal == nil {
				mu.Lock()
				admitted++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if admitted != 1 {
		t.Errorf("%d probes at once", admitted)
	}
}

func TestGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keep := keepIn(t)
		take := func(name string, most int, want bool) {
			t.Helper()
			_, report, _ := Chain[string]{{Name: "Remote", Guard: NewGuard(keep, most, 2*time.Second), Do: serve("x")}}.Run(t.Context())
			if served := report.Served == 0; served != want {
				t.Fatalf("%s: let through is %v, %+v", name, served, report.Passed)
			}
		}
		for i := range 10 { // typing: a search every second
			take(fmt.Sprint("call ", i), 10, true)
			<-time.After(time.Second)
		}
		take("the eleventh", 10, false)
		_, report, _ := Chain[string]{{Name: "Remote", Guard: NewGuard(keep, 10, 2*time.Second), Do: serve("x")}}.Run(t.Context())
		if p := report.Passed[0]; p.Code != CodeGuard || p.Tried || p.Reason != "Remote was not asked, to stay within 10 calls a minute; the next one can be made in 53 s." {
			t.Errorf("refused with %+v", p)
		}
		take("a higher limit", 11, true)
		take("a lower limit", 3, false)
		take("no limit", 0, true)
		<-time.After(62 * time.Second)
		for i := range 10 {
			take(fmt.Sprint("a minute later, call ", i), 10, true)
		}
		take("and one more", 10, false)

		g := NewGuard(keep, 10, 0)
		g.calls.update(func(calls *[]time.Time) bool { // the clock was set back by a year
			for i := range *calls {
				(*calls)[i] = (*calls)[i].Add(365 * 24 * time.Hour)
			}
			return true
		})
		take("after the clock was set back", 10, false)
		<-time.After(62 * time.Second)
		take("a minute after that", 10, true)
	})
}

// TestTheGuardTakesNoProbesPlace: a probe that the guard refuses leaves its place to the next search.
func TestTheGuardTakesNoProbesPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keep := keepIn(t)
		guard := NewGuard(Keep{}, 1, 0)
		guard.take("Remote")
		try(t, another(keep), context.DeadlineExceeded)
		<-time.After(time.Second)
		_, report, _ := Chain[string]{{Name: "Remote", Breaker: another(keep), Guard: guard, Do: serve("x")}}.Run(t.Context())
		if report.Passed[0].Code != CodeGuard {
			t.Fatalf("%+v", report)
		}
		if !try(t, another(keep), nil) {
			t.Error("the place is taken")
		}
	})
}

func TestAnOpenBreakerCostsNoCall(t *testing.T) {
	guard := NewGuard(Keep{}, 1, 0)
	b := NewBreaker(Keep{}, 0)
	try(t, b, context.DeadlineExceeded)
	for range 3 {
		_, _, _ = Chain[string]{{Name: "Remote", Breaker: b, Guard: guard, Do: serve("x")}}.Run(t.Context())
	}
	if refusal := guard.take("Remote"); refusal != nil {
		t.Error(refusal.Reason)
	}
}

func TestNothingIsWrittenForAnOrdinarySuccess(t *testing.T) {
	keep := keepIn(t)
	try(t, another(keep), nil)
	if _, err := os.Stat(keep.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(keep.Path)); len(entries) != 1 || !strings.HasSuffix(entries[0].Name(), ".lock") {
		t.Errorf("left %v", entries)
	}
}
