package rerank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/domain"
	"fanous/backend/failover"
	"fanous/backend/ledger"
)

// Defaults of a Chain.
const (
	DefaultCohereDeadline = 2 * time.Second // for the whole attempt, name lookup and TLS included
	DefaultLocalBudget    = 4 * time.Second
)

// Codes of the steps that do not apply. The others are those of packages cohere and failover.
const (
	CodeNoKey     = "no_key"
	CodePolicy    = "policy"
	CodeOffline   = "offline"
	CodeNoLocal   = "no_local"
	CodeBudget    = "budget"     // the local ranker scored nothing within its budget
	CodeBadResult = "bad_result" // a ranker's result breaks the contract
)

// How long Cohere is left alone after an answer that a second try will not change. Recovery must still
// be noticed without a restart: a country is left, an account is put in order.
const (
	waitBlocked = 30 * time.Minute
	waitKey     = 10 * time.Minute
)

// ChainOptions configure a Chain. The zero value of a time means its default.
type ChainOptions struct {
	CohereDeadline time.Duration
	LocalBudget    time.Duration // of requests that bring no budget
	Recovery       time.Duration // of Cohere's breaker

	// Hedge starts the local ranker beside Cohere when that has not answered after this long. 0: never.
	Hedge time.Duration

	CallsPerMinute int // to Cohere, of all processes that share StateDir; 0: no limit

	// StateDir is the folder where Cohere's breaker and the counted calls are kept, for every process that
	// uses it; empty: in memory.
	StateDir string

	// Ledger is told of what was kept here; what leaves Witness tells it. Nil: nobody is told.
	Ledger *ledger.Ledger
}

// Chain chooses the ranker of each request: Cohere, then the local one, then the fused order as it is.
// It is safe for concurrent use.
type Chain struct {
	find        func(context.Context) Remote
	remote      atomic.Pointer[remote] // nil: it is not found yet
	local       Reranker
	localReason string
	options     ChainOptions
}

// NewChain makes a chain. cohere is asked by the requests that may want Cohere, until it gives something that is not
// pending; every one waits for it. A nil local means that no local ranker runs, because of localReason (one sentence).
func NewChain(cohere func(context.Context) Remote, local Reranker, localReason string, o ChainOptions) *Chain {
	if o.CohereDeadline <= 0 {
		o.CohereDeadline = DefaultCohereDeadline
	}
	if o.LocalBudget <= 0 {
		o.LocalBudget = DefaultLocalBudget
	}
	if localReason == "" {
		localReason = "No local reranker is installed."
	}
	return &Chain{find: cohere, local: local, localReason: localReason, options: o}
}

// Paused says why Cohere is left alone at the moment; empty: it is not.
func (c *Chain) Paused(ctx context.Context) string {
	return c.cohere(ctx).breaker.State().Reason
}

// Local is the local ranker; nil where none runs.
func (c *Chain) Local() Reranker { return c.local }

// Threshold is the normalised score of a backend that has served under which nothing clearly matches; nil where none is
// known.
func (c *Chain) Threshold(b domain.Backend) *float64 {
	rankers := []Reranker{c.local}
	if remote := c.remote.Load(); remote != nil { // else it has not served
		rankers = append(rankers, remote.Reranker)
	}
	for _, r := range rankers {
		if r == nil {
			continue
		}
		for _, info := range tiers(r) {
			if info.Backend == b {
				return info.Threshold
			}
		}
	}
	return nil
}

// Rerank scores the request's passages with the first ranker that applies and serves. Its only error
// is the end of ctx: whatever else happens, the trace says it and the fused order stands, with no
// passage scored.
//
//   - auto: Cohere where a key is set, perm permits it and its breaker is closed; else local.
//   - cohere: the same, but a missing key counts as falling back too.
//   - local: Cohere is not considered.
//   - off: no ranker is.
//
// FellBackFrom names the first ranker that was wanted and did not serve, and Reason says why of all
// that were wanted. In auto without a key Cohere was not wanted: that is a step, not a fall-back.
//
// req.Budget bounds the local ranker (0: the chain's own). req.OnScore hears only its scores,
// for Cohere's come all at once; should it fail after some, the Result returned is what counts. While a
// hedge is undecided they are held back. It is not called any more once Rerank has returned.
func (c *Chain) Rerank(ctx context.Context, mode domain.RerankMode, perm Permission, req Request) (Result, domain.RerankTrace, error) {
	n := len(req.Passages)
	trace := domain.RerankTrace{
		Requested: mode, Backend: domain.BackendNone, Steps: []domain.Step{}, CandidatesIn: n,
	}
	if mode == domain.RerankOff || n == 0 {
		return newResult(n), trace, ctx.Err()
	}

	gate := gate{tell: req.OnScore}
	defer gate.shut()
	ctx = perm.in(ctx)
	var remote *remote // nil: it is not considered
	if mode == domain.RerankAuto || mode == domain.RerankCohere {
		if remote = c.cohere(ctx); ctx.Err() != nil {
			return Result{}, trace, ctx.Err()
		}
	}
	rankers := c.rankers(remote, mode, perm, req, &gate)
	defer c.note(ctx, perm, remote, rankers[0], req)()
	var steps failover.Chain[Result]
	for _, r := range rankers {
		steps = append(steps, r.step)
	}
	result, report, err := steps.Run(ctx)
	if err != nil { // the last step cannot fail, so this is the caller's own end
		return Result{}, trace, err
	}

	explain(&trace, rankers, report, result)
	if remote != nil && remote.Reranker != nil {
		trace.Breaker, trace.Search = domain.BreakerClosed, perm.Search
		if remote.breaker.State().Open {
			trace.Breaker = domain.BreakerOpen
		}
	}
	return result, trace, nil
}

