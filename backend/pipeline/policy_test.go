package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/ledger"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
)

// policies is collections of all policies over a Cohere that records every byte. Each document has two canary words of
// its own, one of them in Persian letters.
type policies struct {
	*fixture
	*pipeline.Searcher
	server *coheretest.Server
	ledger *ledger.Ledger
	policy map[string]domain.Policy
}

const documentsEach = 6

func canaries(collection string, document int) []string {
	return []string{fmt.Sprintf("canary%s%dx", collection, document), fmt.Sprintf("قناری%s%dx", collection, document)}
}

// newPolicies has the collections shut, asked and open, and twin, which is allowed and has the documents of shut.
func newPolicies(t *testing.T) *policies {
	files := map[string]string{}
	for _, c := range []string{"shut", "asked", "open"} {
		for d := range documentsEach {
			text := fmt.Sprintf("lamp number %d of the hall <b>&amp; \"quoted\" %s", d, strings.Join(canaries(c, d), " "))
			files[fmt.Sprintf("%s/d%d.txt", c, d)] = text
			if c == "shut" {
				files[fmt.Sprintf("twin/other%d.txt", d)] = text
			}
		}
	}
	p := &policies{
		fixture: newFixture(t, files), server: coheretest.StartRecording(), ledger: ledger.Open(t.TempDir(), false),
		policy: map[string]domain.Policy{
			"shut": domain.PolicyNever, "asked": domain.PolicyAsk, "open": domain.PolicyAllowed, "twin": domain.PolicyAllowed,
		},
	}
	t.Cleanup(p.server.Close)
	for name, policy := range p.policy {
		c, err := p.store.AddCollection(t.Context(), name, policy, filepath.Join(p.dir, name))
		if err == nil {
			_, err = p.ingest.Run(t.Context(), c, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	client, err := cohere.New(cohere.Options{Key: coheretest.Key, URL: p.server.URL, Before: rerank.Witness(p.ledger)})
	if err != nil {
		t.Fatal(err)
	}
	remote := rerank.NewCohere(client)
	local := &madeUpModel{digest: "one"}
	p.Searcher = p.searcher(nil)
	p.Calibrator = pipeline.NewCalibrator(p.store, remote.Info(), 0)
	t.Cleanup(p.Calibrator.Close)
	p.Chain = rerank.NewChain(remote, local, "", rerank.ChainOptions{
		CohereDeadline: 200 * time.Millisecond, LocalBudget: time.Hour, Recovery: 1, Hedge: 20 * time.Millisecond,
		Ledger: p.ledger, Host: remote.Host(),
	})
	return p
}

// TestNothingOfANeverCollectionIsEverSent: 500 random searches over collections of all policies, with failures, hedges,
// lost connections, policies that change and background calibration. What a search was not allowed to send is in no
// byte that arrived, and what arrived is in the ledger, digest by digest.
func TestNothingOfANeverCollectionIsEverSent(t *testing.T) {
	const searches = 500
	p := newPolicies(t)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 7))
	var forbidden, allowed []string // words of queries
	for i := range searches {
		p.misbehave(random)
		if random.IntN(10) == 0 {
			p.change(random)
		}
		collection := []string{"shut", "asked", "open", "twin"}[random.IntN(4)]
		word := fmt.Sprintf("word%dx", i)
		req := domain.SearchRequest{
			Query: "lamp " + word, Collection: collection, Method: domain.BM25, Send: random.IntN(3) == 0, Once: random.IntN(4) == 0,
			Offline: random.IntN(8) == 0, Rerank: []domain.RerankMode{domain.RerankAuto, domain.RerankCohere, domain.RerankLocal}[random.IntN(3)],
		}
		policy := p.policy[collection]
		if may := !req.Offline && req.Rerank != domain.RerankLocal && collection != "shut" && collection != "twin" &&
			(policy == domain.PolicyAllowed || policy == domain.PolicyAsk && (req.Send || req.Once)); may {
			allowed = append(allowed, word)
		} else {
			forbidden = append(forbidden, word)
		}
		if resp := p.search(p.Searcher, req); len(resp.Hits) == 0 || resp.Rerank.Backend == domain.BackendNone {
			t.Fatalf("search %d (seed %d): %+v", i, seed, resp.Rerank)
		}
	}
	if err := p.Calibrator.Finish(t.Context()); err != nil {
		t.Error(err)
	}
	p.ledger.Close()

	received := p.server.Received()
	for d := range documentsEach {
		forbidden = append(forbidden, canaries("shut", d)...)
	}
	for _, f := range forbidden {
		if at := bytes.Index(received, []byte(f)); at >= 0 {
			t.Fatalf("seed %d: %q was sent: %q", seed, f, received[max(0, at-200):min(len(received), at+200)])
		}
	}
	// The same after every way of writing JSON, and nothing was packed so that it could not be read.
	for _, call := range p.server.Calls() {
		for _, text := range append(call.Documents, call.Query) {
			if i := slices.IndexFunc(forbidden, func(f string) bool { return strings.Contains(text, f) }); i >= 0 {
				t.Fatalf("seed %d: %q was sent in %q", seed, forbidden[i], text)
			}
		}
	}
	if bytes.Contains(bytes.ToLower(received), []byte("content-encoding")) {
		t.Error("a request was packed")
	}
	sent := 0
	for _, a := range allowed {
		if bytes.Contains(received, []byte(a)) {
			sent++
		}
	}
	t.Logf("%d of %d searches that might were sent, %d requests, %d bytes", sent, len(allowed), p.server.Requests(), len(received))
	if sent < len(allowed)/4 {
		t.Errorf("only %d of %d searches that might were sent", sent, len(allowed))
	}
	p.compareLedger()
}

// misbehave makes the server do something else, or lose its connections.
func (p *policies) misbehave(random *rand.Rand) {
	outages := coheretest.Outages()
	if random.IntN(5) == 0 {
		p.server.Drop()
	}
	switch at := random.IntN(3 * len(outages)); {
	case at >= len(outages):
		p.server.Behave(coheretest.Healthy())
	case outages[at].Code == "bad_key" || outages[at].Code == "forbidden" || outages[at].Code == "blocked" || outages[at].Code == "rate_limited":
		p.server.Behave(coheretest.Failing(500)) // after those the server would be left alone for minutes
	default:
		p.server.Behave(outages[at].Behaviour)
	}
}

// change gives the collections that are not shut another policy.
func (p *policies) change(random *rand.Rand) {
	for _, name := range []string{"asked", "open"} {
		policy := []domain.Policy{domain.PolicyNever, domain.PolicyAsk, domain.PolicyAllowed}[random.IntN(3)]
		if err := p.store.SetPolicy(p.t.Context(), name, policy); err != nil {
			p.t.Fatal(err)
		}
		p.policy[name] = policy
	}
}

// compareLedger wants an entry for every request that arrived, with the digests of what the server saw.
func (p *policies) compareLedger() {
	p.t.Helper()
	if s, err := p.ledger.Verify(context.Background()); err != nil || s.Problem != "" {
		p.t.Fatalf("%+v, %v", s, err)
	}
	records, err := p.ledger.List(context.Background(), domain.LedgerFilter{Kind: domain.LedgerSent})
	if err != nil {
		p.t.Fatal(err)
	}
	left := map[string][]domain.LedgerRecord{}
	ok := 0
	for _, r := range records {
		left[r.Body] = append(left[r.Body], r)
		if r.Ended == nil {
			p.t.Errorf("how entry %d ended is not known", r.N)
		} else if r.Ended.Code == "ok" {
			ok++
		}
	}
	for _, call := range p.server.Calls() {
		digest := ledger.Digest(call.Body)
		entries := left[digest]
		if len(entries) == 0 {
			p.t.Fatalf("a request arrived that is not in the ledger: %s", call.Body)
		}
		e := entries[0]
		left[digest] = entries[1:]
		if e.Bytes != len(call.Body) || e.Query != ledger.Digest([]byte(call.Query)) || e.Model != call.Model || len(e.Passages) != len(call.Documents) {
			p.t.Errorf("entry %d is not about %s", e.N, call.Body)
		}
		for i, d := range call.Documents {
			if e.Passages[i] != ledger.Digest([]byte(d)) {
				p.t.Errorf("passage %d of entry %d is another one", i, e.N)
			}
		}
	}
	refused, err := p.ledger.List(context.Background(), domain.LedgerFilter{Kind: domain.LedgerRefused})
	if err != nil || len(refused) == 0 || ok == 0 {
		p.t.Errorf("%d refused, %d ok, %v", len(refused), ok, err)
	}
	p.t.Logf("%d sendings, %d of them ok, %d refused, %d calls", len(records), ok, len(refused), len(p.server.Calls()))
}

// TestAPolicyThatChangesUnderASearch holds from the next byte on.
func TestAPolicyThatChangesUnderASearch(t *testing.T) {
	p := newPolicies(t)
	resp, err := p.Search(t.Context(), domain.SearchRequest{Query: "lamp", Collection: "open", Method: domain.BM25}, func(domain.SearchResponse) {
		if err := p.store.SetPolicy(t.Context(), "open", domain.PolicyNever); err != nil {
			t.Error(err)
		}
	})
	if err != nil || p.server.Requests() != 0 || resp.Rerank.Steps[0].Code != rerank.CodePolicy {
		t.Errorf("%+v, %v", resp.Rerank, err)
	}
}
