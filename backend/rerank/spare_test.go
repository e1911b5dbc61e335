package rerank_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

func TestSpare(t *testing.T) {
	fault := errors.New("made-up fault")
	for name, c := range map[string]struct {
		main, spare tier
		budget      time.Duration
		served      string // of the trace; empty: none
		fell        bool
		told        int
		said        []string
	}{
		"not needed":         {served: "main", told: 4},
		"needed":             {main: tier{fail: fault}, served: "spare", fell: true, told: 2, said: []string{"made-up main", "made-up fault"}},
		"no time for it":     {main: tier{fail: fault, each: time.Second}, budget: 2 * time.Second, fell: true, told: 2},
		"time for one":       {main: tier{fail: fault, each: time.Second}, spare: tier{each: time.Second}, budget: 3 * time.Second, served: "spare", fell: true, told: 2},
		"it fails too":       {main: tier{fail: fault}, spare: tier{fail: errors.New("another")}, fell: true, told: 2},
		"nothing in time":    {main: tier{each: time.Second}, budget: time.Millisecond, fell: true},
		"a part is no fault": {main: tier{each: time.Second}, budget: 2 * time.Second, served: "main", told: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				main, spare := c.main, c.spare
				main.name, spare.name = "main", "spare"
				main.score, spare.score = place, place
				chain := rerank.NewChain(rerank.Given(nil), rerank.WithSpare(&main, &spare), "", rerank.ChainOptions{})
				told := 0
				result, trace, err := chain.Rerank(t.Context(), domain.RerankLocal, rerank.Permission{}, rerank.Request{
					Query: "q", Passages: letters("abcd"), Budget: c.budget, OnScore: func(int, rerank.Score) { told++ },
				})
				if err != nil {
					t.Fatal(err)
				}
				served := domain.Backend(c.served)
				if served == "" {
					served = domain.BackendNone
				}
				if trace.Backend != served || (trace.FellBackFrom != nil) != c.fell || told != c.told {
					t.Errorf("%d told, %+v, %+v", told, trace, result)
				}
				for _, want := range c.said {
					if !strings.Contains(trace.Reason, want) {
						t.Errorf("%q is not said in %q", want, trace.Reason)
					}
				}
				if len(c.said) > 0 && (len(trace.Steps) != 1 || !trace.Steps[0].Failed || *trace.FellBackFrom != "main") {
					t.Errorf("%+v", trace)
				}
			})
		})
	}
}

// TestACascadeThatLacksItsPreciseRankerSaysSo in the trace of the chain.
func TestACascadeThatLacksItsPreciseRankerSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := &tier{name: "first", score: place}
		second := &tier{name: "second", score: place, fail: errors.New("made-up fault")}
		chain := rerank.NewChain(rerank.Given(nil), rerank.NewCascade(first, second, rerank.CascadeOptions{Few: 2}), "", rerank.ChainOptions{})
		_, trace, err := chain.Rerank(context.Background(), domain.RerankAuto, rerank.Permission{}, rerank.Request{Query: "q", Passages: letters("abcd")})
		if err != nil || trace.Backend != "first" || trace.Stage1N != 4 || trace.Stage2N != 0 ||
			trace.FellBackFrom == nil || *trace.FellBackFrom != "second" || !strings.Contains(trace.Reason, "made-up fault") {
			t.Errorf("%+v, %v", trace, err)
		}
	})
}
