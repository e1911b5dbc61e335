package backend

import (
	"context"
	"time"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
)

// newSearcher makes a searcher with what the configuration says of every one.
func (b *Backend) newSearcher(chain *rerank.Chain) *pipeline.Searcher {
	retriever := retrieve.New(b.store)
	retriever.LexicalWeight = b.cfg.LexicalWeight
	return &pipeline.Searcher{
		Store: b.store, Retriever: retriever, Chain: chain, Offline: b.cfg.Offline, Defaults: b.cfg.withDefaults,
		RerankOff: b.cfg.RerankOff, Thresholds: b.cfg.Thresholds, Log: b.cfg.Log,
		Calibrator: b.calibrator, Fingerprints: new(pipeline.Fingerprints),
	}
}

// Search answers a query; see pipeline.Searcher. What the request leaves open the settings say.
func (b *Backend) Search(ctx context.Context, req domain.SearchRequest, onPartial func(domain.SearchResponse)) (domain.SearchResponse, error) {
	defer b.calm.busy()()
	searcher := b.keyword
	reranks := req.Rerank != domain.RerankOff && !b.cfg.RerankOff
	if req.Method != domain.BM25 || reranks || req.MMR != nil || req.Variety {
		gen, done := b.models.use()
		defer done()
		searcher = gen.searcher()
	}
	start := time.Now()
	resp, err := searcher.Search(ctx, req, onPartial)
	if err == nil {
		b.recorder.Record(req, resp)
	}
	if b.tracing.tracer != nil && !(b.tracing.sends && req.Offline) {
		pipeline.RecordSpans(ctx, b.tracing.tracer, start, resp, err)
	}
	return resp, err
}

// Movement says how far reranking moved the hits of the searches that are kept.
func (b *Backend) Movement(ctx context.Context) (domain.Movement, error) {
	return b.store.Movement(ctx)
}
