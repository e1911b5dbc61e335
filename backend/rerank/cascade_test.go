package rerank_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
	"fanous/models/tinyxlmr"
)

// TestCascadeConformance: once with a pool that goes whole to the second ranker, once with one that does not. Who
// is among the few depends on the company by its nature; the score of one that is there does not.
func TestCascadeConformance(t *testing.T) {
	first := rerank.NewLateInteraction(tokenModel(openEmbedder(t)))
	second := openTiny(t)
	for name, few := range map[string]int{"all of them": 100, "the best four": 4} {
		t.Run(name, func(t *testing.T) {
			c := rerank.NewCascade(first, second, rerank.CascadeOptions{Few: few})
			conformance(t, subject{Reranker: c, few: few})
			if info := c.Info(); info.Model != tinyxlmr.Name {
				t.Errorf("%+v", info)
			}
		})
	}
}

// tier scores made up by a function of the text, and takes its time for each.
type tier struct {
	name  string
	score func(text string) float64
	each  time.Duration
	fail  error // after half of the passages
	asked [][]string
}

func (r *tier) Info() rerank.Info {
	return rerank.Info{Backend: domain.Backend(r.name), Model: "made-up " + r.name}
}

func (r *tier) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	r.asked = append(r.asked, req.Passages)
	n := len(req.Passages)
	result := rerank.Result{Scores: make([]rerank.Score, n), Scored: make([]bool, n)}
	start := time.Now()
	for i, p := range req.Passages {
		if r.fail != nil && i >= n/2 {
			return rerank.Result{}, r.fail
		}
		if req.Budget > 0 && time.Since(start)+r.each > req.Budget {
			break
		}
		select {
		case <-time.After(r.each):
		case <-ctx.Done():
			return rerank.Result{}, ctx.Err()
		}
		raw := r.score(p)
		result.Scores[i], result.Scored[i] = rerank.Score{Raw: raw, Normalized: rerank.NormalizeLogit(raw)}, true
		if req.OnScore != nil {
			req.OnScore(i, result.Scores[i])
		}
	}
	return result, nil
}

// letters are passages whose first ranker's score is the letter's place, the last best.
func letters(s string) []string { return strings.Split(s, "") }

func place(text string) float64 { return float64(text[0] - 'a') }

