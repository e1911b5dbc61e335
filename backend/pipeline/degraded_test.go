package pipeline_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
)

func TestTheKillSwitchServesTheBaseMethodAndSaysSo(t *testing.T) {
	f := fruit(t)
	s := f.searcher(lengthReranker)
	s.RerankOff = true
	var log bytes.Buffer
	s.Log = slog.New(slog.NewTextHandler(&log, nil))
	for _, method := range []domain.Method{domain.Hybrid, domain.BM25, domain.Semantic} {
		for _, mode := range []domain.RerankMode{domain.RerankAuto, domain.RerankCohere, domain.RerankLocal, domain.RerankOff} {
			log.Reset()
			wanted := mode != domain.RerankOff
			resp, err := s.Search(t.Context(), domain.SearchRequest{Query: "fruit", Method: method, Rerank: mode}, func(domain.SearchResponse) {
				t.Error("a partial answer, though no reranking follows")
			})
			if err != nil {
				t.Fatal(err)
			}
			f.want("hits", titles(resp.Hits), "a b c")
			f.want("requested", resp.Rerank.Requested, mode)
			f.want("served by", resp.Rerank.Backend, domain.BackendNone)
			f.want("a step", slices.ContainsFunc(resp.Rerank.Steps, func(s domain.Step) bool { return s.Code == pipeline.CodeSwitchedOff }), wanted)
			f.want("a note", slices.Contains(resp.Degraded, "Not reranked. Reranking is switched off in the settings."), wanted)
			f.want("logged", strings.Contains(log.String(), "switched_off"), wanted)
			f.want("the query is not in the log", strings.Contains(log.String(), "fruit"), false)
		}
	}
	resp := f.search(s, domain.SearchRequest{Query: "zebra"})
	f.want("notes where there is nothing to rerank", strings.Contains(strings.Join(resp.Degraded, ""), "switched off"), false)
}

func TestThresholdsOfTheSettingsComeFirst(t *testing.T) {
	f := fruit(t)
	s := f.searcher(lengthReranker) // its own threshold is 0.5, the best score 0.27
	f.want("clear by its own", f.search(s, domain.SearchRequest{Query: "fruit"}).Verdict.Clear, false)
	s.Thresholds = map[domain.Backend]float64{domain.BackendCrossEncoder: 0.2, domain.BackendCohere: 0.9}
	resp := f.search(s, domain.SearchRequest{Query: "fruit"})
	f.want("clear by the settings", resp.Verdict.Clear, true)
	f.want("threshold", *resp.Verdict.Threshold, 0.2)
}
