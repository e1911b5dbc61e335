package rerank_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// lateBy gives the fake scores, or an error, when this long has passed, telling each score half-way.
func lateBy(d time.Duration, err error) func(context.Context, rerank.Request) (rerank.Result, error) {
	return func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
		for range 2 {
			select {
			case <-time.After(d / 2):
			case <-ctx.Done():
				return rerank.Result{}, ctx.Err()
			}
			if req.OnScore != nil {
				_, _ = fakeScores(ctx, req)
				req.OnScore = nil
			}
		}
		result, _ := fakeScores(ctx, req)
		return result, err
	}
}

func TestHedge(t *testing.T) {
	const second = time.Second
	down, errLocal := &cohere.Error{Kind: cohere.ServerError, Status: 503}, errors.New("made-up fault of the local ranker")
	tests := []struct {
		name          string
		remote, local time.Duration
		fails         error
		served        domain.Backend
		took          time.Duration
		hedged        bool
		steps         []string
		heard         int // partial scores of the local ranker
	}{
		{"in time", second / 2, second, nil, domain.BackendCohere, second / 2, false, nil, 0},
		{"late, and first", 4 * second, 8 * second, nil, domain.BackendCohere, 4 * second, true, nil, 0},
		{"late, and first, after partial scores", 4 * second, 4 * second, nil, domain.BackendCohere, 4 * second, true, nil, 0},
		{"late, and second", 8 * second, 2 * second, nil, domain.BackendCrossEncoder, 3 * second, true, []string{"cohere late"}, 3},
		{"fails in the middle", 2 * second, 8 * second, down, domain.BackendCrossEncoder, 9 * second, true, []string{"cohere server_error"}, 3},
		{"the local one fails", 4 * second, second, errLocal, domain.BackendCohere, 4 * second, true, []string{"cross-encoder failed"}, 0},
		{"fails before", second / 2, 2 * second, down, domain.BackendCrossEncoder, 2*second + second/2, false, []string{"cohere server_error"}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				remoteFails, localFails := tt.fails, error(nil)
				if tt.fails == errLocal {
					remoteFails, localFails = nil, errLocal
				}
				chain := rerank.NewChain(rerank.Given(cohereThat(lateBy(tt.remote, remoteFails))), localThat(lateBy(tt.local, localFails)), "",
					rerank.ChainOptions{CohereDeadline: 10 * second, LocalBudget: never, Hedge: second})
				req := search
				heard := 0
				req.OnScore = func(int, rerank.Score) { heard++ }
				start := time.Now()
				result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, req)
				if err != nil {
					t.Fatal(err)
				}
				consistent(t, req, result, trace)
				if fell := trace.FellBackFrom != nil; fell != (tt.served != domain.BackendCohere) {
					t.Errorf("fell back is %v: %+v", fell, trace)
				}
				if took := time.Since(start); trace.Backend != tt.served || trace.Hedged != tt.hedged || took != tt.took || heard != tt.heard || !slices.Equal(codes(trace), tt.steps) {
					t.Errorf("after %v, %d heard: %+v", took, heard, trace)
				}
			})
		})
	}
}

// TestAHedgeObeysThePolicy: what may not leave does not leave because a hedge is set.
func TestAHedgeObeysThePolicy(t *testing.T) {
	s := standIn(t)
	chain := rerank.NewChain(rerank.Given(openCohere(t, s)), localThat(fakeScores), "", rerank.ChainOptions{Hedge: 1})
	for _, perm := range []rerank.Permission{{}, {Policy: domain.PolicyNever, Send: true}, {Policy: domain.PolicyAsk}, {Policy: domain.PolicyAllowed, Offline: true}} {
		_, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, perm, search)
		if err != nil || trace.Backend != domain.BackendCrossEncoder || trace.Hedged {
			t.Errorf("%+v: %+v, %v", perm, trace, err)
		}
	}
	if s.Connections() != 0 {
		t.Error("a connection was made")
	}
}

// TestTyping: a search a second for two minutes, half of them cancelled, keeps within a trial key's ten calls
// in every minute, and says when it steps in. Each search is another process.
func TestTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []time.Time
		remote := cohereThat(func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
			calls = append(calls, time.Now())
			return lateBy(time.Second/2, nil)(ctx, req)
		})
		options := rerank.ChainOptions{CallsPerMinute: 10, StateDir: t.TempDir(), LocalBudget: never}
		refused := 0
		for i := range 120 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i%2)*time.Second/3)
			_, trace, _ := rerank.NewChain(rerank.Given(remote), localThat(fakeScores), "", options).Rerank(ctx, domain.RerankAuto, mayLeave, search)
			cancel()
			if len(trace.Steps) > 0 {
				refused++
				if trace.Steps[0].Code != "rate_guard" || trace.Backend != domain.BackendCrossEncoder ||
					trace.Reason[:len("Cohere was not asked, to stay within 10 calls a minute")] != "Cohere was not asked, to stay within 10 calls a minute" {
					t.Fatalf("search %d: %+v", i, trace)
				}
			}
			<-time.After(time.Second)
		}
		for i := range len(calls) - 10 {
			if within := calls[i+10].Sub(calls[i]); within < time.Minute {
				t.Errorf("11 calls within %v", within)
			}
		}
		if len(calls) < 20 || refused != 120-len(calls) {
			t.Errorf("%d calls, %d refused", len(calls), refused)
		}
	})
}

// TestAnotherKeyIsNotHeldBack: a bad key is left alone for long; the corrected one is tried at once.
func TestAnotherKeyIsNotHeldBack(t *testing.T) {
	dir := t.TempDir()
	bad := cohereThat(func(context.Context, rerank.Request) (rerank.Result, error) {
		return rerank.Result{}, &cohere.Error{Kind: cohere.BadKey}
	})
	for _, tt := range []struct {
		account rerank.Account
		remote  rerank.Reranker
		code    []string
	}{
		{rerank.Account{Endpoint: "a"}, bad, []string{"cohere bad_key"}},
		{rerank.Account{Endpoint: "a"}, cohereThat(fakeScores), []string{"cohere breaker_open"}},
		{rerank.Account{Endpoint: "b"}, cohereThat(fakeScores), nil},
	} {
		chain := rerank.NewChain(rerank.Found(rerank.Remote{Reranker: tt.remote, Account: tt.account}),
			localThat(fakeScores), "", rerank.ChainOptions{StateDir: dir})
		if _, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, search); err != nil || !slices.Equal(codes(trace), tt.code) {
			t.Errorf("%v: %+v, %v", tt.account, trace, err)
		}
	}
}
