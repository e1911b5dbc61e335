package pipeline

import (
	"context"
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"fanous/backend/domain"
)

// RecordSpans tells the tracer of a search that began at start and has ended now: a span "search", with what
// reranked it, and under it one a stage. They are made of the trace that the answer carries anyhow, so that
// both say the same, and hold numbers and names of stages, backends and codes only: nothing of the query, of a
// passage or of a path.
func RecordSpans(ctx context.Context, tracer trace.Tracer, start time.Time, resp domain.SearchResponse, err error) {
	ctx, search := tracer.Start(ctx, "search", trace.WithTimestamp(start))
	defer search.End()
	if err != nil {
		search.SetStatus(codes.Error, string(domain.CodeOf(err)))
		return
	}
	search.SetAttributes(
		attribute.String("search.method", string(resp.Method)),
		attribute.Int("search.hits", len(resp.Hits)),
	)
	search.SetAttributes(rerankAttributes(resp.Rerank)...)
	for _, s := range resp.Stages {
		if s.Name == domain.StageTotal { // that is the search's own
			continue
		}
		_, span := tracer.Start(ctx, s.Name, trace.WithTimestamp(s.Start),
			trace.WithAttributes(attribute.Int("stage.in", s.In), attribute.Int("stage.out", s.Out)))
		if s.Name == domain.StageRerank {
			span.SetAttributes(rerankAttributes(resp.Rerank)...)
		}
		span.End(trace.WithTimestamp(s.Start.Add(time.Duration(math.Round(s.MS * float64(time.Millisecond))))))
	}
}

func rerankAttributes(r domain.RerankTrace) []attribute.KeyValue {
	list := []attribute.KeyValue{
		attribute.String("rerank.backend", string(r.Backend)),
		attribute.Int("rerank.top_k_in", r.CandidatesIn),
		attribute.Int("rerank.top_k_out", r.CandidatesOut),
		attribute.Int("rerank.stage1_n", r.Stage1N),
		attribute.Int("rerank.stage2_n", r.Stage2N),
		attribute.Bool("rerank.early_exit", r.EarlyExit),
		attribute.Bool("rerank.mmr_applied", r.MMRApplied),
		attribute.Float64("rerank.elapsed_ms", r.ElapsedMS),
	}
	if r.MMRLambda != nil {
		list = append(list, attribute.Float64("rerank.mmr_lambda", *r.MMRLambda))
	}
	return list
}
