package eval

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/rerank"
	"fanous/backend/store"
)

// slowCohere is a made-up Cohere that answers as do says, on the clock of the test.
type slowCohere struct {
	do func(ctx context.Context) error
}

func (slowCohere) Info() rerank.Info {
	return rerank.Info{Backend: domain.BackendCohere, Model: "made-up"}
}

func (c slowCohere) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	if err := c.do(ctx); err != nil {
		return rerank.Result{}, err
	}
	return byLength{sign: 1}.Rerank(ctx, req)
}

// askCohere evaluates hybrid and Cohere for so many queries. It says why Cohere was not asked to the end.
func askCohere(ctx context.Context, t *testing.T, dir string, queries int, o Options) (pools []Pool, silent string, err error) {
	t.Helper()
	set := madeUpSet()
	set.Queries = nil
	for i := range queries {
		set.Queries = append(set.Queries, Query{ID: fmt.Sprint(i), Text: "fruit", Relevant: Judgement{"right": 1}})
	}
	s, err := store.Open(t.Context(), filepath.Join(dir, "eval.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o.NoEmbedder = "none"
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.Place, err = index(t.Context(), s, set, o); err != nil {
		t.Fatal(err)
	}
	req, err := o.request()
	if err != nil {
		t.Fatal(err)
	}
	return runIn(ctx, dir, set, o, req, []string{StageHybrid, StageCohere})
}

// chainTo asks one remote ranker, for up to a minute.
func chainTo(remote rerank.Reranker, o rerank.ChainOptions) *rerank.Chain {
	if o.CohereDeadline == 0 {
		o.CohereDeadline = time.Minute
	}
	return rerank.NewChain(rerank.Given(remote), nil, "", o)
}

// answered counts the queries that Cohere has ordered.
func answered(pools []Pool) (n int) {
	for _, p := range pools {
		if _, has := p.Ranked[StageCohere]; has {
			n++
		}
	}
	return n
}

// TestAnEvaluationWaitsForItsCalls: a key that may ask ten times a minute answers every query, and is never asked an
// eleventh time within one.
func TestAnEvaluationWaitsForItsCalls(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		const queries, perMinute = 25, 10
		var calls []time.Time
		remote := slowCohere{func(context.Context) error {
			calls = append(calls, time.Now())
			return nil
		}}
		pools, silent, err := askCohere(t.Context(), t, dir, queries, Options{
			Cohere: chainTo(remote, rerank.ChainOptions{CallsPerMinute: perMinute, StateDir: filepath.Join(dir, "cohere")}),
		})
		if err != nil || silent != "" || answered(pools) != queries || len(calls) != queries {
			t.Fatalf("%d of %d answered in %d calls: %q, %v", answered(pools), queries, len(calls), silent, err)
		}
		for i := perMinute; i < len(calls); i++ {
			if apart := calls[i].Sub(calls[i-perMinute]); apart <= time.Minute {
				t.Errorf("call %d is %v after the tenth before it", i, apart)
			}
		}
		if took := calls[queries-1].Sub(calls[0]); took > 5*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// TestAWaitForCallsEndsWithItsContext, and what was answered is not asked again.
func TestAWaitForCallsEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		const queries, perMinute = 15, 10
		calls := 0
		remote := slowCohere{func(context.Context) error { calls++; return nil }}
		o := Options{Cohere: chainTo(remote, rerank.ChainOptions{CallsPerMinute: perMinute, StateDir: filepath.Join(dir, "cohere")})}
		const patience = 31 * time.Second
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if _, _, err := askCohere(ctx, t, dir, queries, o); !errors.Is(err, context.DeadlineExceeded) || calls != perMinute {
			t.Fatalf("%d calls, %v", calls, err)
		}
		if took := time.Since(start); took != patience {
			t.Errorf("it ended after %v", took)
		}
		if pools, silent, err := askCohere(t.Context(), t, dir, queries, o); err != nil || silent != "" || answered(pools) != queries || calls != queries {
			t.Errorf("%d answered in %d calls in all: %q, %v", answered(pools), calls, silent, err)
		}
	})
}

// TestACohereThatHangsInAnEvaluation costs one deadline, not one a query: it is not asked again, and the other stages have
// every query.
func TestACohereThatHangsInAnEvaluation(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		const queries, good = 8, 3
		calls := 0
		remote := slowCohere{func(ctx context.Context) error {
			if calls++; calls > good {
				<-ctx.Done()
			}
			return ctx.Err()
		}}
		const apart = time.Minute // so that no breaker is still open at the next query
		start := time.Now()
		pools, silent, err := askCohere(t.Context(), t, dir, queries, Options{
			Cohere: chainTo(remote, rerank.ChainOptions{}),
			Progress: func(phase string, _, _ int) {
				if phase == "query" {
					<-time.After(apart)
				}
			},
		})
		if err != nil || !strings.Contains(silent, "did not answer within 1m0s") || answered(pools) != good || calls != good+1 || len(pools) != queries {
			t.Fatalf("%d of %d answered in %d calls: %q, %v", answered(pools), len(pools), calls, silent, err)
		}
		if took := time.Since(start); took != time.Minute+queries*apart {
			t.Errorf("it took %v", took)
		}
		for _, p := range pools {
			if len(p.Passages) != 3 {
				t.Errorf("query %s has %d passages", p.Query, len(p.Passages))
			}
		}
	})
}

// TestAStandInThatHangsInAnEvaluation: the same of a server that takes the request and stays silent.
func TestAStandInThatHangsInAnEvaluation(t *testing.T) {
	const queries, good = 5, 2
	server := coheretest.Start()
	defer server.Close()
	left := good
	server.OnCall(func(coheretest.Call) {
		if left--; left == 0 {
			server.Behave(coheretest.Hang())
		}
	})
	client, err := cohere.New(cohere.Options{Key: coheretest.Key, URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	deadline := 2 * time.Second // which answers over the loopback keep on a busy machine
	pools, silent, err := askCohere(t.Context(), t, t.TempDir(), queries, Options{
		Cohere: chainTo(rerank.NewCohere(client), rerank.ChainOptions{CohereDeadline: deadline}),
	})
	if err != nil || !strings.Contains(silent, "did not answer within 2s") || answered(pools) != good || len(server.Calls()) != good+1 {
		t.Fatalf("%d answered in %d calls: %q, %v", answered(pools), len(server.Calls()), silent, err)
	}
}
