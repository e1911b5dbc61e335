package rerank_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// TestAThousandSearchesAgainstAFlappingServer: none fails, none has scores of two rankers, and nothing is left
// running or open. The made-up scores of the local ranker are all above 1, so that one score tells its ranker.
func TestAThousandSearchesAgainstAFlappingServer(t *testing.T) {
	const searches, atOnce, short = 1000, 4, 20 * time.Millisecond
	before := runtime.NumGoroutine()
	s := coheretest.Start()
	client, err := cohere.New(cohere.Options{Key: coheretest.Key, URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	local := localThat(func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
		result, err := fakeScores(ctx, req)
		for i := range result.Scores {
			result.Scores[i].Raw += 2
		}
		return result, err
	})
	chainOf := func(deadline time.Duration) *rerank.Chain {
		return rerank.NewChain(rerank.Given(rerank.NewCohere(client)), local, "", rerank.ChainOptions{
			CohereDeadline: deadline, LocalBudget: never, Recovery: 1, Hedge: deadline / 2, StateDir: t.TempDir(),
		})
	}
	hurried, patient := chainOf(short), chainOf(never) // only what hangs should cost a deadline
	outages := coheretest.Outages()
	random := rand.New(rand.NewPCG(1, 2))

	var served [2]atomic.Int64
	var failed sync.Map
	for range searches / atOnce {
		chain := patient
		switch at := random.IntN(2 * len(outages)); {
		case at >= len(outages):
			s.Behave(coheretest.Healthy())
		case outages[at].Code == "bad_key" || outages[at].Code == "forbidden" || outages[at].Code == "blocked" || outages[at].Code == "rate_limited":
			s.Behave(coheretest.Failing(500)) // those would end the flapping: the server is left alone for minutes
		default:
			s.Behave(outages[at].Behaviour)
			if outages[at].Hangs {
				chain = hurried
			}
		}
		var round sync.WaitGroup
		for range atOnce {
			round.Go(func() {
				result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, search)
				if err != nil {
					t.Error(err)
					return
				}
				consistent(t, search, result, trace)
				ranker := 0
				if trace.Backend == domain.BackendCrossEncoder {
					ranker = 1
				}
				for _, score := range result.Scores {
					if (score.Raw > 1) != (ranker == 1) {
						t.Errorf("served by %s: %v", trace.Backend, result.Scores)
					}
				}
				served[ranker].Add(1)
				for _, step := range trace.Steps {
					failed.Store(step.Code, true)
				}
			})
		}
		round.Wait()
	}
	kinds := 0
	failed.Range(func(any, any) bool { kinds++; return true })
	t.Logf("%d by Cohere, %d by the local ranker, %d kinds of failure, %d requests on %d connections",
		served[0].Load(), served[1].Load(), kinds, s.Requests(), s.Connections())
	if served[0].Load() == 0 || served[1].Load() == 0 || served[0].Load()+served[1].Load() != searches || kinds < 6 {
		t.Error("the server did not flap")
	}

	s.Behave(coheretest.Healthy())
	if _, trace, err := patient.Rerank(t.Context(), domain.RerankAuto, mayLeave, search); err != nil || trace.Backend != domain.BackendCohere {
		t.Errorf("it did not recover: %+v, %v", trace, err)
	}
	eventually(t, "open connections", s.Open, 2) // kept for the next search
	if s.Open() == 0 {
		t.Error("the connection that works is not kept")
	}
	client.Close()
	eventually(t, "open connections", s.Open, 0)
	s.Close()
	eventually(t, "goroutines", runtime.NumGoroutine, before)
}

// eventually waits until a count has come down to most; it goes on as soon as it has.
func eventually(t *testing.T, what string, count func() int, most int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); count() > most; runtime.Gosched() {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d %s, want %d\n%s", count(), what, most, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
