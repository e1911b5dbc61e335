package backend

import (
	"context"

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
		Store: b.store, Retriever: retriever, Chain: chain, Offline: b.cfg.Offline,
		RerankOff: b.cfg.RerankOff, Thresholds: b.cfg.Thresholds, Log: b.cfg.Log,
		Calibrator: b.calibrator,
	}
}

// Search answers a query; see pipeline.Searcher. What the request leaves open the settings say.
func (b *Backend) Search(ctx context.Context, req domain.SearchRequest, onPartial func(domain.SearchResponse)) (domain.SearchResponse, error) {
	searcher := b.keyword
	reranks := req.Rerank != domain.RerankOff && !b.cfg.RerankOff
	if req.Method != domain.BM25 || reranks || req.MMR != nil {
		searcher = b.searcher()
	}
	return searcher.Search(ctx, b.cfg.withDefaults(req), onPartial)
}
