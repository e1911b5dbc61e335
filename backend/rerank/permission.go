package rerank

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"fanous/backend/cohere"
	"fanous/backend/domain"
	"fanous/backend/failover"
	"fanous/backend/ledger"
)

// CodeLedger: nothing may leave, because it could not be written down or what was written is not whole.
const CodeLedger = "ledger"

// Permission is what may leave the machine in one search. The zero value permits nothing.
type Permission struct {
	Policy  domain.Policy // the strictest of the collections'
	Send    bool          // this search's own "yes", which counts where the policy is ask
	Once    bool          // that yes is for one request: what would send it again is refused
	Offline bool          // nothing leaves, whatever the policy says

	// Now gives the policy as it is, right before something leaves: it may have changed while the search was under way.
	// Nil: Policy is all that there is.
	Now func(ctx context.Context) (domain.Policy, error)

	Search      string   // names the search in the ledger
	Collections []string // the same
	Documents   []string // digests of the bytes of the documents that the passages are from, for the ledger

	used *atomic.Bool // something has left
}

// refusal is why nothing may leave; nil: it may. What is not known to be allowed is refused.
func (p Permission) refusal() *failover.Skip {
	switch {
	case p.Offline:
		return &failover.Skip{Code: CodeOffline, Reason: "The offline switch is on, so nothing was sent to Cohere."}
	case p.Policy == domain.PolicyAllowed, p.Policy == domain.PolicyAsk && (p.Send || p.Once):
		return nil
	case p.Policy == domain.PolicyAsk:
		return &failover.Skip{Code: CodePolicy, Reason: "The collection's policy is to ask first, and this search was not told to send, so nothing was sent to Cohere."}
	default:
		return &failover.Skip{Code: CodePolicy, Reason: "The policy of the collection, or of another one that has one of these documents, lets nothing leave this machine, so nothing was sent to Cohere."}
	}
}

// by is who lets something leave.
func (p Permission) by() string {
	switch {
	case p.Policy == domain.PolicyAllowed:
		return domain.ByPolicy
	case p.Once:
		return domain.ByOnce
	}
	return domain.BySearch
}

// current is the permission with the policy of this moment, and why it lets nothing leave; nil: it does.
func (p Permission) current(ctx context.Context) (Permission, *failover.Skip) {
	if p.Now != nil {
		policy, err := p.Now(ctx)
		if err != nil {
			return p, &failover.Skip{Code: CodePolicy, Reason: fmt.Sprintf("The collection's policy cannot be read (%v), so nothing was sent to Cohere.", err)}
		}
		p.Policy = policy
	}
	if refusal := p.refusal(); refusal != nil {
		return p, refusal
	}
	if p.by() == domain.ByOnce && (p.used == nil || p.used.Swap(true)) {
		return p, &failover.Skip{Code: CodePolicy, Reason: "This search was allowed one request to Cohere, and that has been sent."}
	}
	return p, nil
}

type permissionKey struct{}

// in hands the permission to what asks for it at the moment of sending.
func (p Permission) in(ctx context.Context) context.Context {
	p.used = new(atomic.Bool)
	return context.WithValue(ctx, permissionKey{}, p)
}

// Witness stands where bytes leave for Cohere. For each sending it looks at the policy once more and has the ledger write
// it down; where either fails, or no search has asked for it, nothing leaves.
func Witness(l *ledger.Ledger) cohere.Before {
	return func(ctx context.Context, s cohere.Sending) (func(string, int), error) {
		p, _ := ctx.Value(permissionKey{}).(Permission)
		p, refusal := p.current(ctx)
		r := ledger.Request{
			Search: p.Search, Collections: p.Collections, Policy: p.Policy, Host: s.Host, Model: s.Model, Query: s.Query, Passages: s.Documents,
			Documents: p.Documents,
		}
		if refusal != nil {
			_ = l.Refused(ctx, r, refusal.Code) // it stays here in any case
			return nil, &failover.Failure{Code: refusal.Code, Reason: refusal.Reason, Weight: failover.Ignored}
		}
		r.By, r.Body = p.by(), s.Body
		ended, err := l.Sending(ctx, r)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ledger.ErrFault):
			return nil, &failover.Failure{Code: CodeLedger, Weight: failover.Ignored, Err: err,
				Reason: "The ledger of what leaves this machine is not whole, so nothing was sent to Cohere; see `fanous ledger --verify`."}
		case err != nil:
			return nil, &failover.Failure{Code: CodeLedger, Weight: failover.Ignored, Err: err,
				Reason: fmt.Sprintf("The ledger of what leaves this machine cannot be written (%v), so nothing was sent to Cohere.", err)}
		}
		return func(code string, status int) {
			_ = ended(ledger.Outcome{Code: code, Status: status}) // what has left is written down already
		}, nil
	}
}

// note writes down a request that the permission keeps here, beside the work of the ranker that takes its place; wait
// returns when that is done.
func (c *Chain) note(ctx context.Context, p Permission, remote *remote, first ranker, req Request) (wait func()) {
	refusal := first.step.Skip
	if c.options.Ledger == nil || refusal == nil || refusal.Code != CodePolicy && refusal.Code != CodeOffline {
		return func() {}
	}
	r := ledger.Request{
		Search: p.Search, Collections: p.Collections, Policy: p.Policy, Host: remote.Host, Model: first.info.Model,
		Query: req.Query, Passages: req.Passages,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.options.Ledger.Refused(context.WithoutCancel(ctx), r, refusal.Code) // it stays here in any case
	}()
	return func() { <-done }
}
