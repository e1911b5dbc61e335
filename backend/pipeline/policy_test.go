package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
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

// newPolicies has the collections shut, asked and open; twin, which is allowed and has the documents of shut; and half,
// which is allowed and has one of them, beside documents of its own that are about a torch.
func newPolicies(t *testing.T) *policies {
	files := map[string]string{}
	for _, c := range []string{"shut", "asked", "open"} {
		for d := range documentsEach {
			text := fmt.Sprintf("lamp number %d of the hall <b>&amp; \"quoted\" %s", d, strings.Join(canaries(c, d), " "))
			files[fmt.Sprintf("%s/d%d.txt", c, d)] = text
			if c == "shut" {
				files[fmt.Sprintf("twin/other%d.txt", d)] = text
				files["half/other.txt"] = text
			}
		}
	}
	for d := range documentsEach {
		files[fmt.Sprintf("half/d%d.txt", d)] = fmt.Sprintf("torch and lamp number %d of the half", d)
	}
	p := &policies{
		fixture: newFixture(t, files), server: coheretest.StartRecording(), ledger: ledger.Open(t.TempDir(), false),
		policy: map[string]domain.Policy{
			"shut": domain.PolicyNever, "asked": domain.PolicyAsk, "open": domain.PolicyAllowed, "twin": domain.PolicyAllowed, "half": domain.PolicyAllowed,
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
	p.Chain = rerank.NewChain(rerank.Found(remote.Remote()), local, "", rerank.ChainOptions{
		CohereDeadline: 200 * time.Millisecond, LocalBudget: time.Hour, Recovery: 1, Hedge: 20 * time.Millisecond,
		Ledger: p.ledger,
	})
	return p
}

// fromEnvironment is a number that somebody has asked for, or the usual one.
func fromEnvironment(t *testing.T, name string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// marked are the words that tell what a text is of: of one query, or of one document.
var marked = regexp.MustCompile(`word\d+x|(canary|قناری)[a-z]+\d+x`)

// asking is one random search and whether it may send.
type asking struct {
	domain.SearchRequest
	word string // that no other search has
	may  bool
}

// random makes a search of the i-th word.
func (p *policies) random(random *rand.Rand, i int) asking {
	a := asking{word: fmt.Sprintf("word%dx", i), SearchRequest: domain.SearchRequest{
		Collection: []string{"shut", "asked", "open", "twin", "half"}[random.IntN(5)], Method: domain.BM25, Send: random.IntN(3) == 0, Once: random.IntN(4) == 0,
		Offline: random.IntN(8) == 0, Rerank: []domain.RerankMode{domain.RerankAuto, domain.RerankCohere, domain.RerankLocal}[random.IntN(3)],
	}}
	about := "lamp"
	if a.Collection == "half" && random.IntN(2) == 0 {
		about = "torch" // finds nothing that is shut
	}
	a.Query = about + " " + a.word
	policy := p.policy[a.Collection]
	shut := a.Collection == "shut" || a.Collection == "twin" || a.Collection == "half" && about == "lamp"
	a.may = !a.Offline && a.Rerank != domain.RerankLocal && !shut &&
		(policy == domain.PolicyAllowed || policy == domain.PolicyAsk && (a.Send || a.Once))
	return a
}

// TestNothingOfANeverCollectionIsEverSent: random searches, up to four at a time, over collections of all policies,
// with failures, hedges, lost connections, retries, policies that change and background calibration. What a search was
// not allowed to send is in no byte that arrived, and what arrived is in the ledger, digest by digest. FANOUS_POLICY_SEARCHES
// asks for more of them, FANOUS_SEED for others.
func TestNothingOfANeverCollectionIsEverSent(t *testing.T) {
	searches, seed := int(fromEnvironment(t, "FANOUS_POLICY_SEARCHES", 500)), fromEnvironment(t, "FANOUS_SEED", 8)
	p := newPolicies(t)
	random := rand.New(rand.NewPCG(seed, 7))
	var forbidden, allowed []string // words of queries
	for i := 0; i < searches; {
		if random.IntN(4) == 0 {
			p.change(random)
		}
		var together sync.WaitGroup
		for range min(1+random.IntN(4), searches-i) {
			p.misbehave(random)
			a := p.random(random, i)
			if i++; a.may {
				allowed = append(allowed, a.word)
			} else {
				forbidden = append(forbidden, a.word)
			}
			together.Go(func() {
				resp, err := p.Search(t.Context(), a.SearchRequest, nil)
				if err != nil || len(resp.Hits) == 0 || resp.Rerank.Backend == domain.BackendNone {
					t.Errorf("%+v (seed %d): %+v, %v", a, seed, resp.Rerank, err)
				}
			})
		}
		together.Wait()
	}
	if err := p.Calibrator.Finish(t.Context()); err != nil {
		t.Error(err)
	}
	p.ledger.Close()

	received := p.server.Received()
	for d := range documentsEach {
		forbidden = append(forbidden, canaries("shut", d)...)
	}
	// The bytes as they came and, whatever way of writing JSON was used, what the other side reads in them.
	texts := []string{string(received)}
	for _, call := range p.server.Calls() {
		texts = append(append(texts, call.Query), call.Documents...)
	}
	arrived := map[string]bool{}
	for _, text := range texts {
		for _, word := range marked.FindAllString(text, -1) {
			arrived[word] = true
		}
	}
	for _, f := range forbidden {
		if arrived[f] {
			at := bytes.Index(received, []byte(f))
			t.Fatalf("seed %d: %q was sent: %q", seed, f, received[max(0, at-200):max(0, min(len(received), at+200))])
		}
	}
	if bytes.Contains(bytes.ToLower(received), []byte("content-encoding")) {
		t.Error("a request was packed")
	}
	sent := 0
	for _, a := range allowed {
		if arrived[a] {
			sent++
		}
	}
	t.Logf("seed %d: %d of %d searches that might were sent, of %d; %d requests, %d bytes", seed, sent, len(allowed), searches, p.server.Requests(), len(received))
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
