package eval

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
	"fanous/backend/store"
)

func TestCompareKnowsChanceFromMore(t *testing.T) {
	ones := func(n int, v float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = v
		}
		return out
	}
	alternating := make([]float64, 200)
	for i := range alternating {
		alternating[i] = float64(i % 2)
	}
	for name, tt := range map[string]struct {
		a, b      []float64
		delta     float64
		low, high float64 // bounds of p
	}{
		"the same":            {ones(50, 0.5), ones(50, 0.5), 0, 1, 1},
		"always better":       {ones(50, 0.6), ones(50, 0.5), 0.1, 0, 0.001},
		"always worse":        {ones(50, 0.5), ones(50, 0.6), -0.1, 0, 0.001},
		"one query":           {ones(1, 1), ones(1, 0), 1, 1, 1},
		"as often as not":     {alternating, ones(200, 0.5), 0, 1, 1},
		"three of three":      {ones(3, 1), ones(3, 0), 1, 0.23, 0.27},                               // 2 of 8 signs are as large
		"five of 100 of them": {append(ones(5, 1), ones(95, 0)...), ones(100, 0), 0.05, 0.05, 0.075}, // 2 of 32
	} {
		got := compare(tt.a, tt.b)
		if math.Abs(got.Delta-tt.delta) > 1e-12 || got.P < tt.low || got.P > tt.high {
			t.Errorf("%s: %+v, want the difference %v with p in [%v, %v]", name, got, tt.delta, tt.low, tt.high)
		}
		if again := compare(tt.a, tt.b); again != got {
			t.Errorf("%s: again it is %+v", name, again)
		}
	}
}

func entry(document string, bm25, dense, fused, final int) pipeline.Entry {
	rank := func(n int) *int {
		if n == 0 {
			return nil
		}
		return &n
	}
	return pipeline.Entry{Candidate: retrieve.Candidate{
		Passage: store.Passage{Document: domain.Document{Path: document}},
		Ranks:   domain.Ranks{BM25: rank(bm25), Dense: rank(dense), Fused: rank(fused), Final: rank(final)},
	}}
}

func TestEachStageHasItsOrder(t *testing.T) {
	entries := []pipeline.Entry{ // final order
		entry("d", 2, 1, 2, 1),
		entry("b", 1, 0, 3, 2),
		entry("a", 3, 4, 1, 3),
		entry("a", 0, 3, 4, 4),
		entry("c", 0, 2, 5, 5),
	}
	for stage, want := range map[string]string{
		StageBM25: "b d a", StageSemantic: "d c a", StageHybrid: "a d b c", StageRerank: "d b a c",
		StageRRF: "d a b c", StageRerankRRF: "d a b c",
	} {
		if got := strings.Join(documentsBy(stage, entries), " "); got != want {
			t.Errorf("%s: %s, want %s", stage, got, want)
		}
	}
	tied := []pipeline.Entry{entry("x", 1, 0, 2, 1), entry("y", 0, 1, 1, 2)}
	if got := strings.Join(documentsBy(StageRRF, tied), " "); got != "y x" {
		t.Errorf("a tie of the arms is decided by the reranker: %s", got)
	}
}

// byLength prefers the longest or, with a negative sign, the shortest passage. Its scores are made up.
type byLength struct {
	sign  float64
	fails bool
}

func (r byLength) Info() rerank.Info {
	return rerank.Info{Backend: domain.BackendCrossEncoder, Model: "made-up", Device: "CPU", Precision: "none"}
}

func (r byLength) Rerank(_ context.Context, req rerank.Request) (rerank.Result, error) {
	n := len(req.Passages)
	res := rerank.Result{Scores: make([]rerank.Score, n), Scored: make([]bool, n)}
	if r.fails {
		return res, rerank.Permanent(context.DeadlineExceeded)
	}
	for i, p := range req.Passages {
		raw := r.sign * float64(len(p))
		res.Scores[i], res.Scored[i] = rerank.Score{Raw: raw, Normalized: 0.5 + raw/1000}, true
	}
	return res, nil
}

