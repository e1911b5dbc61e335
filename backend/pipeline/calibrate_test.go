package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/store"
)

// madeUpModel is a local reranker whose raw scores are made up: they rise with the share of the query's
// words that a passage has, on a scale of their own, and with its length.
type madeUpModel struct {
	digest string
	served *rerank.Info                    // of a cheaper tier that answers instead
	before func(ctx context.Context) error // each call
	told   func()                          // after each score
	calls  atomic.Int32
}

func (m *madeUpModel) Info() rerank.Info {
	threshold := 0.5
	return rerank.Info{Backend: domain.BackendCrossEncoder, Model: "made-up", Device: "CPU", Digest: m.digest, Threshold: &threshold}
}

func (m *madeUpModel) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	m.calls.Add(1)
	if m.before != nil {
		if err := m.before(ctx); err != nil {
			return rerank.Result{}, err
		}
	}
	n := len(req.Passages)
	res := rerank.Result{Scores: make([]rerank.Score, n), Scored: make([]bool, n)}
	for i, p := range req.Passages {
		raw := -20 + 8*share(req.Query, p) + float64(len(p)%7)/20
		res.Scores[i], res.Scored[i] = rerank.Score{Raw: raw, Normalized: 1 / (1 + math.Exp(-raw))}, true
		if m.told != nil && req.OnScore != nil {
			req.OnScore(i, res.Scores[i])
			m.told()
		}
	}
	if m.served != nil {
		res.Tiers = &rerank.Tiers{Served: *m.served}
	}
	return res, ctx.Err()
}

func share(query, passage string) float64 {
	words, has := strings.Fields(query), 0
	for _, w := range words {
		if slices.Contains(strings.Fields(passage), w) {
			has++
		}
	}
	return float64(has) / float64(len(words))
}

// calibrated is a searcher with a Cohere that behaves well, a local model and a calibrator that works only
// in Finish.
type calibrated struct {
	*fixture
	*pipeline.Searcher
	cohere *coheretest.Server
	local  *madeUpModel
	models [2]string
}

const poolSize = 12

// newCalibrated has documents that all contain "lamp" and some of the words w0 ... w29.
func newCalibrated(t *testing.T) *calibrated {
	files, rng := map[string]string{}, rand.New(rand.NewPCG(1, 1))
	for d := range poolSize {
		text := []string{"lamp"}
		for w := range 30 {
			if rng.IntN(5) < 2 {
				text = append(text, fmt.Sprintf("w%d", w))
			}
		}
		files[fmt.Sprintf("d%d.txt", d)] = strings.Join(text, " ")
	}
	c := &calibrated{fixture: newFixture(t, files), cohere: coheretest.Start(), local: &madeUpModel{digest: "one"}}
	t.Cleanup(c.cohere.Close)
	c.run(t.Context(), nil)
	c.restart()
	return c
}

// restart is the same index in another process.
func (c *calibrated) restart() {
	c.t.Helper()
	client, err := cohere.New(cohere.Options{Key: coheretest.Key, URL: c.cohere.URL, Model: cohere.DefaultModel})
	if err != nil {
		c.t.Fatal(err)
	}
	remote := rerank.NewCohere(client)
	c.Searcher = c.searcher(nil)
	c.Chain = rerank.NewChain(rerank.Given(remote), c.local, "", rerank.ChainOptions{CohereDeadline: time.Hour, LocalBudget: time.Hour})
	c.Calibrator = pipeline.NewCalibrator(c.store, remote.Info(), time.Hour)
	c.t.Cleanup(c.Calibrator.Close)
	c.models = [2]string{remote.Info().Scale(), c.local.Info().Scale()}
}

// inTheMap is on how many pairs the map rests that the next outage would use.
func (c *calibrated) inTheMap() int {
	c.t.Helper()
	m, err := c.Calibrator.Calibration(c.t.Context(), c.models[0], c.models[1])
	if err != nil {
		c.t.Fatal(err)
	}
	return m.Describe().Pairs
}

func (c *calibrated) calls() int { return int(c.local.calls.Load()) }

func (c *calibrated) query(i int) string { return fmt.Sprintf("lamp w%d w%d w%d", i, i+1, i+2) }

// ask searches with leave to send.
func (c *calibrated) ask(query string) domain.SearchResponse {
	return c.search(c.Searcher, domain.SearchRequest{Query: query, Send: true, Top: poolSize})
}

