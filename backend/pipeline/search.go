package pipeline

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
	"fanous/backend/store"
)

// Searcher answers queries. It is safe for concurrent use.
type Searcher struct {
	Store     *store.Store
	Retriever *retrieve.Retriever
	Chain     *rerank.Chain
	// Embed gives a query's vector. Nil where there is no embedder: NoEmbedder is why, one plain sentence.
	Embed      func(ctx context.Context, query string) ([]float32, error)
	NoEmbedder string
	// EmbedPassages gives the vectors of passages, for those that MMR finds without one. Nil where Embed is.
	EmbedPassages func(ctx context.Context, texts []string) ([][]float32, error)
	Offline       bool // nothing leaves, whatever a request says
	RerankOff     bool // the kill switch: no request is reranked, whatever it asks for
	// Defaults fills in what a request and the tuning of its collection leave to the settings; nil: there are none.
	Defaults func(domain.SearchRequest) domain.SearchRequest
	// Thresholds are the scores under which nothing clearly matches, in place of the rerankers' own.
	Thresholds map[domain.Backend]float64
	Log        *slog.Logger // of searches that were not reranked as they wanted to be; nil: nowhere
	// Calibrator puts local scores on Cohere's scale; nil: they stay on their own.
	Calibrator *Calibrator
	// Fingerprints tell passages that say the same; nil: each search makes its own.
	Fingerprints *Fingerprints
}

// Search finds, fuses, reranks, groups and explains. It fails only where the request or the index is
// wrong, or ctx ends; what else goes wrong is a label of the answer. onPartial, which may be nil, is told
// the fused order before reranking begins, and while a local ranker runs the order so far, now and then; see
// orders. It is not called any more once Search has returned.
func (s *Searcher) Search(ctx context.Context, req domain.SearchRequest, onPartial func(domain.SearchResponse)) (domain.SearchResponse, error) {
	start := time.Now()
	defer s.Calibrator.Searching()()
	collection, missing := s.Store.Collection(ctx, cmp.Or(req.Collection, domain.DefaultCollection))
	req = s.filledIn(req, collection)
	if err := cmp.Or(req.Validate(), missing); err != nil {
		return domain.SearchResponse{}, err
	}
	query := language.ParseQuery(req.Query)
	ranking, err := s.rank(ctx, req, collection, query, func(soFar Ranking) {
		if onPartial != nil && !s.RerankOff && soFar.willRerank(req) {
			partial := soFar.respond(req, query)
			partial.Partial = true
			partial.Stages = append(partial.Stages, domain.StageSince(domain.StageTotal, start, len(soFar.Entries), len(partial.Hits)))
			onPartial(partial)
		}
	})
	if err != nil {
		return domain.SearchResponse{}, err
	}
	s.Calibrator.offer(query.Plain(), ranking, s.Chain.Local())
	s.logDegraded(ctx, ranking.Rerank)
	resp := ranking.respond(req, query)
	resp.Stages = append(resp.Stages, domain.StageSince(domain.StageTotal, start, len(ranking.Entries), len(resp.Hits)))
	return resp, nil
}

// Ranking is the whole list behind a response, before grouping.
type Ranking struct {
	Entries   []Entry // final order
	Method    domain.Method
	Rerank    domain.RerankTrace
	Threshold *float64 // of the backend that served; nil where it has none
	Stages    []domain.Stage
	Degraded  []string
}

// Entry is one passage of a Ranking.
type Entry struct {
	retrieve.Candidate
	Score  rerank.Score
	Scored bool // by the reranker that served; false: it stands below all that were

	behind int // among those that are not scored: its place with a cascade's cheaper ranker; 0: the fused order

	reranked int                // 1-based rank before MMR
	print    func() fingerprint // made once, for all the orders that the entry is shown in; nil: not kept
}

// Rank retrieves and reranks. onOrder, which may be nil, is told the fused order before reranking and
// the orders on the way.
func (s *Searcher) Rank(ctx context.Context, req domain.SearchRequest, query language.Query, onOrder func(Ranking)) (Ranking, error) {
	collection, err := s.Store.Collection(ctx, req.Collection)
	if err != nil {
		return Ranking{}, err
	}
	return s.rank(ctx, req, collection, query, onOrder)
}

