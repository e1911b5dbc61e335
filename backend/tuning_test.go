package backend_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/eval"
)

// TestTuningIsSuggestedAppliedAndUndone on the sample's judged queries, with the models of this machine.
func TestTuningIsSuggestedAppliedAndUndone(t *testing.T) {
	b := openSample(t)
	ctx := t.Context()
	if _, err := b.SuggestTuning(ctx, domain.DefaultCollection, nil); domain.CodeOf(err) != domain.CodeNotFound || !strings.Contains(err.Error(), "30 judged queries") {
		t.Errorf("nothing is judged: %v", err)
	}
	if _, err := b.ImportJudged(ctx, domain.DefaultCollection, sampleDir); err != nil {
		t.Fatal(err)
	}
	s, err := b.SuggestTuning(ctx, domain.DefaultCollection, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Queries < 60 || s.Now.LexicalWeight != 0.3 || s.BestNDCG < s.NowNDCG || s.NowNDCG < 0.9 || s.Gain.Low > s.Gain.Gain || s.Gain.Gain > s.Gain.High {
		t.Errorf("%+v", s)
	}

	// What is applied counts in searches, and in those of this collection alone.
	s.Best = domain.SearchChoice{LexicalWeight: 1, Candidates: 10, Top: 3, Rerank: false}
	s.Thresholds = map[domain.Backend]float64{domain.BackendLateInteraction: 0.999}
	if err := b.ApplyTuning(ctx, s); err != nil {
		t.Fatal(err)
	}
	// Other settings of the collection do not take it away.
	if err := b.SetSettings(ctx, domain.DefaultCollection, domain.CollectionSettings{Ignore: []string{"*.nothing"}}); err != nil {
		t.Fatal(err)
	}
	search := func(rerank domain.RerankMode) domain.SearchResponse {
		t.Helper()
		r, err := b.Search(ctx, domain.SearchRequest{Query: "crane accident broken wind gauge", Rerank: rerank}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	tuned := search(domain.RerankAuto)
	if len(tuned.Hits) != 3 || tuned.Rerank.Backend != domain.BackendNone || !strings.Contains(tuned.Rerank.Reason, "judged queries") || *tuned.Hits[0].Ranks.BM25 != 1 {
		t.Errorf("%+v", tuned)
	}
	if asked := search(domain.RerankLocal); asked.Rerank.Backend != domain.BackendLateInteraction || asked.Rerank.CandidatesIn > 20 || *asked.Verdict.Threshold != 0.999 {
		t.Errorf("%+v", asked.Rerank)
	}
	s.Best.Candidates = 20
	if err := b.ApplyTuning(ctx, s); err != nil {
		t.Fatal(err)
	}
	for range 2 { // one step back, and out of it
		if err := b.UndoTuning(ctx, domain.DefaultCollection); err != nil {
			t.Fatal(err)
		}
	}
	if plain := search(domain.RerankAuto); len(plain.Hits) != 5 || plain.Rerank.Backend != domain.BackendLateInteraction {
		t.Errorf("%+v", plain.Rerank)
	}
	if err := b.UndoTuning(ctx, domain.DefaultCollection); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("nothing to undo: %v", err)
	}
	wrong := s
	wrong.Best.Top = 90
	if err := b.ApplyTuning(ctx, wrong); domain.CodeOf(err) != domain.CodeUsage {
		t.Errorf("%v", err)
	}
}

// pushedDown is a passage of the document that reranking moves down the furthest.
func pushedDown(t *testing.T, b *backend.Backend, query string) (chunk int64) {
	t.Helper()
	order := func(mode domain.RerankMode) []domain.Hit {
		t.Helper()
		resp, err := b.Search(t.Context(), domain.SearchRequest{Query: query, Rerank: mode, Top: 20}, nil)
		if err != nil || len(resp.Hits) == 0 {
			t.Fatalf("%q: %v", query, err)
		}
		return resp.Hits
	}
	reranked := order(domain.RerankAuto)
	furthest := math.MinInt
	for _, h := range order(domain.RerankOff) {
		at := slices.IndexFunc(reranked, func(r domain.Hit) bool { return r.DocumentID == h.DocumentID })
		if down := at + 1 - h.Rank; at >= 0 && down > furthest {
			furthest, chunk = down, h.ChunkID
		}
	}
	return chunk
}

// TestAHarmfulRerankerIsSwitchedOff: what late interaction puts last by its judgements is not asked any more, until the
// analyst wants it back.
func TestAHarmfulRerankerIsSwitchedOff(t *testing.T) {
	b := openSample(t)
	ctx := t.Context()
	judged := 0
	for _, q := range queries(t)[:eval.EnoughToTune+2] {
		grade := domain.GradeRelevant
		if err := b.Judge(ctx, domain.DefaultCollection, q.Text, pushedDown(t, b, q.Text), &grade); err != nil {
			t.Fatal(err)
		}
		judged++
	}
	collection := func() domain.Collection {
		t.Helper()
		all, err := b.Collections(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return all[0].Collection
	}
	measure := func() {
		t.Helper()
		if _, err := b.Measure(ctx, domain.MeasureRequest{Collection: domain.DefaultCollection}, nil); err != nil {
			t.Fatal(err)
		}
	}
	measure()
	tuning := collection().Settings.Tuning
	if tuning == nil || !tuning.Automatic || tuning.Choice.Rerank || tuning.Evidence.Queries != judged || tuning.Evidence.Low <= 0 {
		t.Fatalf("%+v", tuning)
	}
	if err := b.UndoTuning(ctx, domain.DefaultCollection); err != nil {
		t.Fatal(err)
	}
	measure()
	if s := collection().Settings; s.Tuning != nil || !s.KeepReranking {
		t.Errorf("what was undone was done again: %+v", s)
	}
	runs, err := b.Measurements(ctx, domain.DefaultCollection)
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d, %v", len(runs), err)
	}
	changes, err := b.CompareMeasurements(domain.DefaultCollection, runs[1].ID, runs[0].ID)
	if err != nil || len(changes) != 5 || changes[0].NDCG.Delta != 0 {
		t.Errorf("%+v, %v", changes, err)
	}
	path := filepath.Join(t.TempDir(), "report.html")
	if err := b.WriteMeasurement(domain.DefaultCollection, runs[0].ID, path, "fa"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `dir="rtl"`) {
		t.Errorf("%v", err)
	}
}