func (c *calibrated) finish() {
	c.t.Helper()
	if err := c.Calibrator.Finish(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// online searches n times while Cohere answers, comparing after each.
func (c *calibrated) online(n int) {
	c.t.Helper()
	for i := range n {
		if resp := c.ask(c.query(i)); resp.Rerank.Backend != domain.BackendCohere || resp.Rerank.Calibration != nil || len(resp.Hits) != poolSize {
			c.t.Fatalf("search %d: %d hits, %+v", i, len(resp.Hits), resp.Rerank)
		}
		c.finish()
	}
}

func (c *calibrated) kept() []domain.ScorePair {
	c.t.Helper()
	pairs, err := c.store.ScorePairs(c.t.Context(), c.models[0], c.models[1])
	if err != nil {
		c.t.Fatal(err)
	}
	return pairs
}

func paths(hits []domain.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Path)
	}
	return strings.Join(out, " ")
}

func TestInAnOutageLocalScoresAreOnTheScaleOfCohere(t *testing.T) {
	c := newCalibrated(t)
	question := c.query(25) // never asked online
	c.cohere.Behave(coheretest.Failing(503))
	before := c.ask(question)
	c.want("applied with nothing", before.Rerank.Calibration.Applied, false)
	c.want("says", before.Rerank.Calibration.Reason, "Not calibrated yet: pairs 0 (at least 200 are needed), searches 0 (at least 20).")
	c.want("own threshold", *before.Verdict.Threshold, 0.5)
	c.want("basis", before.Verdict.Basis, "")

	c.cohere.Behave(coheretest.Healthy())
	c.restart() // with a closed breaker
	c.online(19)
	c.cohere.Behave(coheretest.Failing(503))
	short := c.ask(question)
	c.want("one search short", short.Rerank.Calibration.Applied, false)
	c.want("counted", short.Rerank.Calibration.Searches, 19)
	c.want("as before", paths(short.Hits), paths(before.Hits))

	c.cohere.Behave(coheretest.Healthy())
	c.restart()
	c.online(20) // the last is new
	truth := c.ask(question)
	c.cohere.Behave(coheretest.Failing(503))
	resp := c.ask(question)
	got := resp.Rerank.Calibration
	c.want("backend", resp.Rerank.Backend, domain.BackendCrossEncoder)
	if got == nil || !got.Applied || got.Pairs != 20*poolSize || got.Searches != 20 || got.Reason != "Calibrated on 240 pairs." ||
		got.Remote != "cohere "+cohere.DefaultModel || !strings.HasPrefix(got.Local, "cross-encoder made-up ") {
		t.Fatalf("calibration %+v", got)
	}
	if *got.KendallTau < .8 || *got.KendallTau >= 1 || *got.Top5Overlap < .5 || *got.Top5Overlap > 1 {
		t.Errorf("tau %v, overlap %v", *got.KendallTau, *got.Top5Overlap)
	}
	c.want("Cohere's threshold", *resp.Verdict.Threshold, rerank.DefaultCohereThreshold)
	c.want("basis", resp.Verdict.Basis, "Calibrated on 240 pairs.")
	c.want("clear", resp.Verdict.Clear, true)
	c.want("clear on its own scale", before.Verdict.Clear, false)
	c.want("order", paths(resp.Hits), paths(before.Hits))

	relevance := map[string]float64{}
	for _, h := range truth.Hits {
		relevance[h.Path] = h.Score
	}
	for i, h := range resp.Hits {
		if math.Abs(h.Score-relevance[h.Path]) > .1 {
			t.Errorf("%s has %.2f, Cohere gave %.2f", h.Path, h.Score, relevance[h.Path])
		}
		c.want("raw", *h.RawScore, *before.Hits[i].RawScore)
		if i > 0 && h.Score > resp.Hits[i-1].Score {
			t.Errorf("hit %d has %v after %v", i, h.Score, resp.Hits[i-1].Score)
		}
	}

	c.local.digest = "two" // a newer model
	c.restart()
	newer := c.ask(question)
	c.want("a new map", newer.Rerank.Calibration.Pairs, 0)
	c.want("not applied", newer.Rerank.Calibration.Applied, false)
	c.want("its own threshold", *newer.Verdict.Threshold, 0.5)
	c.want("its own score", newer.Hits[0].Score, before.Hits[0].Score)
}

// TestOnlyWhatWasSentIsCompared goes through every way to permit and to forbid sending.
func TestOnlyWhatWasSentIsCompared(t *testing.T) {
	c := newCalibrated(t)
	asked := 0
	for _, policy := range []domain.Policy{domain.PolicyNever, domain.PolicyAsk, domain.PolicyAllowed} {
		if err := c.store.SetPolicy(t.Context(), domain.DefaultCollection, policy); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []domain.RerankMode{domain.RerankAuto, domain.RerankCohere, domain.RerankLocal, domain.RerankOff} {
			for bits := range 8 {
				send, offline := bits&1 != 0, bits&2 != 0
				c.Offline = bits&4 != 0
				name := fmt.Sprintf("%s %s send %v offline %v %v", policy, mode, send, offline, c.Offline)
				may := policy == domain.PolicyAllowed || policy == domain.PolicyAsk && send
				want := may && !offline && !c.Offline && (mode == domain.RerankAuto || mode == domain.RerankCohere)

				calls, pairs := len(c.cohere.Calls()), len(c.kept())
				asked++
				c.search(c.Searcher, domain.SearchRequest{Query: fmt.Sprintf("lamp w%d x%d", asked%30, asked), Rerank: mode, Send: send, Offline: offline})
				local := c.calls()
				c.finish()
				c.want(name+": sent", len(c.cohere.Calls()) > calls, want)
				c.want(name+": kept", len(c.kept()) > pairs, want)
				c.want(name+": scored", c.calls() > local, want)
			}
		}
	}
}

