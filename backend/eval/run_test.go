package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/rerank"
	"fanous/backend/store"
)

// byLength prefers the longest or, with a negative sign, the shortest passage. Its scores are made up.
type byLength struct {
	sign  float64
	fails bool
	calls *atomic.Int32 // nil: not counted
}

func (r byLength) Info() rerank.Info {
	return rerank.Info{Backend: domain.BackendCrossEncoder, Model: "made-up", Device: "CPU", Precision: "none"}
}

func (r byLength) Rerank(_ context.Context, req rerank.Request) (rerank.Result, error) {
	if r.calls != nil {
		r.calls.Add(1)
	}
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

func madeUpSet() Dataset {
	set := Dataset{Name: "small", Documents: []Document{
		{ID: "right", Text: "fruit"}, {ID: "longer", Text: "fruit and bread"}, {ID: "longest", Text: "fruit and bread and cheese and wine"},
	}}
	for _, id := range []string{"1", "2", "3"} {
		set.Queries = append(set.Queries, Query{ID: id, Text: "fruit", Relevant: Judgement{"right": 1}})
	}
	return set
}

// run evaluates a small set in which BM25 finds the right document at once, for it is the shortest. It has no embedder:
// hybrid and what is reranked stand on keywords alone.
func run(t *testing.T, o Options, stages ...string) Result {
	t.Helper()
	set := madeUpSet()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "eval.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	set.Queries = digested(set.Queries)
	o.NoEmbedder, o.Progress = "none", func(string, int, int) {}
	if o.Place, err = index(t.Context(), s, set, o); err != nil {
		t.Fatal(err)
	}
	req, err := o.request()
	if err != nil {
		t.Fatal(err)
	}
	pools, _, err := runIn(t.Context(), t.TempDir(), set, o, req, stages)
	if err != nil {
		t.Fatal(err)
	}
	return Result{Report: summarise(set, req, stages, nil, pools), Queries: set.Queries, Pools: pools}
}

func TestAReportSaysWhereAStageIsBelowItsInput(t *testing.T) {
	worse := run(t, Options{Local: byLength{sign: 1}}, StageBM25, StageHybrid, StageDepth, StageRerank).Report
	said := strings.Join(worse.Warnings, "\n")
	for _, want := range []string{"rerank is below hybrid@depth here: MRR@10 -0.667 [-0.667, -0.667] (within chance)", "rerank is below bm25 here"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
	last := worse.Stages[3].Against
	if len(last) != 2 || last[0].Stage != StageDepth || !last[0].Input || last[1].Stage != StageBM25 || last[1].Input || math.Abs(last[0].MRR.Delta+2.0/3) > 1e-12 {
		t.Errorf("rerank is compared as %+v", last)
	}
	if len(worse.Stages[0].Against) != 0 || len(worse.Stages[1].Against) != 1 {
		t.Errorf("compared: %+v, %+v", worse.Stages[0].Against, worse.Stages[1].Against)
	}

	better := run(t, Options{Local: byLength{sign: -1}}, StageBM25, StageHybrid, StageRerank).Report
	if len(better.Warnings) != 0 {
		t.Errorf("warnings %q, though nothing is below anything", better.Warnings)
	}
}

func TestAStageHasAllOfRerankingOrNothing(t *testing.T) {
	r := run(t, Options{Local: byLength{sign: -1}, Candidates: 2}, StageBM25, StageHybrid, StageRerank).Report
	for i, want := range []string{"", "", StageRerank} {
		text, err := json.Marshal(r.Stages[i])
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		with, has := fields["rerank"].(map[string]any)
		if has != (want != "") {
			t.Errorf("%s: rerank is %v", r.Stages[i].Name, fields["rerank"])
		}
		if !has {
			continue
		}
		for field, want := range map[string]any{
			"backend": "cross-encoder", "model": "made-up", "device": "CPU", "precision": "none",
			"candidates_in": 2.0, "candidates_out": 2.0, "not_reranked": 0.0,
		} {
			if with[field] != want {
				t.Errorf("%s is %v, want %v", field, with[field], want)
			}
		}
		for _, field := range []string{"latency_ms", "moved", "relevant_moved"} {
			if with[field] == nil {
				t.Errorf("there is no %s", field)
			}
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
	} {
		got := strings.Join(run(t, tt.o, StageRerank).Report.Warnings, " ")
		if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: warnings %q, want %q", name, got, tt.want)
		}
	}
	if _, err := (Options{Candidates: 3, Top: 9}).request(); domain.CodeOf(err) != domain.CodeUsage || !strings.Contains(err.Error(), "top is 9 and candidates is 3") {
		t.Errorf("error %v", err)
	}
}

// What did not run has no number, and the report says why.
func TestNoNumberWithoutARun(t *testing.T) {
	failed := run(t, Options{Local: byLength{fails: true}}, StageHybrid, StageRerank).Report
	if len(failed.Stages) != 1 || len(failed.Skipped) != 1 || failed.Skipped[0].Stage != StageRerank || !strings.Contains(failed.Skipped[0].Reason, "cannot do it") {
		t.Errorf("stages %+v, skipped %+v", failed.Stages, failed.Skipped)
	}

	o := Options{Stages: []string{StageCohere, StageBM25, StageRerank}, NoEmbedder: "No embedder.", NoCohere: "No key."}
	can, cannot, err := o.stages()
	want := []Skipped{{StageRerank, "No embedder."}, {StageCohere, "No embedder."}}
	if err != nil || !slices.Equal(can, []string{StageBM25}) || !slices.Equal(cannot, want) {
		t.Errorf("%v, %v, %v", can, cannot, err)
	}
	o.Stages = []string{StageRerank}
	if _, _, err = o.stages(); domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) != "No embedder." {
		t.Errorf("nothing can be measured: %v", err)
	}
}

// An evaluation that was cut off goes on where it was, and its report is the one of an evaluation that was not.
func TestACutRunGoesOn(t *testing.T) {
	whole, err := Run(t.Context(), madeUpSet(), Options{Stages: []string{StageBM25}, NoEmbedder: "none"})
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, damage := range []string{"", `{"query": "cut in mid`} {
		cut, cancel := context.WithCancel(t.Context())
		o := Options{Stages: []string{StageBM25}, NoEmbedder: "none", Work: work}
		o.Progress = func(phase string, done, _ int) {
			if phase == "query" && done == 2 {
				cancel()
			}
		}
		if _, err := Run(cut, madeUpSet(), o); !errors.Is(err, context.Canceled) {
			t.Fatalf("the cut run ends with %v", err)
		}
		journals, err := filepath.Glob(filepath.Join(work, "*", "*.jsonl"))
		if err != nil || len(journals) != 1 {
			t.Fatalf("journals %v, %v", journals, err)
		}
		left, err := os.ReadFile(journals[0])
		if err != nil || strings.Count(string(left), "\n") != 2 {
			t.Fatalf("the cut run has left %q, %v", left, err)
		}
		if err := os.WriteFile(journals[0], append(left, damage...), 0o600); err != nil {
			t.Fatal(err)
		}
		o.Progress = nil
		again, err := Run(t.Context(), madeUpSet(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Pools[0].MS[domain.StageBM25]; !strings.Contains(string(left), fmt.Sprintf(`"bm25":%v`, got)) {
			t.Error("the first query was asked again")
		}
		for _, r := range []*Report{&whole.Report, &again.Report} {
			for i := range r.Stages {
				r.Stages[i].Latency = Latency{}
			}
		}
		if !reflect.DeepEqual(whole.Report, again.Report) {
			t.Errorf("%+v, want %+v", again.Report, whole.Report)
		}
		if left, _ := filepath.Glob(filepath.Join(work, "*", "*")); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// TestNothingOfADatasetStays: what an evaluation leaves that was cut off has no text and no name of a file, and what one has
// left that was killed is removed by the next start, not under one that goes on.
func TestNothingOfADatasetStays(t *testing.T) {
	set := madeUpSet()
	set.Files = filepath.Join(t.TempDir(), docsName)
	if err := os.Mkdir(set.Files, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, d := range set.Documents {
		if err := os.WriteFile(filepath.Join(set.Files, d.ID+"-wuzhkestrel.txt"), []byte(d.Text+" vyxoquwez"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set.Documents = nil
	work := t.TempDir()
	left := func() (names []string) {
		t.Helper()
		for _, pattern := range []string{"*", filepath.Join("*", "*")} {
			found, err := filepath.Glob(filepath.Join(work, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range found {
				names = append(names, filepath.Base(path))
				if text, err := os.ReadFile(path); err == nil && (bytes.Contains(text, []byte("wuzhkestrel")) || bytes.Contains(text, []byte("vyxoquwez"))) {
					names[len(names)-1] += " with a text"
				}
			}
		}
		slices.Sort(names)
		return names
	}
	extractor := extract.New(extract.Options{})
	defer extractor.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var during, swept []string
	o := Options{Stages: []string{StageBM25}, NoEmbedder: "none", Work: work, Reader: extractor}
	o.Progress = func(phase string, done, _ int) {
		if phase == "query" && done == 2 {
			during = left()
			Sweep(work)
			swept = left()
			cancel()
		}
	}
	if _, err := Run(ctx, set, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !slices.Contains(during, indexFile+" with a text") && !slices.Contains(during, indexFile+"-wal with a text") || !slices.Equal(swept, during) {
		t.Errorf("in the middle there is %q, after somebody has swept %q", during, swept)
	}
	after := left()
	if len(after) != 3 || !strings.HasSuffix(after[0], ".jsonl") && !strings.HasSuffix(after[1], ".jsonl") || strings.Contains(strings.Join(after, " "), "text") {
		t.Errorf("left behind: %q", after)
	}

	journals, err := filepath.Glob(filepath.Join(work, "*", "*.jsonl"))
	if err != nil || len(journals) != 1 {
		t.Fatal(journals, err)
	}
	killed := filepath.Dir(journals[0])
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.WriteFile(filepath.Join(killed, indexFile+suffix), []byte("vyxoquwez"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(work)
	if got := left(); !slices.Equal(got, after) {
		t.Errorf("after a kill and a start: %q, want %q", got, after)
	}
	old := time.Now().Add(-stale - time.Hour)
	if err := os.Chtimes(killed, old, old); err != nil {
		t.Fatal(err)
	}
	Sweep(work)
	if got := left(); len(got) != 1 || got[0] != lockFile {
		t.Errorf("what nobody came back for: %q", got)
	}
}

// A query is found once; a ranker that two stages share is asked once.
func TestOnePoolServesEveryStage(t *testing.T) {
	var calls atomic.Int32
	shared := byLength{sign: 1, calls: &calls}
	lambda := 0.5
	r := run(t, Options{Local: shared, Tiers: map[string]rerank.Reranker{StageLate: byLength{sign: -1}, StageFast: shared}, MMR: &lambda},
		StageBM25, StageHybrid, StageRerank, StageLate, StageFast, StageRerankRRF)
	if n := calls.Load(); int(n) != len(r.Queries) {
		t.Errorf("asked %d times for %d queries", n, len(r.Queries))
	}
	p := r.Pools[0]
	names := map[string]string{}
	for _, d := range madeUpSet().Documents {
		names[nameOf(d.ID)] = d.ID
	}
	for stage, want := range map[string]string{
		StageBM25: "right longer longest", StageRerank: "longest longer right", StageFast: "longest longer right", StageLate: "right longer longest",
		StageRerankRRF: "longest right longer",
	} {
		var got []string
		for _, digest := range p.documents(p.order(stage, 40)) {
			got = append(got, names[digest])
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %s, want %s", stage, got, want)
		}
	}
	moved := r.Report.Stages[2].Rerank
	if moved.Moved.Hits != 9 || moved.Relevant.Hits != 3 || moved.Relevant.Buckets[3].Count != 3 { // down by two
		t.Errorf("moved %+v, relevant %+v", moved.Moved, moved.Relevant)
	}
}

// What the analyst typed is a query with its syntax; a data set's questions are words.
func TestTypedQueriesKeepTheirSyntax(t *testing.T) {
	set := madeUpSet()
	set.Queries = []Query{{ID: "1", Text: `fruit -bread`, Relevant: Judgement{"right": 1}}}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "eval.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := Options{Stages: []string{StageBM25}, NoEmbedder: "none", Progress: func(string, int, int) {}}
	place, err := index(t.Context(), s, set, o)
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[bool]int{true: 1, false: 3} {
		place.Typed = typed
		o.Place = place
		result, err := Run(t.Context(), set, o)
		if err != nil || len(result.Pools[0].Passages) != want {
			t.Errorf("typed %v: %d passages, want %d, %v", typed, len(result.Pools[0].Passages), want, err)
		}
	}
}
