package rerank_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// scripted is a Reranker that does what a test says.
type scripted struct {
	backend domain.Backend
	do      func(ctx context.Context, req rerank.Request) (rerank.Result, error)
}

func (s scripted) Info() rerank.Info {
	threshold := 0.25
	return rerank.Info{
		Backend: s.backend, Model: "made-up " + string(s.backend), Device: "CPU", Precision: "none",
		Threshold: &threshold,
	}
}

func (s scripted) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	return s.do(ctx, req)
}

// fakeScores gives every passage a made-up score.
func fakeScores(_ context.Context, req rerank.Request) (rerank.Result, error) {
	result := rerank.Result{Scores: make([]rerank.Score, len(req.Passages)), Scored: make([]bool, len(req.Passages))}
	for i := range req.Passages {
		result.Scores[i], result.Scored[i] = rerank.Score{Raw: float64(i), Normalized: 0.5}, true
		if req.OnScore != nil {
			req.OnScore(i, result.Scores[i])
		}
	}
	return result, nil
}

func localThat(do func(context.Context, rerank.Request) (rerank.Result, error)) scripted {
	return scripted{domain.BackendCrossEncoder, do}
}

func cohereThat(do func(context.Context, rerank.Request) (rerank.Result, error)) scripted {
	return scripted{domain.BackendCohere, do}
}

var (
	search   = rerank.Request{Query: "lantern", Passages: []string{"a door", "a lantern", "a window"}}
	mayLeave = rerank.Permission{Policy: domain.PolicyAllowed}
)

// never is a deadline that no test reaches; soon is for what hangs.
const soon, never = 100 * time.Millisecond, time.Hour

func codes(trace domain.RerankTrace) (out []string) {
	for _, s := range trace.Steps {
		out = append(out, fmt.Sprintf("%s %s", s.Backend, s.Code))
	}
	return out
}

// consistent checks what holds for every search, whatever happened in it.
func consistent(t *testing.T, req rerank.Request, result rerank.Result, trace domain.RerankTrace) {
	t.Helper()
	n := len(req.Passages)
	if len(result.Scores) != n || len(result.Scored) != n || trace.CandidatesIn != n {
		t.Fatalf("%d scores, %d marks, %d candidates in, of %d passages", len(result.Scores), len(result.Scored), trace.CandidatesIn, n)
	}
	if scored := count(result.Scored); scored != trace.CandidatesOut || (scored == 0) != (trace.Backend == domain.BackendNone) {
		t.Errorf("%s served with %d scored, candidates out %d", trace.Backend, scored, trace.CandidatesOut)
	}
	if (trace.FellBackFrom == nil) != (trace.Reason == "") {
		t.Errorf("fell back from %v because of %q", trace.FellBackFrom, trace.Reason)
	}
	if (trace.Model == "") != (trace.Backend == domain.BackendNone) {
		t.Errorf("backend %s, model %q", trace.Backend, trace.Model)
	}
	if trace.Steps == nil {
		t.Error("steps are null, not empty")
	}
	for _, s := range trace.Steps {
		if s.Backend == "" || s.Code == "" || !strings.HasSuffix(s.Reason, ".") {
			t.Errorf("step %+v", s)
		}
	}
}

// TestNothingLeavesUnlessAllowed tries every combination; the server counts even bare connections.
func TestNothingLeavesUnlessAllowed(t *testing.T) {
	arrived := func(t *testing.T, s *coheretest.Server) bool { return s.Connections() > 0 || s.Requests() > 0 }
	for _, mode := range []domain.RerankMode{domain.RerankAuto, domain.RerankCohere, domain.RerankLocal, domain.RerankOff, "", "unknown"} {
		for _, policy := range []domain.Policy{domain.PolicyNever, domain.PolicyAsk, domain.PolicyAllowed, "", "unknown", "ALLOWED"} {
			for _, send := range []bool{false, true} {
				for _, offline := range []bool{false, true} {
					for _, haveLocal := range []bool{false, true} {
						perm := rerank.Permission{Policy: policy, Send: send, Offline: offline}
						t.Run(fmt.Sprintf("%s %+v local %v", mode, perm, haveLocal), func(t *testing.T) {
							s := standIn(t)
							var local rerank.Reranker
							if haveLocal {
								local = localThat(fakeScores)
							}
							chain := rerank.NewChain(rerank.Given(openCohere(t, s)), local, "", rerank.ChainOptions{CohereDeadline: never, LocalBudget: never})
							result, trace, err := chain.Rerank(t.Context(), mode, perm, search)
							if err != nil {
								t.Fatal(err)
							}
							consistent(t, search, result, trace)
							asked := mode == domain.RerankAuto || mode == domain.RerankCohere
							may := !offline && (policy == domain.PolicyAllowed || policy == domain.PolicyAsk && send)
							if got := arrived(t, s); got != (asked && may) {
								t.Fatalf("something arrived: %v", got)
							}
							if served := trace.Backend == domain.BackendCohere; served != (asked && may) {
								t.Errorf("served by %s", trace.Backend)
							}
							if asked && !may {
								want := "cohere policy"
								if offline {
									want = "cohere offline"
								}
								if got := codes(trace); got[0] != want || *trace.FellBackFrom != domain.BackendCohere {
									t.Errorf("steps %v", got)
								}
							}
						})
					}
				}
			}
		}
	}
}