func TestWithoutAnAnswerOfCohereNothingIsCompared(t *testing.T) {
	c := newCalibrated(t)
	c.cohere.Behave(coheretest.Failing(503))
	resp := c.ask(c.query(1))
	c.want("sent", len(c.cohere.Calls()), 1)
	c.want("backend", resp.Rerank.Backend, domain.BackendCrossEncoder)
	c.finish()
	c.want("kept", len(c.kept()), 0)
}

func TestAPairIsScoredOnce(t *testing.T) {
	c := newCalibrated(t)
	c.online(1)
	c.want("calls", c.calls(), poolSize)
	c.online(1)
	c.restart()
	c.online(1)
	c.want("calls", c.calls(), poolSize)
	c.want("kept", len(c.kept()), poolSize)
	c.want("in the map", c.inTheMap(), poolSize)

	c.write("new.txt", "lamp w0 w1 and more")
	c.run(t.Context(), nil)
	c.ask(c.query(0))
	c.finish()
	c.want("only the new one", c.calls(), poolSize+1)
	c.want("in the map", c.inTheMap(), poolSize+1)
}

func TestWithEnoughPairsFewSearchesAreCompared(t *testing.T) {
	c := newCalibrated(t)
	half := func(from int) {
		for at := range 10 {
			pairs := make([]domain.ScorePair, store.MaxScorePairs/20)
			for i := range pairs {
				pairs[i].ID = int64(from + at*len(pairs) + i)
			}
			if err := c.store.AddScorePairs(t.Context(), c.models[0], c.models[1], pairs); err != nil {
				t.Fatal(err)
			}
		}
	}
	half(0)
	c.online(5)
	c.want("with half of them", c.calls(), 5*poolSize)
	half(store.MaxScorePairs)
	c.restart()
	c.online(25)
	if n := (c.calls() - 5*poolSize) / poolSize; n < 1 || n > 5 {
		t.Errorf("%d searches of 20 were compared", n)
	}
}

func TestTheQueueIsBoundedAndTheLatestSearchesStay(t *testing.T) {
	c := newCalibrated(t)
	ended := c.Calibrator.Searching()
	for i := range 10 {
		c.ask(c.query(i))
	}
	ended()
	c.finish()
	searches := map[int64]bool{}
	for _, p := range c.kept() {
		searches[p.Search] = true
	}
	// The worker has taken the first off the queue before it waited, or not yet.
	if n := len(searches); n != 8 && n != 9 {
		t.Errorf("%d searches were compared", n)
	}
	calls := c.calls()
	c.ask(c.query(9))
	c.finish()
	c.want("the latest was compared", c.calls(), calls)
}

func TestASearchStopsTheComparingAndItGoesOnAfterwards(t *testing.T) {
	c := newCalibrated(t)
	scoring, stopped := make(chan struct{}), make(chan struct{})
	c.local.before = func(ctx context.Context) error {
		if c.calls() != 3 {
			return nil
		}
		close(scoring)
		<-ctx.Done()
		close(stopped)
		return ctx.Err()
	}
	c.ask(c.query(0))
	done := make(chan error)
	go func() { done <- c.Calibrator.Finish(t.Context()) }()
	<-scoring
	ended := c.Calibrator.Searching()
	<-stopped
	c.ask(c.query(0)) // another search beside it, which ends first
	c.want("nothing while a search is under way", c.calls(), 3)
	ended()
	ended() // counts once
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	c.want("the interrupted one was asked again", c.calls(), poolSize+1)
	c.want("kept", len(c.kept()), poolSize)
}

