package backend_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/ledger"
)

// proof is a dataset, a stand-in for Cohere and a data folder, in which evaluations are made.
type proof struct {
	t         *testing.T
	data, set string
	server    *coheretest.Server
	queries   int
	perMinute int // calls to Cohere; 0: no limit
}

func newProof(t *testing.T) *proof {
	t.Helper()
	p := &proof{t: t, data: t.TempDir(), set: filepath.Join(t.TempDir(), "set"), server: coheretest.Start(), queries: 6}
	t.Cleanup(p.server.Close)
	if err := os.MkdirAll(filepath.Join(p.set, "qrels"), 0o755); err != nil {
		t.Fatal(err)
	}
	var corpus, queries, qrels strings.Builder
	things := []string{"lantern", "boat", "bread", "garden", "tower", "river"}
	for i, thing := range things {
		fmt.Fprintf(&corpus, `{"_id":"%d","text":"The %s stands near the old %s of the harbour."}`+"\n", i, thing, things[(i+1)%p.queries])
		fmt.Fprintf(&queries, `{"_id":"%d","text":"an old %s of the harbour"}`+"\n", i, thing)
		fmt.Fprintf(&qrels, "%d\t%d\t1\n", i, i)
	}
	put(t, filepath.Join(p.set, "corpus.jsonl"), []byte(corpus.String()))
	put(t, filepath.Join(p.set, "queries.jsonl"), []byte(queries.String()))
	put(t, filepath.Join(p.set, "qrels", "test.tsv"), []byte(qrels.String()))
	return p
}

// evaluate measures hybrid and Cohere, as a process of its own would.
func (p *proof) evaluate(send bool) eval.Report {
	p.t.Helper()
	b := p.open()
	defer b.Close()
	r, err := b.Evaluate(p.t.Context(), p.set, send, eval.Options{Stages: []string{eval.StageHybrid, eval.StageCohere}})
	if err != nil {
		p.t.Fatal(err)
	}
	return r.Report
}