func TestWhoServesAndWhatItSays(t *testing.T) {
	ok := cohereThat(fakeScores)
	broken := cohereThat(func(context.Context, rerank.Request) (rerank.Result, error) {
		return rerank.Result{}, &cohere.Error{Kind: cohere.DNS}
	})
	local := localThat(fakeScores)
	badLocal := localThat(func(context.Context, rerank.Request) (rerank.Result, error) {
		return rerank.Result{}, errors.New("no memory")
	})
	const none = domain.Backend("")
	tests := []struct {
		name   string
		cohere rerank.Reranker
		local  rerank.Reranker
		mode   domain.RerankMode
		served domain.Backend
		from   domain.Backend
		reason string
		steps  []string
	}{
		{"auto, all well", ok, local, domain.RerankAuto, domain.BackendCohere, none, "", nil},
		{"auto, no key: that is no fall-back", nil, local, domain.RerankAuto, domain.BackendCrossEncoder, none, "",
			[]string{"cohere no_key"}},
		{"cohere, no key: that is one", nil, local, domain.RerankCohere, domain.BackendCrossEncoder, domain.BackendCohere,
			"No API key for Cohere is set.", []string{"cohere no_key"}},
		{"auto, neither", nil, nil, domain.RerankAuto, domain.BackendNone, domain.BackendLateInteraction,
			"The embedder is missing.", []string{"cohere no_key", "late-interaction no_local"}},
		{"auto, both fail", broken, badLocal, domain.RerankAuto, domain.BackendNone, domain.BackendCohere,
			"Cohere's address could not be looked up; the network may be down. The local reranker failed: no memory.",
			[]string{"cohere dns", "cross-encoder failed"}},
		{"cohere fails", broken, local, domain.RerankCohere, domain.BackendCrossEncoder, domain.BackendCohere,
			"Cohere's address could not be looked up; the network may be down.", []string{"cohere dns"}},
		{"local", ok, local, domain.RerankLocal, domain.BackendCrossEncoder, none, "", nil},
		{"local, none installed", ok, nil, domain.RerankLocal, domain.BackendNone, domain.BackendLateInteraction,
			"The embedder is missing.", []string{"late-interaction no_local"}},
		{"off", ok, local, domain.RerankOff, domain.BackendNone, none, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			chain := rerank.NewChain(rerank.Given(tt.cohere), tt.local, "The embedder is missing.", rerank.ChainOptions{})
			result, trace, err := chain.Rerank(t.Context(), tt.mode, mayLeave, search)
			if err != nil {
				t.Fatal(err)
			}
			consistent(t, search, result, trace)
			from := none
			if trace.FellBackFrom != nil {
				from = *trace.FellBackFrom
			}
			if trace.Requested != tt.mode || trace.Backend != tt.served || from != tt.from || trace.Reason != tt.reason || !slices.Equal(codes(trace), tt.steps) {
				t.Errorf("from %q, steps %v: %+v", from, codes(trace), trace)
			}
			considered := tt.cohere != nil && (tt.mode == domain.RerankAuto || tt.mode == domain.RerankCohere)
			if (trace.Breaker != domain.BreakerNone) != considered {
				t.Errorf("breaker %q", trace.Breaker)
			}
			if th := chain.Threshold(trace.Backend); (th == nil) != (trace.Backend == domain.BackendNone) {
				t.Errorf("threshold %v", th)
			}
		})
	}
}

func TestNoPassagesNoRanker(t *testing.T) {
	fail := func(context.Context, rerank.Request) (rerank.Result, error) {
		t.Error("a ranker was asked")
		return rerank.Result{}, nil
	}
	chain := rerank.NewChain(rerank.Given(cohereThat(fail)), localThat(fail), "", rerank.ChainOptions{})
	result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, rerank.Request{Query: "q"})
	if err != nil {
		t.Fatal(err)
	}
	consistent(t, rerank.Request{}, result, trace)
}

