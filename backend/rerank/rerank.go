// Package rerank orders retrieved passages by how well they answer a query.
//
// Every implementation obeys the same contract, held by the suite in conformance_test.go:
// a passage's score depends on the query and on its own text, never on its company or its place.
package rerank

import (
	"context"
	"errors"
	"time"

	"fanous/backend/domain"
)

// Reranker scores passages against a query. Implementations are safe for concurrent use.
type Reranker interface {
	Info() Info

	// Rerank scores the passages of a request. No passages: an empty result and no work at all.
	//
	// A cancelled context ends it promptly with the context's error. A spent budget is not an error:
	// the result then says which passages were scored. An error that retrying or waiting cannot
	// cure is marked with Permanent.
	Rerank(ctx context.Context, req Request) (Result, error)
}

// Info says what a Reranker is; it does not change during its life.
type Info struct {
	Backend   domain.Backend
	Model     string
	Device    string   // "CPU", "CUDA", ...; empty where it runs elsewhere
	Precision string   // of the weights: "int8", "4-bit", ...; empty where unknown
	Threshold *float64 // normalised score under which nothing clearly matches; nil: none is known

	// Digest stands for everything but the two texts that a score depends on: weights, precision, limits,
	// the way of reading. Empty: scores cannot be kept from one request to the next.
	Digest string
}

// Request is what to score.
type Request struct {
	Query    string
	Passages []string // in fused order, best first: where a budget ends the work, the first were scored
	Chunks   []int64  // the chunk of each passage, for what keeps scores; nil: they are not kept

	Budget time.Duration // time to spend; 0: as long as it takes

	// OnScore is told of every score as it comes, for partial results; it may be nil. Calls never
	// overlap and each index is told at most once.
	OnScore func(i int, s Score)
}

// Score is one passage's relevance.
type Score struct {
	Raw        float64 // finite; higher is better; order by this
	Normalized float64 // in [0,1], never decreasing in Raw; for people
}

// Result holds one entry a passage, under the passage's index in the request.
type Result struct {
	Scores []Score
	Scored []bool // false: not reached; its Score means nothing

	Tiers *Tiers // how a cascade came to it; nil where one ranker did it all
}

// Tiers say what the two rankers of a cascade, or a ranker and its spare, did. All scores of a Result are those
// of Served.
type Tiers struct {
	First, Second int  // how many passages each has scored
	EarlyExit     bool // the first was so sure that the second was not asked
	Served        Info // whose scores the Result has

	Failed error // of the ranker that should have served; nil: none has failed
	Missed Info  // that ranker

	// Rest are the passages without a score, in the order that the first ranker saw; nil: in that of the request.
	Rest []int
}

// ErrPermanent is what errors.Is finds in an error that trying again cannot cure.
var ErrPermanent = errors.New("trying again cannot help")

// Permanent marks an error as one that trying again cannot cure; nil stays nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanent{err}
}

type permanent struct{ err error }

func (p permanent) Error() string        { return p.err.Error() }
func (p permanent) Unwrap() error        { return p.err }
func (p permanent) Is(target error) bool { return target == ErrPermanent }

// newResult has room for n passages, none of them scored.
func newResult(n int) Result {
	return Result{Scores: make([]Score, n), Scored: make([]bool, n)}
}
