package rerank_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/ledger"
	"fanous/backend/rerank"
)

// witnessed is a chain whose Cohere writes into a ledger.
func witnessed(t *testing.T, l *ledger.Ledger) (*rerank.Chain, *rerank.Cohere, *coheretest.Server) {
	t.Helper()
	s := coheretest.Start()
	t.Cleanup(s.Close)
	client, err := cohere.New(cohere.Options{Key: coheretest.Key, URL: s.URL, Before: rerank.Witness(l)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	remote := rerank.NewCohere(client)
	return rerank.NewChain(rerank.Found(remote.Remote()), localThat(fakeScores), "", rerank.ChainOptions{
		CohereDeadline: never, LocalBudget: never, Ledger: l,
	}), remote, s
}

func entries(t *testing.T, l *ledger.Ledger, f domain.LedgerFilter) []domain.LedgerRecord {
	t.Helper()
	list, err := l.List(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestThePolicyCountsThatHoldsWhenBytesLeave, not the one that the search began with.
func TestThePolicyCountsThatHoldsWhenBytesLeave(t *testing.T) {
	unreadable := errors.New("the index cannot be read")
	for name, tt := range map[string]struct {
		now  func(context.Context) (domain.Policy, error)
		sent int
	}{
		"still allowed": {func(context.Context) (domain.Policy, error) { return domain.PolicyAllowed, nil }, 1},
		"now ask":       {func(context.Context) (domain.Policy, error) { return domain.PolicyAsk, nil }, 0},
		"now never":     {func(context.Context) (domain.Policy, error) { return domain.PolicyNever, nil }, 0},
		"unreadable":    {func(context.Context) (domain.Policy, error) { return "", unreadable }, 0},
	} {
		l := ledger.Open(t.TempDir(), false)
		chain, _, s := witnessed(t, l)
		perm := rerank.Permission{Policy: domain.PolicyAllowed, Now: tt.now, Search: "s1", Collections: []string{"papers"}}
		_, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, perm, rerank.Request{Query: "q", Passages: letters("ab")})
		if err != nil || s.Requests() != tt.sent || len(entries(t, l, domain.LedgerFilter{Kind: domain.LedgerSent})) != tt.sent {
			t.Errorf("%s: %d requests, %v", name, s.Requests(), err)
		}
		if refused := entries(t, l, domain.LedgerFilter{Kind: domain.LedgerRefused}); tt.sent == 0 &&
			(len(refused) != 1 || refused[0].Code != rerank.CodePolicy || refused[0].Search != "s1" || trace.Steps[0].Code != rerank.CodePolicy) {
			t.Errorf("%s: %+v, %+v", name, refused, trace.Steps)
		}
	}
}

// TestNothingLeavesWithoutASearch: what calls the remote ranker past the chain has no permission.
func TestNothingLeavesWithoutASearch(t *testing.T) {
	_, remote, s := witnessed(t, ledger.Open(t.TempDir(), false))
	if _, err := remote.Rerank(t.Context(), rerank.Request{Query: "q", Passages: letters("ab")}); err == nil || s.Requests() != 0 {
		t.Errorf("%d requests, %v", s.Requests(), err)
	}
}

// TestNothingLeavesThatCannotBeWrittenDown, and the local ranker serves.
func TestNothingLeavesThatCannotBeWrittenDown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	broken := ledger.Open(t.TempDir(), false)
	if err := broken.Refused(t.Context(), ledger.Request{}, "policy"); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(broken.Path(), 10); err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]*ledger.Ledger{"no folder": ledger.Open(filepath.Join(file, "ledger"), false), "cut": broken} {
		chain, _, s := witnessed(t, l)
		for range 3 { // it is no fault of the other side, which is asked again
			_, trace, err := chain.Rerank(t.Context(), domain.RerankAuto, mayLeave, rerank.Request{Query: "q", Passages: letters("ab")})
			if err != nil || s.Requests() != 0 || trace.Steps[0].Code != rerank.CodeLedger || trace.Backend == domain.BackendNone || trace.Reason == "" {
				t.Errorf("%s: %d requests, %+v, %v", name, s.Requests(), trace, err)
			}
		}
	}
}

// TestWhoAllowedIt is in the entry.
func TestWhoAllowedIt(t *testing.T) {
	l := ledger.Open(t.TempDir(), false)
	chain, _, _ := witnessed(t, l)
	for by, perm := range map[string]rerank.Permission{
		domain.ByPolicy: {Policy: domain.PolicyAllowed, Send: true, Search: domain.ByPolicy},
		domain.BySearch: {Policy: domain.PolicyAsk, Send: true, Search: domain.BySearch},
		domain.ByOnce:   {Policy: domain.PolicyAsk, Once: true, Search: domain.ByOnce},
	} {
		if _, _, err := chain.Rerank(t.Context(), domain.RerankAuto, perm, rerank.Request{Query: "q", Passages: letters("ab")}); err != nil {
			t.Fatal(err)
		}
		if e := entries(t, l, domain.LedgerFilter{Search: by, Kind: domain.LedgerSent}); len(e) != 1 || e[0].By != by || e[0].Policy != perm.Policy {
			t.Errorf("%s: %+v", by, e)
		}
	}
}
