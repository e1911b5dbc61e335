package app

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"fanous/backend/domain"
)

func TestWhatIsNoNumberCanBeEncoded(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	half := 0.5
	resp := domain.SearchResponse{
		Rerank:  domain.RerankTrace{ElapsedMS: inf, MMRLambda: &nan, Calibration: &domain.Calibration{KendallTau: &nan, Top5Overlap: &half}},
		Verdict: domain.Verdict{Threshold: &inf, Best: &half},
		Stages:  []domain.Stage{{Name: "fuse", MS: nan}},
		Hits: []domain.Hit{
			{Score: nan, Scores: domain.Scores{Dense: &nan, Fused: &half}, Duplicates: []domain.Duplicate{{Similarity: inf}}},
			{Score: half, More: []domain.MoreHit{{Score: nan}}},
		},
	}
	if _, err := json.Marshal(resp); err == nil {
		t.Fatal("it could be encoded as it was")
	}
	if n := finite(&resp); n != 9 {
		t.Errorf("%d changed, want 9", n)
	}
	if _, err := json.Marshal(resp); err != nil {
		t.Error(err)
	}
	if resp.Hits[0].Scores.Dense != nil || resp.Verdict.Threshold != nil {
		t.Error("an optional figure that is no number is said to be known")
	}
	if *resp.Hits[0].Scores.Fused != half || *resp.Verdict.Best != half || resp.Hits[1].Score != half || *resp.Rerank.Calibration.Top5Overlap != half {
		t.Error("a good figure was changed")
	}
	if !math.IsNaN(nan) {
		t.Error("what was pointed to was changed: others may hold it too")
	}
	if n := finite(&resp); n != 0 {
		t.Errorf("%d changed the second time", n)
	}
}

func TestASearchSaysThatFiguresAreMissing(t *testing.T) {
	good := encodable(domain.SearchResponse{Degraded: []string{}})
	if len(good.Degraded) != 0 {
		t.Errorf("a good answer is degraded: %q", good.Degraded)
	}
	bad := encodable(domain.SearchResponse{Hits: []domain.Hit{{Score: math.NaN()}}})
	if len(bad.Degraded) != 1 || bad.Hits[0].Score != 0 {
		t.Errorf("degraded %q, score %v", bad.Degraded, bad.Hits[0].Score)
	}
}

func TestEventsCanBeEncoded(t *testing.T) {
	shell := &note{}
	(&IndexService{shell: shell}).report()(domain.IndexProgress{Phase: domain.PhaseRead, Rate: math.Inf(1)})
	if _, err := json.Marshal(shell.events); err != nil {
		t.Error(err)
	}
}

func TestFiniteLooksIntoMaps(t *testing.T) {
	figures := map[string]map[string]float64{"a": {"good": 0.5, "bad": math.NaN()}}
	answer := struct{ Figures map[string]map[string]float64 }{figures}
	if n := finite(&answer); n != 1 || answer.Figures["a"]["bad"] != 0 || answer.Figures["a"]["good"] != 0.5 {
		t.Errorf("%d changed, and it is %v", n, answer.Figures)
	}
	if !math.IsNaN(figures["a"]["bad"]) {
		t.Error("the map was changed: others may hold it too")
	}
}

// Every kind of value that a service answers with is one that finite looks into.
func TestFiniteReachesEveryFigure(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(where string, ty reflect.Type)
	look = func(where string, ty reflect.Type) {
		if seen[ty] || ty == reflect.TypeFor[time.Time]() {
			return
		}
		seen[ty] = true
		switch ty.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			look(where+"[]", ty.Elem())
		case reflect.Struct:
			for i := range ty.NumField() {
				look(where+"."+ty.Field(i).Name, ty.Field(i).Type)
			}
		case reflect.Interface, reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func:
			t.Errorf("%s: finite does not look into %v", where, ty)
		}
	}
	look("Partial", reflect.TypeFor[Partial]())
	for _, service := range New(&note{}, nil).Services() {
		ty := reflect.TypeOf(service)
		for i := range ty.NumMethod() {
			for j := range ty.Method(i).Type.NumOut() {
				if out := ty.Method(i).Type.Out(j); out != reflect.TypeFor[error]() {
					look(ty.Elem().Name()+"."+ty.Method(i).Name, out)
				}
			}
		}
	}
}
