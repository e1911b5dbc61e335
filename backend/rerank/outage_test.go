package rerank_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// TestAnOutageOfEveryKind: results come from the local ranker, for the right reason, and Cohere is left
// alone as soon as it should be.
func TestAnOutageOfEveryKind(t *testing.T) {
	for _, o := range coheretest.Outages() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			s := standIn(t)
			s.Behave(o.Behaviour)
			deadline := never
			if o.Hangs {
				deadline = soon
			}
			outage(t, s, rerank.ChainOptions{CohereDeadline: deadline, LocalBudget: never}, o.Code, o.Reason, o.Tries)
		})
	}
	t.Run("untrusted certificate", func(t *testing.T) {
		s := coheretest.StartTLS()
		t.Cleanup(s.Close)
		outage(t, s, rerank.ChainOptions{CohereDeadline: never, LocalBudget: never}, "tls", "no trusted certificate", 2)
		if len(s.Calls()) != 0 {
			t.Error("passages were sent to it")
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		s := coheretest.Start()
		s.Close()
		outage(t, s, rerank.ChainOptions{CohereDeadline: never, LocalBudget: never}, "unreachable", "cannot be reached", 2)
	})
}

// outage searches four times against a server that is down in one way, each time with a chain that knows
// only what the others left in the folder.
func outage(t *testing.T, s *coheretest.Server, o rerank.ChainOptions, code, reason string, tries int) {
	t.Helper()
	remote := openCohere(t, s)
	o.StateDir = t.TempDir()
	for i := range 4 {
		chain := rerank.NewChain(rerank.Found(remote.Remote()), localThat(fakeScores), "", o)
		result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, search)
		if err != nil {
			t.Fatal(err)
		}
		consistent(t, search, result, trace)
		left := tries > 0 && i >= tries
		wantCode := code
		if left {
			wantCode = "breaker_open"
		}
		if trace.Backend != domain.BackendCrossEncoder || trace.FellBackFrom == nil || *trace.FellBackFrom != domain.BackendCohere ||
			!slices.Equal(codes(trace), []string{"cohere " + wantCode}) || trace.Steps[0].Failed == left || !strings.Contains(trace.Reason, reason) {
			t.Errorf("search %d: %+v", i, trace)
		}
		if open := trace.Breaker == domain.BreakerOpen; open != (tries > 0 && i+1 >= tries) {
			t.Errorf("after search %d the breaker is %q", i, trace.Breaker)
		}
		if paused := chain.Paused(t.Context()); strings.Contains(paused, reason) != (tries > 0 && i+1 >= tries) {
			t.Errorf("after search %d it is paused because of %q", i, paused)
		}
	}
}

func TestCancelledSearchesAreNotFailures(t *testing.T) {
	s := standIn(t)
	chain := rerank.NewChain(rerank.Given(openCohere(t, s)), localThat(fakeScores), "", rerank.ChainOptions{CohereDeadline: never})
	s.Behave(coheretest.Hang())
	for range 6 { // typing
		ctx, cancel := context.WithCancel(t.Context())
		s.OnCall(func(coheretest.Call) { cancel() })
		if _, trace, err := chain.Rerank(ctx, domain.RerankAuto, mayLeave, search); !errors.Is(err, context.Canceled) || trace.Backend != domain.BackendNone {
			t.Fatalf("got %+v, %v", trace, err)
		}
	}
	s.OnCall(nil)
	s.Behave(coheretest.Healthy())
	if _, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, search); err != nil || trace.Backend != domain.BackendCohere {
		t.Errorf("got %+v, %v", trace, err)
	}
	if n := s.Requests(); n != 7 {
		t.Errorf("%d requests", n)
	}
}

func TestRecoveryIsNoticedWithoutARestart(t *testing.T) {
	tests := []struct {
		err  *cohere.Error
		wait time.Duration
	}{
		{&cohere.Error{Kind: cohere.Timeout}, 30 * time.Second},
		{&cohere.Error{Kind: cohere.RateLimited, RetryAfter: time.Minute}, time.Minute},
		{&cohere.Error{Kind: cohere.BadKey}, 10 * time.Minute},
		{&cohere.Error{Kind: cohere.Blocked}, 30 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(string(tt.err.Kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				down, calls := true, 0
				chain := rerank.NewChain(rerank.Given(cohereThat(func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
					calls++
					if down {
						return rerank.Result{}, tt.err
					}
					return fakeScores(ctx, req)
				})), localThat(fakeScores), "", rerank.ChainOptions{})
				servedBy := func() domain.Backend {
					_, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, search)
					if err != nil {
						t.Fatal(err)
					}
					return trace.Backend
				}
				servedBy()
				down = false
				<-time.After(tt.wait - time.Second)
				if got := servedBy(); got != domain.BackendCrossEncoder || calls != 1 {
					t.Fatalf("a second early: %s after %d calls", got, calls)
				}
				<-time.After(time.Second + 1)
				if got := servedBy(); got != domain.BackendCohere {
					t.Errorf("after the wait: %s", got)
				}
			})
		})
	}
}

// TestAnyPatternOfFailures: whatever the rankers do, a search ends well and its trace fits its result.
func TestAnyPatternOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // a ranker that was left behind has nothing to do with the next
		random := rand.New(rand.NewPCG(1, 2))
		draw := func() int {
			mu.Lock()
			defer mu.Unlock()
			return random.IntN(6)
		}
		outcome := func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
			switch draw() {
			case 0:
				<-ctx.Done()
				return rerank.Result{}, ctx.Err()
			case 1:
				return rerank.Result{}, &cohere.Error{Kind: cohere.ServerError, Status: 503}
			case 2:
				return rerank.Result{Scores: make([]rerank.Score, 1)}, nil
			case 3:
				panic("made-up fault")
			default:
				return fakeScores(ctx, req)
			}
		}
		chain := rerank.NewChain(rerank.Given(cohereThat(outcome)), localThat(outcome), "", rerank.ChainOptions{})
		served := map[domain.Backend]int{}
		for range 1000 {
			result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, search)
			if err != nil {
				t.Fatal(err)
			}
			consistent(t, search, result, trace)
			served[trace.Backend]++
			<-time.After(10 * time.Second)
		}
		if len(served) != 3 {
			t.Errorf("served %v", served)
		}
	})
}