func TestCascade(t *testing.T) {
	fault := errors.New("made-up fault")
	const pool = "cafdbega" // the second a is the same text
	for name, c := range map[string]struct {
		first, second tier
		options       rerank.CascadeOptions
		budget        time.Duration
		pool          string

		served, asked string // the ranker whose scores are the result; what the second was asked, sorted
		scored, rest  string
		tiers         [2]int
		exit          bool
		err           error
	}{
		"the best few go on": {
			served: "second", asked: "efg", scored: "efg", rest: "dcbaa", tiers: [2]int{8, 3},
		},
		"the same text goes on with its twin": {
			first:  tier{score: func(s string) float64 { return -place(s) }},
			served: "second", asked: "aabc", scored: "aabc", rest: "defg", tiers: [2]int{8, 4},
		},
		"a small pool needs no first ranker": {
			pool: "abca", served: "second", asked: "aabc", scored: "aabc", tiers: [2]int{0, 4},
		},
		"no time for the second": {
			budget: 8 * time.Second, served: "first", scored: "aabcdefg", tiers: [2]int{8, 0},
		},
		"no time for all of the first": {
			budget: 3 * time.Second, served: "first", scored: "acf", tiers: [2]int{3, 0},
		},
		"time for one of the second": {
			budget: 10 * time.Second, second: tier{each: 2 * time.Second},
			served: "second", asked: "efg", scored: "g", rest: "fedcbaa", tiers: [2]int{8, 1},
		},
		"too little time for any of the second": {
			budget: 9 * time.Second, second: tier{each: 2 * time.Second},
			served: "first", asked: "efg", scored: "aabcdefg", tiers: [2]int{8, 0},
		},
		"the second fails": {
			second: tier{fail: fault}, served: "first", asked: "efg", scored: "aabcdefg", tiers: [2]int{8, 0},
		},
		"the first fails": {
			first: tier{fail: fault}, served: "second", asked: "aacf", scored: "aacf", rest: "dbeg", tiers: [2]int{0, 4},
		},
		"both fail": {first: tier{fail: fault}, second: tier{fail: fault}, asked: "aacf", err: fault},
		"sure enough": {
			first: tier{score: func(s string) float64 {
				if s == "g" {
					return 100
				}
				return place(s)
			}},
			options: rerank.CascadeOptions{EarlyExit: true},
			served:  "first", scored: "aabcdefg", tiers: [2]int{8, 0}, exit: true,
		},
		"not sure enough": {
			options: rerank.CascadeOptions{EarlyExit: true},
			served:  "second", asked: "efg", scored: "efg", rest: "dcbaa", tiers: [2]int{8, 3},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				first, second := c.first, c.second
				first.name, second.name = "first", "second"
				if first.score == nil {
					first.score = place
				}
				if first.each == 0 {
					first.each = time.Second
				}
				second.score = func(s string) float64 { return -1000 - place(s) } // no score of both
				c.options.Few = 3
				passages := letters(c.pool)
				if c.pool == "" {
					passages = letters(pool)
				}
				told := map[int]rerank.Score{}
				result, err := rerank.NewCascade(&first, &second, c.options).Rerank(t.Context(), rerank.Request{
					Query: "q", Passages: passages, Budget: c.budget,
					OnScore: func(i int, s rerank.Score) {
						if _, twice := told[i]; twice {
							t.Errorf("%q was told twice", passages[i])
						}
						told[i] = s
					},
				})
				var asked []string
				for _, list := range second.asked {
					asked = append(asked, list...)
				}
				slices.Sort(asked)
				if got := strings.Join(asked, ""); got != c.asked {
					t.Errorf("the second was asked for %q, want %q", got, c.asked)
				}
				if !errors.Is(err, c.err) {
					t.Fatalf("error %v", err)
				}
				if c.err != nil {
					return
				}
				scored, rest := "", ""
				for i, ok := range result.Scored {
					if !ok {
						continue
					}
					scored += passages[i]
					if ofSecond := result.Scores[i].Raw <= -1000; ofSecond != (c.served == "second") {
						t.Errorf("%q has %v", passages[i], result.Scores[i])
					}
					if got, ok := told[i]; c.second.fail == nil && (!ok || got != result.Scores[i]) {
						t.Errorf("%q has %v, told was %v", passages[i], result.Scores[i], got)
					}
				}
				for _, i := range result.Tiers.Rest {
					rest += passages[i]
				}
				got := letters(scored)
				slices.Sort(got)
				tiers := [2]int{result.Tiers.First, result.Tiers.Second}
				if strings.Join(got, "") != c.scored || rest != c.rest || tiers != c.tiers ||
					string(result.Tiers.Served.Backend) != c.served || result.Tiers.EarlyExit != c.exit {
					t.Errorf("scored %q, rest %q, %+v", got, rest, result.Tiers)
				}
			})
		})
	}
}

func TestCascadeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, after := range []time.Duration{1, 8*time.Second + 1} { // in the first ranker, in the second
			ctx, cancel := context.WithTimeout(t.Context(), after)
			c := rerank.NewCascade(&tier{name: "first", score: place, each: time.Second},
				&tier{name: "second", score: place, each: time.Second}, rerank.CascadeOptions{Few: 3})
			if _, err := c.Rerank(ctx, rerank.Request{Query: "q", Passages: letters("abcdefgh")}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
			cancel()
		}
	})
}

func TestShouldEarlyExit(t *testing.T) {
	for name, c := range map[string]struct {
		scores []float64
		want   bool
	}{
		"none":                {nil, false},
		"too few to tell":     {[]float64{9, 1, 2, 1}, false},
		"one far above":       {[]float64{1, 2, 9, 1, 2}, true},
		"the same, elsewhere": {[]float64{1001, 1002, 1009, 1001, 1002}, true},
		"the same, smaller":   {[]float64{.001, .002, .009, .001, .002}, true},
		"two far above":       {[]float64{1, 2, 9, 8.9, 1, 2}, false},
		"evenly spread":       {[]float64{1, 2, 3, 4, 5, 6, 7}, false},
		"much variance":       {[]float64{-9, 9, 1, -5, 14}, false},
		"all the same":        {[]float64{3, 3, 3, 3, 3}, false},
		"others the same":     {[]float64{4, 3, 3, 3, 3}, false},
		"not finite":          {[]float64{math.NaN(), 3, 3, 2, 3}, false},
	} {
		if got := rerank.ShouldEarlyExit(c.scores); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
