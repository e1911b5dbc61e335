package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
)

func spansOf(t *testing.T, start time.Time, resp domain.SearchResponse, err error) tracetest.SpanStubs {
	t.Helper()
	exporter := tracetest.NewInMemoryExporter()
	provider := trace.NewTracerProvider(trace.WithSyncer(exporter))
	pipeline.RecordSpans(t.Context(), provider.Tracer("test"), start, resp, err)
	return exporter.GetSpans()
}

func TestSpansSayWhatTheTraceSays(t *testing.T) {
	f := fruit(t)
	s := f.searcher(fixedReranker{score: lengthReranker.score, reaches: 2})
	s.EmbedPassages = madeUpVectors
	start := time.Now()
	resp := f.search(s, domain.SearchRequest{Query: "fruit", MMR: new(0.75)})
	resp.Rerank.Stage1N, resp.Rerank.Stage2N, resp.Rerank.EarlyExit = 3, 2, true // made up: this reranker has no stages
	spans := spansOf(t, start, resp, nil)

	byName := map[string]tracetest.SpanStub{}
	for _, span := range spans {
		byName[span.Name] = span
	}
	root := byName["search"]
	var want []string
	for _, stage := range resp.Stages[:len(resp.Stages)-1] { // the last is the total
		want = append(want, stage.Name)
		span := byName[stage.Name]
		f.want("parent of "+stage.Name, span.Parent.SpanID(), root.SpanContext.SpanID())
		f.want("time of "+stage.Name, span.EndTime.Sub(span.StartTime), time.Duration(math.Round(stage.MS*1e6)))
		if span.StartTime.Before(root.StartTime) || span.EndTime.After(root.EndTime) {
			t.Errorf("%s is not within the search", stage.Name)
		}
	}
	var got []string
	for _, span := range spans[:len(spans)-1] {
		got = append(got, span.Name)
	}
	if !slices.Equal(got, want) || !slices.Contains(want, "mmr") || !slices.Contains(want, "rerank") {
		t.Errorf("spans %v, stages %v", got, want)
	}
	for _, name := range []string{"search", "rerank"} {
		has := map[string]string{}
		for _, a := range byName[name].Attributes {
			has[string(a.Key)] = a.Value.String()
		}
		for key, value := range map[string]string{
			"rerank.backend": "cross-encoder", "rerank.top_k_in": "3", "rerank.top_k_out": "2",
			"rerank.stage1_n": "3", "rerank.stage2_n": "2", "rerank.early_exit": "true",
			"rerank.mmr_applied": "true", "rerank.mmr_lambda": "0.75", "rerank.elapsed_ms": fmt.Sprint(resp.Rerank.ElapsedMS),
		} {
			f.want(name+" "+key, has[key], value)
		}
	}
}

// TestSpansTellNothingOfWhatWasSearched: no query, no text, no path, no title, in a search that went well or badly.
func TestSpansTellNothingOfWhatWasSearched(t *testing.T) {
	f := newFixture(t, map[string]string{"secret-folder/secret-name.md": "# secret-title\n\nsecret-text about fruit"})
	f.run(t.Context(), nil)
	resp := f.search(f.searcher(fixedReranker{fails: errors.New("secret-reason")}), domain.SearchRequest{Query: "fruit secret-query"})
	f.want("hits", len(resp.Hits), 1)
	for _, spans := range []tracetest.SpanStubs{
		spansOf(t, time.Now(), resp, nil),
		spansOf(t, time.Now(), domain.SearchResponse{}, fmt.Errorf("secret-query: %w", context.Canceled)),
	} {
		if len(spans) == 0 {
			t.Fatal("no spans")
		}
		if text := fmt.Sprintf("%+v", spans); strings.Contains(text, "secret") || strings.Contains(text, "fruit") {
			t.Errorf("the spans tell %s", text)
		}
	}
	failed := spansOf(t, time.Now(), domain.SearchResponse{}, domain.Errorf(domain.CodeNotFound, "", "no collection %q", "secret"))
	f.want("status", failed[0].Status.Code, codes.Error)
	f.want("why", failed[0].Status.Description, "not_found")
}