// ranker is one step of a request's chain, and who takes it.
type ranker struct {
	info   Info
	wanted bool // not to be served by it is falling back
	step   failover.Step[Result]
}

// rankers are the steps of a request, in order of preference; nil remote: without Cohere.
func (c *Chain) rankers(remote *remote, mode domain.RerankMode, perm Permission, req Request, gate *gate) []ranker {
	var out []ranker
	if remote != nil {
		r := ranker{
			info:   Info{Backend: domain.BackendCohere},
			wanted: remote.Reranker != nil || mode == domain.RerankCohere,
			step:   failover.Step[Result]{Name: "Cohere"},
		}
		if remote.Reranker == nil {
			r.step.Skip = &failover.Skip{Code: CodeNoKey, Reason: remote.Reason}
		} else {
			sent := Request{Query: req.Query, Passages: req.Passages}
			r.info = remote.Info()
			r.step.Skip = perm.refusal()
			r.step.Deadline = c.options.CohereDeadline
			r.step.Breaker, r.step.Guard = remote.breaker, remote.guard
			r.step.Do = func(ctx context.Context) (Result, error) { return ask(ctx, remote.Reranker, sent) }
		}
		gate.held = c.options.Hedge > 0 // two orders, one after the other, would make results jump
		r.step.OnPass = gate.release
		out = append(out, r)
	}

	// Every installation has the lowest tier, so that is what is missed where no local ranker runs.
	local := ranker{info: Info{Backend: domain.BackendLateInteraction}, wanted: true}
	if c.local == nil {
		local.step.Skip = &failover.Skip{Code: CodeNoLocal, Reason: c.localReason}
	} else {
		mine := req
		mine.OnScore = gate.pass
		if mine.Budget <= 0 {
			mine.Budget = c.options.LocalBudget
		}
		local.info = c.local.Info()
		local.step.Name = "The local reranker"
		local.step.Deadline = 2 * mine.Budget // it keeps the budget itself; this is for one that hangs
		local.step.Hedge = c.options.Hedge
		local.step.Do = func(ctx context.Context) (Result, error) { return ask(ctx, c.local, mine) }
	}
	out = append(out, local)

	return append(out, ranker{
		info: Info{Backend: domain.BackendNone},
		step: failover.Step[Result]{Do: func(context.Context) (Result, error) { return newResult(len(req.Passages)), nil }},
	})
}

// ask calls a ranker and believes its result only if it keeps the contract.
func ask(ctx context.Context, r Reranker, req Request) (Result, error) {
	result, err := r.Rerank(ctx, req)
	if err != nil {
		return Result{}, failureOf(ctx, err)
	}
	scored, err := check(result, len(req.Passages))
	switch {
	case err != nil:
		return Result{}, &failover.Failure{
			Code: CodeBadResult, Reason: fmt.Sprintf("The result of %s makes no sense, so it was not used.", r.Info().Backend), Err: err,
		}
	case scored == 0:
		return Result{}, &failover.Failure{
			Code: CodeBudget, Reason: fmt.Sprintf("The local reranker scored nothing within %v.", req.Budget), Weight: failover.Ignored,
		}
	}
	return result, nil
}

// check counts the passages scored of n, or says what breaks the contract.
func check(r Result, n int) (scored int, err error) {
	if len(r.Scores) != n || len(r.Scored) != n {
		return 0, fmt.Errorf("%d scores and %d marks for %d passages", len(r.Scores), len(r.Scored), n)
	}
	for i, s := range r.Scores {
		if !r.Scored[i] {
			continue
		}
		if math.IsNaN(s.Raw) || math.IsInf(s.Raw, 0) || !(s.Normalized >= 0 && s.Normalized <= 1) {
			return 0, fmt.Errorf("passage %d has score %v, normalised %v", i, s.Raw, s.Normalized)
		}
		scored++
	}
	return scored, nil
}

// failureOf says what an error means to the chain.
func failureOf(ctx context.Context, err error) error {
	var e *cohere.Error
	switch {
	case !errors.As(err, &e):
		if errors.As(err, new(*failover.Failure)) {
			return err
		}
		if errors.Is(err, ErrPermanent) {
			return &failover.Failure{Code: failover.CodeFailed, Reason: fmt.Sprintf("The reranker cannot do it: %v.", err), Weight: failover.Ignored, Err: err}
		}
		return err
	case e.Kind == cohere.Timeout && ctx.Err() != nil:
		return ctx.Err() // the chain's own deadline, which the chain words itself
	}
	f := &failover.Failure{Code: string(e.Kind), Reason: e.Sentence(), Wait: e.RetryAfter, Err: err}
	switch e.Kind {
	case cohere.Timeout:
		f.Weight = failover.Hang
	case cohere.BadRequest, cohere.Offline:
		f.Weight = failover.Ignored
	case cohere.Blocked:
		f.Wait = waitBlocked
	case cohere.BadKey, cohere.Forbidden:
		f.Wait = waitKey
	}
	return f
}

// gate passes scores on until it is shut, so that a ranker that was left behind is not heard.
type gate struct {
	mu      sync.Mutex
	tell    func(i int, s Score) // nil once shut, and where nobody listens
	held    bool                 // keep the scores until release
	waiting []func()
}

func (g *gate) pass(i int, s Score) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.tell == nil:
	case g.held:
		g.waiting = append(g.waiting, func() { g.tell(i, s) })
	default:
		g.tell(i, s)
	}
}

// release tells what was held back, and holds nothing back any more.
func (g *gate) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tell != nil {
		for _, tell := range g.waiting {
			tell()
		}
	}
	g.held, g.waiting = false, nil
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tell = nil
}