// measure evaluates a small set in which BM25 finds the right document at once: it is the shortest.
func measure(t *testing.T, o Options, stages ...string) Report {
	t.Helper()
	set := Dataset{Name: "small", Documents: []Document{
		{ID: "right", Text: "fruit"}, {ID: "longer", Text: "fruit and bread"}, {ID: "longest", Text: "fruit and bread and cheese and wine"},
	}}
	for _, id := range []string{"1", "2", "3"} {
		set.Queries = append(set.Queries, Query{ID: id, Text: "fruit", Relevant: Judgement{"right": 1}})
	}
	o.NoEmbedder, o.Progress = "none", func(string, int, int) {}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "eval.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := index(t.Context(), s, set, o); err != nil {
		t.Fatal(err)
	}
	report, err := ask(t.Context(), s, set, o, stages)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestAReportSaysWhereAStageIsBelowItsInput(t *testing.T) {
	worse := measure(t, Options{Local: byLength{sign: 1}}, StageBM25, StageHybrid, StageRerank)
	said := strings.Join(worse.Warnings, "\n")
	for _, want := range []string{"local rerank is below hybrid here: MRR@10 -0.667", "local rerank is below bm25 here"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
	last := worse.Stages[2].Against
	if len(last) != 2 || last[0].Stage != StageHybrid || !last[0].Input || last[1].Stage != StageBM25 || last[1].Input || math.Abs(last[0].MRR.Delta+2.0/3) > 1e-12 {
		t.Errorf("rerank is compared as %+v", last)
	}
	if len(worse.Stages[0].Against) != 0 || len(worse.Stages[1].Against) != 1 {
		t.Errorf("compared: %+v, %+v", worse.Stages[0].Against, worse.Stages[1].Against)
	}

	better := measure(t, Options{Local: byLength{sign: -1}}, StageBM25, StageHybrid, StageRerank)
	if len(better.Warnings) != 0 {
		t.Errorf("warnings %q, though nothing is below anything", better.Warnings)
	}
}

func TestAReportHasAllOfRerankingOrNothing(t *testing.T) {
	fields := func(r Report) map[string]any {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var out map[string]any
		if err := json.Unmarshal(text, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	with := fields(measure(t, Options{Local: byLength{sign: -1}, Candidates: 2}, StageRerank))["rerank"].(map[string]any)
	for field, want := range map[string]any{
		"backend": "cross-encoder", "model": "made-up", "device": "CPU", "precision": "none", "candidates": 2.0, "top": 2.0,
		"candidates_in": 2.0, "candidates_out": 2.0, "not_reranked": 0.0,
	} {
		if with[field] != want {
			t.Errorf("%s is %v, want %v", field, with[field], want)
		}
	}
	without := fields(measure(t, Options{Local: byLength{sign: -1}}, StageBM25, StageHybrid))
	for name := range without {
		if strings.Contains(name, "rerank") {
			t.Errorf("no stage reranked and there is %s", name)
		}
	}
}

func TestAReportWarns(t *testing.T) {
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"nothing to choose": {Options{Local: byLength{sign: -1}, Candidates: 3, Top: 3}, "candidates and top are both 3"},
		"small":             {Options{Local: byLength{sign: -1}, Candidates: 4}, "candidates and top are both 4"},
		"enough":            {Options{Local: byLength{sign: -1}, Candidates: 30}, ""},
		"not reranked":      {Options{Local: byLength{fails: true}}, "3 of 3 queries were not reranked"},
	} {
		got := strings.Join(measure(t, tt.o, StageRerank).Warnings, " ")
		if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: warnings %q, want %q", name, got, tt.want)
		}
	}
	if _, err := (Options{Candidates: 3, Top: 9}).request(); domain.CodeOf(err) != domain.CodeUsage || !strings.Contains(err.Error(), "top is 9 and candidates is 3") {
		t.Errorf("error %v", err)
	}
}
