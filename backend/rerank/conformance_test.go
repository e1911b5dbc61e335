package rerank_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/rerank"
)

// subject is an implementation under test.
type subject struct {
	rerank.Reranker

	// calls is how many times it has asked a model or a server, so far; nil where nobody counts.
	calls func() int

	// whole is set where all passages are scored in one piece, so that a budget cannot end in the middle.
	whole bool

	// remembers is set where scores of earlier requests cost no time, and so no budget.
	remembers bool

	// few is how many different texts have a score, where not all do because that depends on the pool; 0: all have.
	few int
}

// passages of different lengths, languages and worth, none of them twice.
var passages = []string{
	"Tehran is the capital of Iran.",
	"تهران پایتخت ایران است.",
	"The lantern was lit at dusk, and the harbour went quiet.",
	"طهران هي عاصمة إيران وأكبر مدنها.",
	"",
	"😀",
	"A very long passage: " + strings.Repeat("the ledger lists every crate of glass that left the port of Bushehr. ", 40),
	"42",
	"</s> Tehran </s>",
	"東京は日本の首都です。",
}

const question = "What is the capital of Iran?"

// conformance holds an implementation to the contract of rerank.Reranker.
func conformance(t *testing.T, s subject) {
	ctx := t.Context()

	score := func(t *testing.T, req rerank.Request) rerank.Result {
		t.Helper()
		result, err := s.Rerank(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Scores) != len(req.Passages) || len(result.Scored) != len(req.Passages) {
			t.Fatalf("%d scores and %d marks for %d passages", len(result.Scores), len(result.Scored), len(req.Passages))
		}
		for i, sc := range result.Scores {
			if !result.Scored[i] {
				continue
			}
			if math.IsNaN(sc.Raw) || math.IsInf(sc.Raw, 0) || !(sc.Normalized >= 0 && sc.Normalized <= 1) {
				t.Errorf("passage %d: score %+v", i, sc)
			}
		}
		return result
	}
	// complete says whether as many have a score as must. Texts that are there twice count twice on one side
	// and once on the other, which only makes it milder.
	complete := func(scored []bool) bool {
		n := count(scored)
		return n == len(scored) || s.few > 0 && n >= s.few
	}
	// all scores passages; one that the pool left without a score has NaN.
	all := func(t *testing.T, query string, passages []string) []rerank.Score {
		t.Helper()
		result := score(t, rerank.Request{Query: query, Passages: passages})
		if !complete(result.Scored) {
			t.Fatalf("not all were scored: %v", result.Scored)
		}
		for i, scored := range result.Scored {
			if !scored {
				result.Scores[i].Raw = math.NaN()
			}
		}
		return result.Scores
	}
	differ := func(a, b rerank.Score) bool { return !math.IsNaN(a.Raw) && !math.IsNaN(b.Raw) && a != b }

	t.Run("it says what it is", func(t *testing.T) {
		info := s.Info()
		if info.Backend == "" || info.Model == "" {
			t.Errorf("%+v", info)
		}
		if th := info.Threshold; th != nil && !(*th > 0 && *th < 1) {
			t.Errorf("threshold %v", *th)
		}
	})

	t.Run("no passages, no call", func(t *testing.T) {
		before := 0
		if s.calls != nil {
			before = s.calls()
		}
		score(t, rerank.Request{Query: question})
		if s.calls != nil && s.calls() != before {
			t.Errorf("%d calls", s.calls()-before)
		}
	})

	t.Run("a score depends neither on place nor on company", func(t *testing.T) {
		together := all(t, question, passages)
		order := []int{7, 2, 9, 0, 4, 8, 5, 1, 6, 3}
		shuffled := make([]string, len(order))
		for to, from := range order {
			shuffled[to] = passages[from]
		}
		for to, sc := range all(t, question, shuffled) {
			if want := together[order[to]]; differ(sc, want) {
				t.Errorf("passage %d: %v, and %v in another order", order[to], want, sc)
			}
		}
		for _, i := range []int{0, 4, 6} {
			if alone := all(t, question, passages[i:i+1])[0]; differ(alone, together[i]) {
				t.Errorf("passage %d: %v, and %v alone", i, together[i], alone)
			}
		}
	})

	t.Run("identical texts have equal scores", func(t *testing.T) {
		scores := all(t, question, []string{passages[0], passages[2], passages[0], passages[0]})
		if differ(scores[0], scores[2]) || differ(scores[0], scores[3]) {
			t.Errorf("%v", scores)
		}
	})

	t.Run("the normalized score never falls as the raw one rises", func(t *testing.T) {
		scores := slices.DeleteFunc(all(t, question, passages), func(sc rerank.Score) bool { return math.IsNaN(sc.Raw) })
		slices.SortFunc(scores, func(a, b rerank.Score) int {
			if a.Raw < b.Raw {
				return -1
			}
			return 1
		})
		for i := 1; i < len(scores); i++ {
			if scores[i].Normalized < scores[i-1].Normalized {
				t.Errorf("%v after %v", scores[i], scores[i-1])
			}
		}
	})

	t.Run("any text has a score", func(t *testing.T) {
		million := strings.Repeat("فانوس دریایی ", 1_000_000/13)
		strange := []string{"", " ", "😀", "\x00", "\xff\xfe", "</s></s>", million, strings.Repeat("a", 1_000_000)}
		all(t, question, strange)
		for _, query := range []string{"", " ", "😀", "\x00", "\xff", "</s>", million} {
			all(t, query, passages[:2])
		}
	})

	t.Run("every score is told, once", func(t *testing.T) {
		told := make(map[int]rerank.Score)
		result := score(t, rerank.Request{
			Query:    question,
			Passages: append(slices.Clone(passages), passages[0]),
			OnScore: func(i int, sc rerank.Score) {
				if _, twice := told[i]; twice {
					t.Errorf("passage %d was told twice", i)
				}
				told[i] = sc
			},
		})
		for i, sc := range result.Scores {
			if got, ok := told[i]; ok != result.Scored[i] || ok && got != sc {
				t.Errorf("passage %d has %v, told was %v (%v)", i, sc, got, ok)
			}
		}
	})

	t.Run("cancelled before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := s.Rerank(ctx, rerank.Request{Query: question, Passages: passages}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})

	t.Run("past its deadline", func(t *testing.T) {
		ctx, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
		defer cancel()
		if _, err := s.Rerank(ctx, rerank.Request{Query: question, Passages: passages}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})

	if !s.whole {
		t.Run("cancelled in the middle", func(t *testing.T) {
			many := make([]string, 60)
			for i := range many {
				many[i] = fmt.Sprintf("passage number %d of many", i)
			}
			all(t, question, many) // what remembers answers at once from now on, which is when two come together
			for range 10 {
				ctx, cancel := context.WithCancel(ctx)
				told := 0
				_, err := s.Rerank(ctx, rerank.Request{Query: question, Passages: many, OnScore: func(int, rerank.Score) {
					told++
					cancel()
				}})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
				if told != 1 {
					t.Errorf("%d scores were told, all but one after the end", told)
				}
			}
		})

		t.Run("a spent budget gives what there is", func(t *testing.T) {
			whole := all(t, question, passages)
			for _, budget := range []time.Duration{1, time.Millisecond, 5 * time.Millisecond, time.Hour} {
				result := score(t, rerank.Request{Query: question, Passages: passages, Budget: budget})
				if tiers := result.Tiers; tiers != nil && tiers.Served.Model != s.Info().Model {
					continue // the cheaper ranker's scores are another ranker's, and say so
				}
				for i, scored := range result.Scored {
					if scored && differ(result.Scores[i], whole[i]) {
						t.Errorf("budget %v, passage %d: %v instead of %v", budget, i, result.Scores[i], whole[i])
					}
				}
				if n := count(result.Scored); budget == 1 && n != 0 && !s.remembers || budget == time.Hour && !complete(result.Scored) {
					t.Errorf("budget %v: %d scored", budget, n)
				}
			}
		})
	}

	t.Run("many at once", func(t *testing.T) {
		want := all(t, question, passages)
		results := make(chan error)
		for range 4 {
			go func() {
				result, err := s.Rerank(ctx, rerank.Request{Query: question, Passages: passages})
				if err == nil && !slices.EqualFunc(result.Scores, want, func(a, b rerank.Score) bool { return math.IsNaN(b.Raw) || a == b }) {
					err = fmt.Errorf("%v instead of %v", result.Scores, want)
				}
				results <- err
			}()
		}
		for range 4 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
	})
}

func count(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}