func (s *Searcher) rank(ctx context.Context, req domain.SearchRequest, collection domain.Collection, query language.Query,
	onOrder func(Ranking)) (Ranking, error) {
	start := time.Now()
	found, err := s.retriever(collection).Retrieve(ctx, retrieve.Request{
		CollectionID: collection.ID, Query: query, Method: req.Method, Fusion: req.Fusion,
		K: max(req.Candidates, req.Top), Embed: s.embedder(query),
	})
	if err != nil {
		return Ranking{}, err
	}
	r := Ranking{
		Method:   found.Method,
		Stages:   found.Stages,
		Degraded: s.degraded(req.Method, found),
		Rerank:   domain.RerankTrace{Requested: req.Rerank, Backend: domain.BackendNone, Steps: []domain.Step{}},
	}
	for _, c := range found.Candidates {
		r.Entries = append(r.Entries, Entry{
			Candidate: c, print: sync.OnceValue(func() fingerprint { return s.Fingerprints.of(c.Chunk) }),
		})
	}
	r.number()
	if r.Method == domain.Listed {
		r.Rerank.Reason = listed
		return r, nil
	}
	if onOrder != nil {
		onOrder(r)
	}
	if s.RerankOff {
		r.switchedOff()
	} else if harmful(collection, req) {
		r.harmful(*collection.Settings.Tuning)
	} else if err := r.settle(ctx, start, req); err != nil {
		return Ranking{}, err
	} else if err := s.rerank(ctx, req, query, collection, &r, s.calibrated(ctx, onOrder)); err != nil {
		return Ranking{}, err
	}
	s.calibrate(ctx, &r)
	r.tuned(collection)
	err = s.diversify(ctx, req, collection.ID, &r)
	return r, err
}

// listed is why a query of filters alone is not reranked.
const listed = "The query has filters and no words: the newest documents come first."

func (s *Searcher) embedder(query language.Query) func(context.Context) ([]float32, error) {
	if s.Embed == nil {
		return nil
	}
	return func(ctx context.Context) ([]float32, error) { return s.Embed(ctx, query.Plain()) }
}

// degraded says in sentences what retrieval had to do without.
func (s *Searcher) degraded(wanted domain.Method, found retrieve.Result) []string {
	out := []string{}
	if wanted == domain.BM25 || found.Method == domain.Listed {
		return out
	}
	switch {
	case s.Embed == nil:
		out = append(out, s.NoEmbedder+" This search is by keywords only.")
	case found.EmbedError != nil:
		out = append(out, "The query could not be embedded ("+found.EmbedError.Error()+"). This search is by keywords only.")
	case found.NoVectors && len(found.Candidates) > 0:
		out = append(out, "This collection has no vectors yet; index it again to add semantic search. This search is by keywords only.")
	}
	return out
}

// rerank reorders the first candidates of the ranking.
func (s *Searcher) rerank(ctx context.Context, req domain.SearchRequest, query language.Query, collection domain.Collection, r *Ranking,
	onOrder func(Ranking)) error {
	pool := r.Entries[:min(len(r.Entries), req.Candidates)]
	call := rerank.Request{
		Query:    query.Plain(),
		Passages: make([]string, len(pool)),
		Chunks:   make([]int64, len(pool)),
	}
	for i, e := range pool {
		call.Passages[i], call.Chunks[i] = passageText(e.Passage), e.Chunk.ID
	}
	if local := s.Chain.Local(); local != nil && onOrder != nil {
		call.OnScore = showOrders(*r, len(pool), local.Info(), onOrder).add // the chain passes on local scores only
	}
	start := time.Now()
	permission, err := s.permission(ctx, req, collection, pool)
	if err != nil {
		return err
	}
	result, trace, err := s.Chain.Rerank(ctx, req.Rerank, permission, call)
	if err != nil {
		return err
	}
	trace.ElapsedMS = domain.StageSince(domain.StageRerank, start, 0, 0).MS
	r.Rerank = trace
	if trace.Backend == domain.BackendNone {
		if trace.Reason != "" {
			r.Degraded = append(r.Degraded, notReranked(trace.Reason, r.Degraded))
		}
		return nil
	}
	r.Threshold = s.threshold(trace.Backend)
	r.Stages = append(r.Stages, domain.StageSince(domain.StageRerank, start, len(pool), trace.CandidatesOut))
	for i := range pool {
		if result.Scored[i] {
			pool[i].scored(result.Scores[i])
		}
	}
	behind(pool, result.Tiers)
	slices.SortStableFunc(pool, byRelevance)
	r.number()
	return nil
}

// notReranked says why, unless retrieval lacks the same thing and has said so.
func notReranked(reason string, said []string) string {
	for _, s := range said {
		if strings.HasPrefix(s, reason) {
			return "Not reranked, for the same reason."
		}
	}
	return "Not reranked. " + reason
}

// byRelevance puts scored passages by their raw score before the others; a stable sort keeps what is equal.
func byRelevance(a, b Entry) int {
	switch {
	case a.Scored && b.Scored:
		return cmp.Compare(b.Score.Raw, a.Score.Raw)
	case a.Scored:
		return -1
	case b.Scored:
		return 1
	}
	return cmp.Compare(a.behind, b.behind)
}

// number writes each entry's rank, which is the final one unless MMR changes it.
func (r *Ranking) number() {
	for i := range r.Entries {
		rank := i + 1
		r.Entries[i].Ranks.Final, r.Entries[i].reranked = &rank, rank
	}
}

// willRerank says whether a reranker is still to come after the fused order.
func (r Ranking) willRerank(req domain.SearchRequest) bool {
	return req.Rerank != domain.RerankOff && len(r.Entries) > 0
}
