package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fanous/backend/domain"
	"fanous/backend/failover"
	"fanous/backend/language"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
)

// asker makes the pools.
type asker struct {
	o       Options
	req     domain.SearchRequest
	find    pipeline.Searcher
	rankers []ranker
	stages  []string
	silent  string // why Cohere is not asked any more; empty: it is
}

// ranker is one that orders the pools.
type ranker struct {
	stage string
	mode  domain.RerankMode
	chain *rerank.Chain
}

func newAsker(o Options, req domain.SearchRequest, stages []string) *asker {
	a := &asker{o: o, req: req, stages: stages}
	a.find = pipeline.Searcher{
		Store: o.Place.Store, Retriever: retrieve.New(o.Place.Store), NoEmbedder: o.NoEmbedder, Chain: rerank.NewChain(rerank.Given(nil), nil, "", rerank.ChainOptions{}),
	}
	if o.LexicalWeight != nil {
		a.find.Retriever.LexicalWeight = *o.LexicalWeight
	}
	if o.Embedder != nil {
		a.find.Embed, a.find.EmbedPassages = o.Embedder.Query, o.Embedder.Passages
	}
	for _, stage := range stages {
		stage = rankerOf(stage)
		if stage == "" || slices.ContainsFunc(a.rankers, func(r ranker) bool { return r.stage == stage }) {
			continue
		}
		r := ranker{stage: stage, mode: domain.RerankLocal, chain: o.Cohere}
		if stage == StageCohere {
			r.mode = domain.RerankCohere
		} else {
			r.chain = rerank.NewChain(rerank.Given(nil), o.local(stage), "", rerank.ChainOptions{LocalBudget: noBudget})
		}
		a.rankers = append(a.rankers, r)
	}
	return a
}

// local is the ranker of a stage on this machine.
func (o Options) local(stage string) rerank.Reranker {
	if stage == StageRerank {
		return o.Local
	}
	return o.Tiers[stage]
}

// ask makes the pools of the queries, in their order; those of the journal are taken as they are.
func (a *asker) ask(ctx context.Context, queries []Query, j *journal) ([]Pool, error) {
	pools := make([]Pool, len(queries))
	for i, q := range queries {
		p, have := j.have[nameOf(q.ID)]
		if !have {
			var err error
			if p, err = a.pool(ctx, q); err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			if a.silent == "" { // else the next run asks again
				if err := j.add(p); err != nil {
					return nil, err
				}
			}
		}
		pools[i] = p
		a.o.Progress("query", i+1, len(queries))
	}
	return pools, nil
}

// pool finds what answers a query, once, and lets every ranker order that.
func (a *asker) pool(ctx context.Context, q Query) (Pool, error) {
	query := language.PlainQuery(q.Text) // a question of a data set, whose quotes and dashes ask for nothing
	if a.o.Place.Typed {
		query = language.ParseQuery(q.Text)
	}
	req := a.req
	req.MMR = nil
	found, err := a.find.Rank(ctx, req, query, nil)
	if err != nil {
		return Pool{}, err
	}
	p := poolOf(q.ID, found, func(e pipeline.Entry) string { return a.o.Place.Name(e.Document, e.Chunk) })
	if err := a.diversify(ctx, &p, StageHybrid, found); err != nil {
		return Pool{}, err
	}
	for _, r := range a.rankers {
		if r.stage == StageCohere && a.silent != "" {
			continue
		}
		if err := a.rank(ctx, &p, r, query, found); err != nil {
			return Pool{}, err
		}
	}
	return p, nil
}

func (a *asker) rank(ctx context.Context, p *Pool, r ranker, query language.Query, found pipeline.Ranking) error {
	if same := a.sameAs(r); same != "" {
		p.Ranked[r.stage] = p.Ranked[same]
		if d, has := p.Diverse[same]; has {
			p.Diverse[r.stage] = d
		}
		return nil
	}
	req := a.req
	req.Rerank, req.MMR, req.Send = r.mode, nil, true
	if a.o.Wide {
		req.Candidates = max(req.Candidates, len(found.Entries))
	}
	searcher := a.find
	searcher.Chain = r.chain
	ranked, err := searcher.Rerank(ctx, req, query, found)
	for err == nil && held(ranked.Rerank) {
		if err = pause(ctx); err == nil {
			ranked, err = searcher.Rerank(ctx, req, query, found)
		}
	}
	if err != nil {
		return err
	}
	if r.stage == StageCohere && ranked.Rerank.Backend != domain.BackendCohere && len(found.Entries) > 0 {
		a.silent = ranked.Rerank.Reason
		return nil
	}
	p.Ranked[r.stage] = p.rankedOf(ranked)
	return a.diversify(ctx, p, r.stage, ranked)
}

// sameAs is a ranker before r that is the same one; empty: there is none. Where one tier is all that is installed, it is
// what searches have.
func (a *asker) sameAs(r ranker) string {
	for _, before := range a.rankers {
		if before.stage == r.stage {
			break
		}
		if r.stage != StageCohere && before.stage != StageCohere && a.o.local(before.stage) == a.o.local(r.stage) {
			return before.stage
		}
	}
	return ""
}

// held says that a request to Cohere has to wait, to stay within the calls that are allowed in a minute.
func held(t domain.RerankTrace) bool {
	return slices.ContainsFunc(t.Steps, func(s domain.Step) bool { return s.Code == failover.CodeGuard })
}

// pause is how long a held request waits before it is tried again.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(2 * time.Second):
		return nil
	}
}

// diversify adds the order that MMR makes of a stage, where that is to be measured.
func (a *asker) diversify(ctx context.Context, p *Pool, stage string, ranked pipeline.Ranking) error {
	if !slices.Contains(a.stages, stage+withMMR) {
		return nil
	}
	diverse, err := a.find.Diversify(ctx, a.req, ranked)
	if err != nil {
		return err
	}
	d := Diverse{Order: p.orderOf(diverse)}
	for _, s := range diverse.Stages {
		if s.Name == domain.StageMMR {
			d.MS = s.MS
		}
	}
	p.Diverse[stage] = d
	return nil
}
