package failover

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func serve(v string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return v, nil }
}

func fail(err error) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return "", err }
}

// obey waits for its context; ignore waits for ever, whatever its context says.
func obey(ctx context.Context) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func TestRunServesTheFirstThatCanAndReportsTheOthers(t *testing.T) {
	boom := errors.New("boom")
	typed := &Failure{Code: "bad_key", Reason: "The key is wrong.", Err: boom}
	last := Step[string]{Name: "last", Do: serve("last")}
	tests := []struct {
		name   string
		first  Step[string]
		passed []Passed // without Elapsed and Err
		served string
	}{
		{"serves", Step[string]{Do: serve("first")}, nil, "first"},
		{"does not apply", Step[string]{Skip: &Skip{"policy", "Not allowed."}, Do: serve("never")},
			[]Passed{{Code: "policy", Reason: "Not allowed."}}, "last"},
		{"typed failure", Step[string]{Do: fail(typed)},
			[]Passed{{Code: "bad_key", Reason: "The key is wrong.", Tried: true}}, "last"},
		{"plain failure", Step[string]{Name: "First", Do: fail(boom)},
			[]Passed{{Code: CodeFailed, Reason: "First failed: boom.", Tried: true}}, "last"},
		{"panic", Step[string]{Name: "First", Do: func(context.Context) (string, error) { panic("x") }},
			[]Passed{{Code: CodeCrash, Reason: "First stopped with an internal error.", Tried: true}}, "last"},
		{"ends its goroutine", Step[string]{Name: "First", Do: func(context.Context) (string, error) {
			runtime.Goexit()
			return "", nil
		}}, []Passed{{Code: CodeFailed, Reason: "First failed: it ended without a result.", Tried: true}}, "last"},
		{"cancels itself", Step[string]{Name: "First", Do: fail(context.Canceled)},
			[]Passed{{Code: CodeFailed, Reason: "First failed: context canceled.", Tried: true}}, "last"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, report, err := Chain[string]{tt.first, last}.Run(t.Context())
			if err != nil || got != tt.served {
				t.Fatalf("got %q, %v; want %q", got, err, tt.served)
			}
			for i := range report.Passed {
				report.Passed[i].Elapsed, report.Passed[i].Err = 0, nil
			}
			if !reflect.DeepEqual(report.Passed, tt.passed) {
				t.Errorf("passed over %+v, want %+v", report.Passed, tt.passed)
			}
			if want := len(tt.passed); report.Served != want {
				t.Errorf("served by %d, want %d", report.Served, want)
			}
		})
	}
}

func TestRunKeepsTheDeadline(t *testing.T) {
	const deadline = 2 * time.Second
	for _, name := range []string{"obeys its context", "ignores its context"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				do := obey
				if name == "ignores its context" {
					do = func(context.Context) (string, error) {
						<-release
						return "too late", nil
					}
				}
				start := time.Now()
				got, report, err := Chain[string]{
					{Name: "Slow", Deadline: deadline, Do: do},
					{Name: "Fast", Do: serve("fast")},
				}.Run(t.Context())
				if err != nil || got != "fast" {
					t.Fatalf("got %q, %v", got, err)
				}
				if spent := time.Since(start); spent != deadline {
					t.Errorf("took %v, want exactly %v of the fake clock", spent, deadline)
				}
				p := report.Passed[0]
				if p.Code != CodeDeadline || p.Reason != "Slow did not answer within 2s." || !p.Tried || p.Elapsed != deadline {
					t.Errorf("passed over with %+v", p)
				}
				close(release) // the step that was left behind can end; synctest fails if it does not
			})
		})
	}
}

func TestRunReturnsTheCallersOwnEnd(t *testing.T) {
	breaker := NewBreaker(Keep{}, 0)
	for range 6 { // six searches cancelled by typing
		ctx, cancel := context.WithCancel(t.Context())
		_, report, err := Chain[string]{
			{Name: "Slow", Breaker: breaker, Deadline: time.Hour, Do: func(ctx context.Context) (string, error) {
				cancel()
				return obey(ctx)
			}},
			{Name: "Never reached", Do: serve("x")},
		}.Run(ctx)
		if !errors.Is(err, context.Canceled) || report.Served != -1 || len(report.Passed) != 0 {
			t.Fatalf("got %+v, %v", report, err)
		}
	}
	if breaker.State().Open {
		t.Error("the caller's cancels opened the breaker")
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := (Chain[string]{{Do: serve("x")}}).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled caller got %v", err)
	}
}

func TestRunWithNoStepThatServes(t *testing.T) {
	for _, c := range []Chain[string]{nil, {{Do: fail(errors.New("x"))}}, {{Skip: &Skip{}}}} {
		if _, report, err := c.Run(t.Context()); !errors.Is(err, ErrExhausted) || report.Served != -1 {
			t.Errorf("got %+v, %v", report, err)
		}
	}
}
