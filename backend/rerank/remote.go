package rerank

import (
	"context"
	"path/filepath"

	"fanous/backend/failover"
)

// NoKey says why there is no Cohere where nobody has set it up.
const NoKey = "No API key for Cohere is set."

// Remote is Cohere as a chain asks it.
type Remote struct {
	Reranker        // nil: there is none
	Reason   string // why there is none, one sentence; empty: NoKey
	Pending  bool   // there may be one a little later: the next request asks again
	Account  Account
	Host     string // for the ledger
}

// Given is a remote ranker that there is already; nil: there is none.
func Given(r Reranker) func(context.Context) Remote { return Found(Remote{Reranker: r}) }

// Found is a Remote that there is already.
func Found(r Remote) func(context.Context) Remote {
	return func(context.Context) Remote { return r }
}

// Account is whom the kept state is about. Another key is not held back by the last one's refusal.
type Account struct {
	Key      string // tells keys apart without showing one
	Endpoint string // the same of keys with their address and model
}

// remote is Cohere behind its breaker and its guard.
type remote struct {
	Remote
	breaker *failover.Breaker
	guard   *failover.Guard
}

func newRemote(r Remote, o ChainOptions) *remote {
	if r.Reason == "" {
		r.Reason = NoKey
	}
	return &remote{
		Remote:  r,
		breaker: failover.NewBreaker(o.keep("breaker.json", r.Account.Endpoint), o.Recovery),
		guard:   failover.NewGuard(o.keep("calls.json", r.Account.Key), o.CallsPerMinute, o.CohereDeadline),
	}
}

func (o ChainOptions) keep(name, owner string) failover.Keep {
	if o.StateDir == "" {
		return failover.Keep{}
	}
	return failover.Keep{Path: filepath.Join(o.StateDir, name), Owner: owner}
}

// cohere gives the remote ranker, which is looked for until it is found or known not to be there.
func (c *Chain) cohere(ctx context.Context) *remote {
	if known := c.remote.Load(); known != nil {
		return known
	}
	found := c.find(ctx)
	r := newRemote(found, c.options)
	if !found.Pending && !c.remote.CompareAndSwap(nil, r) {
		return c.remote.Load() // another request was as quick
	}
	return r
}
