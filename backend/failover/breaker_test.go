package failover

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// try runs one step behind the breaker and says whether it was let through.
func try(t *testing.T, b *Breaker, err error) (through bool) {
	t.Helper()
	_, report, _ := Chain[string]{{Name: "Remote", Breaker: b, Do: func(context.Context) (string, error) {
		through = true
		return "", err
	}}}.Run(t.Context())
	if !through {
		p := report.Passed[0]
		if p.Code != CodeOpen || p.Tried || !strings.HasPrefix(p.Reason, "Remote is left alone for a while") && !strings.Contains(p.Reason, "another search") {
			t.Errorf("refused with %+v", p)
		}
	}
	return through
}

func TestBreakerOpens(t *testing.T) {
	plain := errors.New("boom")
	permanent := &Failure{Code: "bad_request", Weight: Ignored}
	tests := []struct {
		name string
		errs []error
		open bool
	}{
		{"nothing yet", nil, false},
		{"one failure", []error{plain}, false},
		{"two failures", []error{plain, plain}, true},
		{"a success between", []error{plain, nil, plain}, false},
		{"one hang", []error{context.DeadlineExceeded}, true},
		{"a typed hang", []error{&Failure{Weight: Hang}}, true},
		{"faults of ours", []error{permanent, permanent, permanent}, false},
		{"a fault of ours between", []error{plain, permanent, plain}, true},
		{"a failure that names a wait", []error{&Failure{Wait: time.Minute}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := NewBreaker(Keep{}, 0)
				for _, err := range tt.errs {
					try(t, b, err)
				}
				if s := b.State(); s.Open != tt.open {
					t.Errorf("state %+v", s)
				}
				if through := try(t, b, nil); through == tt.open {
					t.Errorf("let through is %v", through)
				}
			})
		})
	}
}

func TestBreakerRecoversByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBreaker(Keep{}, 10*time.Second)
		try(t, b, context.DeadlineExceeded)
		<-time.After(10*time.Second + 1)
		if !try(t, b, errors.New("still down")) {
			t.Fatal("no probe was let through")
		}
		if try(t, b, nil) {
			t.Fatal("a failed probe did not open it anew")
		}
		<-time.After(10*time.Second + 1)
		for range 2 {
			if !try(t, b, nil) {
				t.Fatal("a good probe did not close it")
			}
		}
	})
}

func TestBreakerFreesACancelledProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBreaker(Keep{}, time.Second)
		try(t, b, context.DeadlineExceeded)
		<-time.After(time.Second + 1)

		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := Chain[string]{{Breaker: b, Do: func(ctx context.Context) (string, error) {
			if try(t, b, nil) {
				t.Error("a second probe ran beside the first")
			}
			cancel()
			return obey(ctx)
		}}}.Run(ctx)
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if !try(t, b, nil) {
			t.Error("the cancelled probe kept its place")
		}
	})
}

func TestBreakerHoldsForTheWaitAndSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBreaker(Keep{}, time.Second)
		try(t, b, &Failure{Code: "rate_limited", Reason: "The limit is reached.", Wait: time.Minute})
		<-time.After(59 * time.Second)
		_, report, _ := Chain[string]{{Name: "Remote", Breaker: b, Do: serve("x")}}.Run(t.Context())
		if report.Served != -1 || !strings.Contains(report.Passed[0].Reason, "The limit is reached.") {
			t.Errorf("in the wait: %+v", report)
		}
		<-time.After(time.Second)
		if !try(t, b, nil) {
			t.Error("still held after the wait")
		}
	})
}