func TestALocalRankerThatBreaksTheContract(t *testing.T) {
	spoil := func(f func(r *rerank.Result)) func(context.Context, rerank.Request) (rerank.Result, error) {
		return func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
			r, err := fakeScores(ctx, req)
			f(&r)
			return r, err
		}
	}
	tests := []struct {
		name, code string
		do         func(context.Context, rerank.Request) (rerank.Result, error)
	}{
		{"nothing scored", "budget", spoil(func(r *rerank.Result) { clear(r.Scored) })},
		{"NaN", "bad_result", spoil(func(r *rerank.Result) { r.Scores[1].Raw = math.NaN() })},
		{"infinite", "bad_result", spoil(func(r *rerank.Result) { r.Scores[1].Raw = math.Inf(1) })},
		{"not normalized", "bad_result", spoil(func(r *rerank.Result) { r.Scores[1].Normalized = 1.01 })},
		{"too few", "bad_result", spoil(func(r *rerank.Result) { r.Scores = r.Scores[1:] })},
		{"permanent", "failed", func(context.Context, rerank.Request) (rerank.Result, error) {
			return rerank.Result{}, rerank.Permanent(errors.New("not a reranker"))
		}},
		{"panic", "crash", func(context.Context, rerank.Request) (rerank.Result, error) { panic("index out of range") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			chain := rerank.NewChain(rerank.Given(nil), localThat(tt.do), "", rerank.ChainOptions{})
			result, trace, err := chain.Rerank(t.Context(), domain.RerankLocal, mayLeave, search)
			if err != nil {
				t.Fatal(err)
			}
			consistent(t, search, result, trace)
			if trace.Backend != domain.BackendNone || !slices.Equal(codes(trace), []string{"cross-encoder " + tt.code}) || *trace.FellBackFrom != domain.BackendCrossEncoder {
				t.Errorf("%+v", trace)
			}
		})
	}
}

func TestARankerThatHangsIsLeftBehindAndNotHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		heard := 0
		req := search
		req.Budget = time.Second
		req.OnScore = func(int, rerank.Score) { heard++ }
		hang := func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
			<-release // whatever its context says
			return fakeScores(ctx, req)
		}
		chain := rerank.NewChain(rerank.Given(cohereThat(hang)), localThat(hang), "", rerank.ChainOptions{})
		start := time.Now()
		result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, req)
		if err != nil {
			t.Fatal(err)
		}
		consistent(t, req, result, trace)
		if spent := time.Since(start); spent != rerank.DefaultCohereDeadline+2*req.Budget {
			t.Errorf("took %v of the fake clock", spent)
		}
		if want := []string{"cohere deadline", "cross-encoder deadline"}; !slices.Equal(codes(trace), want) {
			t.Errorf("steps %v", codes(trace))
		}
		close(release)
		synctest.Wait()
		if heard != 0 || count(result.Scored) != 0 {
			t.Errorf("%d late scores were heard, result %v", heard, result)
		}
	})
}

func TestBudgetsAndPartialScoresOfTheLocalRanker(t *testing.T) {
	var budgets []time.Duration
	half := localThat(func(ctx context.Context, req rerank.Request) (rerank.Result, error) {
		budgets = append(budgets, req.Budget)
		r, err := fakeScores(ctx, req)
		r.Scored[2] = false
		return r, err
	})
	chain := rerank.NewChain(rerank.Given(nil), half, "", rerank.ChainOptions{})
	req := search
	heard := 0
	req.OnScore = func(int, rerank.Score) { heard++ }
	for _, req.Budget = range []time.Duration{0, time.Minute} {
		result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, req)
		if err != nil {
			t.Fatal(err)
		}
		consistent(t, req, result, trace)
		if trace.CandidatesOut != 2 {
			t.Errorf("%+v", trace)
		}
	}
	if !slices.Equal(budgets, []time.Duration{rerank.DefaultLocalBudget, time.Minute}) || heard != 6 {
		t.Errorf("budgets %v, %d scores heard", budgets, heard)
	}
}

// TestCohereThatIsFoundLateServesFromThenOn: what is not there yet is a step with its reason, and no fall-back.
func TestCohereThatIsFoundLateServesFromThenOn(t *testing.T) {
	found := []rerank.Remote{
		{Reason: "Not yet.", Pending: true}, {Reason: "Not yet.", Pending: true}, {Reranker: cohereThat(fakeScores)},
	}
	asked := 0
	chain := rerank.NewChain(func(context.Context) rerank.Remote { asked++; return found[asked-1] },
		localThat(fakeScores), "", rerank.ChainOptions{})
	for _, want := range []domain.Backend{
		domain.BackendCrossEncoder, domain.BackendCrossEncoder, domain.BackendCohere, domain.BackendCohere, // not asked again
	} {
		result, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, search)
		if err != nil {
			t.Fatal(err)
		}
		consistent(t, search, result, trace)
		late := want != domain.BackendCohere
		if trace.Backend != want || trace.FellBackFrom != nil || late != (len(trace.Steps) == 1 && trace.Steps[0].Code == rerank.CodeNoKey && trace.Steps[0].Reason == "Not yet.") {
			t.Errorf("%+v, want %s", trace, want)
		}
	}
}