func (p *proof) open() *backend.Backend {
	p.t.Helper()
	b, err := backend.Open(p.t.Context(), backend.Config{
		DataDir: p.data, RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{os.Getenv("FANOUS_MODELS")},
		CohereKey: coheretest.Key, CohereURL: p.server.URL, CohereModel: "rerank-v4.0-fast", CohereMaxTokens: 4096,
		CohereCallsPerMinute: p.perMinute,
		SearchSettings:       backend.SearchSettings{LexicalWeight: 0.3, Candidates: 10, Top: 5},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

// failsAfter has the server answer so many requests, and then misbehave.
func (p *proof) failsAfter(answers int, how coheretest.Behaviour) {
	p.server.OnCall(func(coheretest.Call) {
		if answers--; answers == 0 {
			p.server.Behave(how)
		}
	})
}

// recovers has it behave well, and forgets what kept it from being asked.
func (p *proof) recovers() {
	p.t.Helper()
	p.server.OnCall(nil)
	p.server.Behave(coheretest.Healthy())
	if err := os.RemoveAll(filepath.Join(p.data, "cohere")); err != nil {
		p.t.Fatal(err)
	}
}

// untimed is a report without what differs from one evaluation to the next.
func untimed(r eval.Report) eval.Report {
	r.Stages = slices.Clone(r.Stages)
	for i, s := range r.Stages {
		r.Stages[i].Latency = eval.Latency{}
		if s.Rerank != nil {
			reranked := *s.Rerank
			reranked.LatencyMS = eval.Latency{}
			r.Stages[i].Rerank = &reranked
		}
	}
	return r
}

func TestCohereIsMeasured(t *testing.T) {
	p := newProof(t)
	r := p.evaluate(true)
	if len(r.Stages) != 2 || len(r.Skipped) != 0 {
		t.Fatalf("%+v", r)
	}
	s := r.Stages[1]
	if s.Rerank == nil || s.Rerank.Backend != domain.BackendCohere || s.Rerank.Model != "rerank-v4.0-fast" || s.Rerank.NotReranked != 0 ||
		s.Rerank.CandidatesIn != 6 || s.Rerank.CandidatesOut != 6 || s.Rerank.Moved.Hits != 36 || s.Rerank.Relevant.Hits != 6 {
		t.Errorf("%+v", s.Rerank)
	}
	if call := s.Rerank.LatencyMS; call.P50 <= 0 || s.Latency.P50 < call.P50 || s.Latency.P95 < call.P95 {
		t.Errorf("a call takes %+v, the stage with it %+v", call, s.Latency)
	}
	if len(s.Against) == 0 || s.Against[0].Stage != eval.StageHybrid || !s.Against[0].Input {
		t.Errorf("%+v", s.Against)
	}

	calls := p.server.Calls()
	b := p.open()
	defer b.Close()
	entries, err := b.Ledger(t.Context(), domain.LedgerFilter{Kind: domain.LedgerSent})
	if err != nil || len(entries) != p.queries || len(calls) != p.queries {
		t.Fatalf("%d entries for %d requests, %v", len(entries), len(calls), err)
	}
	for i, call := range calls {
		if e := entries[len(entries)-1-i]; e.Body != ledger.Digest(call.Body) || e.By != domain.BySearch || e.Ended == nil || e.Ended.Code != "ok" {
			t.Errorf("%s was sent as %+v", call.Query, e)
		}
	}
}

// TestACohereThatFailsInTheMiddle: there is no number of it but the reason, the other stages are measured, and the same
// evaluation asks later for what is missing only and gives the report of one that nothing has disturbed.
func TestACohereThatFailsInTheMiddle(t *testing.T) {
	undisturbed := newProof(t)
	want := untimed(undisturbed.evaluate(true))
	for how, reason := range map[*coheretest.Behaviour]string{
		new(coheretest.Reset()): "cannot be reached", new(coheretest.RateLimited("60")): "limit of calls",
	} {
		t.Run(how.Name, func(t *testing.T) {
			const answered = 4
			p := newProof(t)
			p.failsAfter(answered, *how)
			for range 2 { // the second finds the same, or a breaker that is open
				cut := p.evaluate(true)
				if len(cut.Stages) != 1 || cut.Stages[0].Name != eval.StageHybrid || len(cut.Skipped) != 1 || cut.Skipped[0].Stage != eval.StageCohere ||
					!strings.Contains(cut.Skipped[0].Reason, reason) || !strings.Contains(cut.Skipped[0].Reason, "answered 4 of 6 queries") {
					t.Fatalf("%+v", cut)
				}
			}
			p.recovers()
			failed := len(p.server.Calls()) - answered
			if failed < 1 || failed > 2 {
				t.Errorf("%d requests after the failure", failed)
			}
			if got := untimed(p.evaluate(true)); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
			if n := len(p.server.Calls()); n != p.queries+failed {
				t.Errorf("%d requests for %d queries and %d failures", n, p.queries, failed)
			}
			if left, err := filepath.Glob(filepath.Join(p.data, "evaluations", "*", "*")); err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// TestADatasetLeavesNoText: no word of one is in any file of the data folder after an evaluation that was cut off, nor after
// the start that follows one that was killed.
func TestADatasetLeavesNoText(t *testing.T) {
	p := newProof(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	words := []string{"stands near", "an old bread", "harbour"}
	all := func() (found []string) {
		for _, word := range words {
			found = append(found, holding(t, word, p.data, temporary)...)
		}
		return found
	}
	b := p.open()
	ctx, cancel := context.WithCancel(t.Context())
	var during []string
	_, err := b.Evaluate(ctx, p.set, false, eval.Options{Stages: []string{eval.StageHybrid}, Progress: func(phase string, done, _ int) {
		if phase == "query" && done == 2 {
			during = all()
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || len(during) == 0 {
		t.Fatalf("%v, in the middle there is %q", err, during)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if left := all(); len(left) != 0 {
		t.Error("cut off: ", left)
	}
	killed, err := filepath.Glob(filepath.Join(p.data, "evaluations", "*", "*.jsonl"))
	if err != nil || len(killed) != 1 {
		t.Fatal(killed, err)
	}
	put(t, filepath.Join(filepath.Dir(killed[0]), "eval.db"), []byte("stands near"))
	if err := p.open().Close(); err != nil {
		t.Fatal(err)
	}
	if left := all(); len(left) != 0 {
		t.Error("killed: ", left)
	}
}

// TestAnEvaluationKeepsTheLimitOfCalls that is set: it waits, until somebody ends it.
func TestAnEvaluationKeepsTheLimitOfCalls(t *testing.T) {
	const limit = 2
	p := newProof(t)
	p.perMinute = limit
	b := p.open()
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	left := limit
	p.server.OnCall(func(coheretest.Call) {
		if left--; left == 0 {
			time.AfterFunc(time.Second, cancel) // in which one without a limit makes the other calls
		}
	})
	_, err := b.Evaluate(ctx, p.set, true, eval.Options{Stages: []string{eval.StageHybrid, eval.StageCohere}})
	if n := len(p.server.Calls()); !errors.Is(err, context.Canceled) || n != limit {
		t.Errorf("%d calls, %v", n, err)
	}
}

// TestNothingIsMeasuredThatMayNotLeave: of a dataset without a yes, or of a collection by its policy.
func TestNothingIsMeasuredThatMayNotLeave(t *testing.T) {
	p := newProof(t)
	if r := p.evaluate(false); len(r.Stages) != 1 || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "--send") {
		t.Errorf("%+v", r)
	}
	b := p.open()
	defer b.Close()
	papers := t.TempDir()
	put(t, filepath.Join(papers, "hall.txt"), []byte("The lantern hangs in the hall."))
	if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{papers}}, nil); err != nil {
		t.Fatal(err)
	}
	found, err := b.Search(t.Context(), domain.SearchRequest{Query: "lantern", Rerank: domain.RerankOff}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Judge(t.Context(), domain.DefaultCollection, "lantern", found.Hits[0].ChunkID, new(domain.GradeRelevant)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		policy domain.Policy
		send   bool
		reason string // empty: it is measured
	}{
		{domain.PolicyNever, true, "lets nothing leave"}, {domain.PolicyAsk, false, "is to ask first"}, {domain.PolicyAsk, true, ""}, {domain.PolicyAllowed, false, ""},
	} {
		before := len(p.server.Calls())
		if err := b.SetPolicy(t.Context(), domain.DefaultCollection, c.policy); err != nil {
			t.Fatal(err)
		}
		r, err := b.EvaluateJudged(t.Context(), domain.DefaultCollection, c.send, eval.Options{Stages: []string{eval.StageHybrid, eval.StageCohere}})
		if err != nil {
			t.Fatal(err)
		}
		sent := len(p.server.Calls()) - before
		if c.reason == "" && (sent != 1 || len(r.Report.Stages) != 2) {
			t.Errorf("%+v: %d requests, %+v", c, sent, r.Report)
		}
		if c.reason != "" && (sent != 0 || len(r.Report.Stages) != 1 || !strings.Contains(r.Report.Skipped[0].Reason, c.reason)) {
			t.Errorf("%+v: %d requests, %+v", c, sent, r.Report)
		}
	}
}