func TestItWaitsUntilNobodySearches(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "lamp", "b.txt": "lamp light"})
	f.run(t.Context(), nil)
	synctest.Test(t, func(t *testing.T) {
		local := &madeUpModel{}
		scored := make(chan time.Duration, 2)
		start := time.Now()
		local.before = func(context.Context) error {
			scored <- time.Since(start)
			return nil
		}
		s := f.searcher(nil)
		s.Chain = rerank.NewChain(rerank.Given(answers{}), local, "", rerank.ChainOptions{})
		s.Calibrator = pipeline.NewCalibrator(f.store, rerank.CohereInfo("made-up"), time.Second)
		defer s.Calibrator.Close()
		for range 4 { // typing
			if _, err := s.Search(t.Context(), domain.SearchRequest{Query: "lamp", Send: true}, nil); err != nil {
				t.Fatal(err)
			}
			<-time.After(600 * time.Millisecond) // on the bubble's clock
		}
		if first := <-scored; first != 3*600*time.Millisecond+time.Second {
			t.Errorf("it began after %v", first)
		}
		if err := s.Calibrator.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestOrdersOnTheWayAreOnTheScaleOfTheLast(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "lamp oil", "b.txt": "lamp light in the hall", "c.txt": "lamp"})
	f.run(t.Context(), nil)
	local := &madeUpModel{}
	remote := rerank.CohereInfo("made-up")
	for range rerank.MinSearches {
		var pairs []domain.ScorePair
		for i := range 10 {
			raw := -20 + float64(i)
			pairs = append(pairs, domain.ScorePair{ID: rand.Int64(), Local: raw, Remote: float64(i) / 10})
		}
		if err := f.store.AddScorePairs(t.Context(), remote.Scale(), local.Info().Scale(), pairs); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		local.told = func() { <-time.After(time.Second) } // on the bubble's clock
		s := f.searcher(local)
		s.Calibrator = pipeline.NewCalibrator(f.store, remote, time.Hour)
		var partial []domain.SearchResponse
		last, err := s.Search(t.Context(), domain.SearchRequest{Query: "lamp oil"}, func(r domain.SearchResponse) { partial = append(partial, r) })
		if err != nil {
			t.Fatal(err)
		}
		final := map[string]float64{}
		for _, h := range last.Hits {
			final[h.Path] = h.Score
		}
		seen := 0
		for _, p := range partial {
			for _, h := range p.Hits {
				if h.ScoreKind != domain.ScoreRelevance {
					continue
				}
				seen++
				if h.Score != final[h.Path] || h.Score < .3 || p.Verdict.Message != "" || p.Verdict.Threshold != nil || p.Verdict.Basis == "" {
					t.Errorf("%s has %v, in the end %v; %+v", h.Path, h.Score, final[h.Path], p.Verdict)
				}
			}
		}
		if seen < 2 || *last.Verdict.Threshold != rerank.DefaultCohereThreshold {
			t.Errorf("%d scores on the way, the last verdict %+v", seen, last.Verdict)
		}
	})
}

// answers is a Cohere that needs no network. Its scores are made up.
type answers struct{}

func (answers) Info() rerank.Info { return rerank.CohereInfo("made-up") }

func (answers) Rerank(_ context.Context, req rerank.Request) (rerank.Result, error) {
	res := rerank.Result{}
	for _, p := range req.Passages {
		s := 1 / float64(len(p))
		res.Scores, res.Scored = append(res.Scores, rerank.Score{Raw: s, Normalized: s}), append(res.Scored, true)
	}
	return res, nil
}

func TestClosingEndsTheComparing(t *testing.T) {
	c := newCalibrated(t)
	scoring := make(chan struct{})
	left := make(chan struct{})
	c.local.before = func(ctx context.Context) error {
		close(scoring)
		<-ctx.Done()
		close(left)
		return ctx.Err()
	}
	c.ask(c.query(0))
	c.ask(c.query(1))
	done := make(chan error)
	go func() { done <- c.Calibrator.Finish(t.Context()) }()
	<-scoring
	c.Calibrator.Close()
	select {
	case <-left:
	default:
		t.Error("closing did not wait for the reranker")
	}
	<-done
	c.Calibrator.Close()
	c.local.before = nil
	calls := c.calls()
	c.want("searching goes on", c.ask(c.query(2)).Rerank.Backend, domain.BackendCohere)
	c.finish()
	c.want("nothing more is scored", c.calls(), calls)
	c.want("kept", len(c.kept()), 0)
}

func TestWhatCannotBeComparedIsSaidAndHurtsNoSearch(t *testing.T) {
	c := newCalibrated(t)
	for name, tt := range map[string]struct {
		before func(context.Context) error
		served *rerank.Info
		says   string
	}{
		"an error":     {before: func(context.Context) error { return errors.New("made-up failure") }, says: "made-up failure"},
		"a panic":      {before: func(context.Context) error { panic("made-up panic") }, says: "made-up panic"},
		"another tier": {served: &rerank.Info{Backend: domain.BackendLateInteraction, Model: "made-up"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.local.before, c.local.served = tt.before, tt.served
			c.want("backend", c.ask(c.query(0)).Rerank.Backend, domain.BackendCohere)
			err := c.Calibrator.Finish(t.Context())
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("it says %v", err)
			}
			c.want("kept", len(c.kept()), 0)
			c.want("said once", c.Calibrator.Finish(t.Context()), nil)
		})
	}
}
