package failover

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// after gives a result, or an error, when this long has passed, and notes its cancel.
func after(d time.Duration, value string, err error, cancelled *atomic.Int32) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		select {
		case <-time.After(d):
			return value, err
		case <-ctx.Done():
			cancelled.Add(1)
			return "", ctx.Err()
		}
	}
}

func TestHedge(t *testing.T) {
	const second = time.Second
	boom := errors.New("boom")
	type outcome struct {
		d   time.Duration
		err error
	}
	never := outcome{time.Hour, nil}
	tests := []struct {
		name          string
		remote, local outcome
		served        string
		took          time.Duration
		hedged        bool
		codes         []string
		cancelled     int
		open          bool // after the same again
	}{
		{"in time: nothing is started", outcome{second / 2, nil}, never, "remote", second / 2, false, nil, 0, false},
		{"late, and still first", outcome{3 * second, nil}, never, "remote", 3 * second, true, nil, 1, false},
		{"late, and second", outcome{9 * second, nil}, outcome{2 * second, nil}, "local", 3 * second, true, []string{CodeLate}, 1, true},
		{"hangs", never, outcome{20 * second, nil}, "local", 21 * second, true, []string{CodeDeadline}, 1, true},
		{"fails late", outcome{2 * second, boom}, outcome{4 * second, nil}, "local", 5 * second, true, []string{CodeFailed}, 0, true},
		{"fails early: no waiting for the time", outcome{second / 2, boom}, outcome{second, nil}, "local", second + second/2, false, []string{CodeFailed}, 0, true},
		{"the other fails", outcome{3 * second, nil}, outcome{second, boom}, "remote", 3 * second, true, []string{CodeFailed}, 0, false},
		{"both fail", outcome{3 * second, boom}, outcome{second, boom}, "last", 3 * second, true, []string{CodeFailed, CodeFailed}, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				breaker := NewBreaker(Keep{}, time.Hour)
				var cancelled atomic.Int32
				passed := 0
				chain := Chain[string]{
					{Name: "Remote", Breaker: breaker, Deadline: 10 * second, Do: after(tt.remote.d, "remote", tt.remote.err, &cancelled),
						OnPass: func() { passed++ }},
					{Name: "Local", Hedge: second, Do: after(tt.local.d, "local", tt.local.err, &cancelled)},
					{Name: "Last", Do: serve("last")},
				}
				start := time.Now()
				got, report, err := chain.Run(t.Context())
				took := time.Since(start)
				synctest.Wait()
				if err != nil || got != tt.served || took != tt.took || report.Hedged != tt.hedged || int(cancelled.Load()) != tt.cancelled {
					t.Errorf("got %q after %v, hedged %v, %d cancelled, %v", got, took, report.Hedged, cancelled.Load(), err)
				}
				var codes []string
				for _, p := range report.Passed {
					codes = append(codes, p.Code)
				}
				if !slices.Equal(codes, tt.codes) || (passed == 1) != (tt.served != "remote") {
					t.Errorf("passed over %+v, told %d", report.Passed, passed)
				}
				_, _, _ = chain.Run(t.Context())
				if open := breaker.State().Open; open != tt.open {
					t.Errorf("after the second time, open is %v", open)
				}
			})
		})
	}
}

// TestAHedgeIsOnlyTheNextStep: the step after it is for when both have failed.
func TestAHedgeIsOnlyTheNextStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := NewBreaker(Keep{}, time.Hour)
		try(t, open, context.DeadlineExceeded)
		var cancelled atomic.Int32
		for name, second := range map[string]Step[string]{
			"does not apply":   {Hedge: time.Second, Skip: &Skip{}},
			"is not admitted":  {Hedge: time.Second, Breaker: open, Do: serve("never")},
			"is without hedge": {Do: serve("never")},
		} {
			got, report, err := Chain[string]{
				{Name: "Remote", Do: after(time.Minute, "remote", nil, &cancelled)}, second, {Name: "Last", Hedge: time.Second, Do: serve("last")},
			}.Run(t.Context())
			if err != nil || got != "remote" || report.Hedged {
				t.Errorf("%s: got %q, %+v, %v", name, got, report, err)
			}
		}
	})
}

func TestTheCallersEndEndsBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		breaker := NewBreaker(Keep{}, 0)
		var cancelled atomic.Int32
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			_, _, err := Chain[string]{
				{Breaker: breaker, Do: after(time.Hour, "", nil, &cancelled)},
				{Hedge: time.Second, Do: after(time.Hour, "", nil, &cancelled)},
			}.Run(ctx)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if cancelled.Load() != 6 || breaker.State().Open {
			t.Errorf("%d cancelled, open %v", cancelled.Load(), breaker.State().Open)
		}
	})
}
