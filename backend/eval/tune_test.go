package eval

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/store"
)

// TestASimulatedSearchIsTheSearch: what is worked out from a wide pool is what the pipeline does.
func TestASimulatedSearchIsTheSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	words := []string{"lantern", "boat", "river", "bread", "night", "hall", "pier", "storm"}
	set := Dataset{Name: "made up"}
	for i := range 400 {
		text := ""
		for range 3 + random.IntN(20) {
			text += words[random.IntN(len(words))] + " "
		}
		set.Documents = append(set.Documents, Document{ID: fmt.Sprint(i), Text: text + fmt.Sprint(i)})
	}
	for _, q := range []string{"lantern", "boat river", "storm at night", "bread"} {
		set.Queries = append(set.Queries, Query{ID: q, Text: q, Relevant: Judgement{"1": 1}})
	}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "eval.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := Options{NoEmbedder: "none", Local: byLength{sign: 1}, Progress: func(string, int, int) {}}
	if o.Place, err = index(t.Context(), s, set, o); err != nil {
		t.Fatal(err)
	}
	pools := func(candidates int, wide bool) []Pool {
		t.Helper()
		o := o
		o.Candidates, o.Wide = candidates, wide
		req, err := o.request()
		if err != nil {
			t.Fatal(err)
		}
		pools, _, err := runIn(t.Context(), t.TempDir(), set, o, req, []string{StageHybrid, StageRerank})
		if err != nil {
			t.Fatal(err)
		}
		return pools
	}
	chunks := func(p Pool, order []int) (out []int64) {
		for _, i := range order {
			out = append(out, p.Passages[i].Chunk)
		}
		return out
	}
	for _, n := range []int{10, 40} {
		wide := pools(n, true)
		for i, p := range pools(n, false) {
			for stage, reranks := range map[string]bool{StageHybrid: false, StageRerank: true} {
				want := chunks(p, p.order(stage, n))
				got := chunks(wide[i], wide[i].simulate(domain.SearchChoice{LexicalWeight: 0.3, Candidates: n, Rerank: reranks}))
				if !slices.Equal(got, want) {
					t.Errorf("%s with %d candidates, %s: %v, want %v", stage, n, set.Queries[i].Text, got, want)
				}
			}
		}
	}
	// Of fewer candidates, the arm may order those at its end anew; what stands before them is the same.
	deep := pools(TuningDepth, true)
	for i, p := range pools(20, false) {
		want := chunks(p, p.order(StageHybrid, 20))
		got := chunks(deep[i], deep[i].simulate(domain.SearchChoice{LexicalWeight: 0.3, Candidates: 20}))
		same := 0
		for _, c := range got[:10] {
			if slices.Contains(want[:10], c) {
				same++
			}
		}
		if same < 9 || len(got) != len(want) {
			t.Errorf("with 20 candidates, %s: %v, want %v", set.Queries[i].Text, got, want)
		}
	}
}

// made makes pools of ten passages in which the right one stands at the given rank of each arm, and has the given score of
// the reranker; the others are in no order.
func made(queries int, bm25, dense func(q int) int, right func() float64) (qs []Query, pools []Pool) {
	random := rand.New(rand.NewPCG(5, 5))
	arm := func(rightAt int) []int { // the rank of each passage, of which the first is the right one
		ranks := []int{rightAt}
		for _, i := range random.Perm(10) {
			if i+1 != rightAt {
				ranks = append(ranks, i+1)
			}
		}
		return ranks
	}
	for q := range queries {
		qs = append(qs, Query{ID: fmt.Sprint(q), Relevant: Judgement{"right": 2}})
		words, meaning := arm(bm25(q)), arm(dense(q))
		p := Pool{Query: fmt.Sprint(q), Ranked: map[string]Ranked{}}
		r := Ranked{Backend: domain.BackendLateInteraction}
		for i, chunk := range random.Perm(10) {
			name, score := fmt.Sprint("wrong ", i), random.Float64()
			if i == 0 {
				name, score = "right", right()
			}
			p.Passages = append(p.Passages, Passage{
				Document: name, Chunk: int64(chunk),
				BM25: &Found{Rank: words[i], Score: 11 - float64(words[i])}, Dense: &Found{Rank: meaning[i], Score: 1 / float64(meaning[i])},
			})
			r.Scores, r.Order = append(r.Scores, &score), append(r.Order, i)
		}
		slices.SortFunc(r.Order, func(a, b int) int { return cmp.Compare(*r.Scores[b], *r.Scores[a]) })
		best := *r.Scores[r.Order[0]]
		r.Best = &best
		p.Ranked[StageRerank] = r
		pools = append(pools, p)
	}
	return qs, pools
}

var now = domain.SearchChoice{LexicalWeight: 0.3, Candidates: 40, Top: 5, Rerank: true}

func always(rank int) func(int) int { return func(int) int { return rank } }

func scored(score float64) func() float64 { return func() float64 { return score } }

var anywhere = rand.New(rand.NewPCG(6, 6)).Float64

func TestTuningFindsWhatIsBetter(t *testing.T) {
	// Words find the right passage first, meaning last, and reranking puts it anywhere.
	qs, pools := made(60, always(1), always(10), anywhere)
	s := Tune(now, qs, pools)
	if !s.Significant || s.Best.Rerank || s.Best.LexicalWeight < 0.5 || s.BestNDCG < 0.99 || s.Gain.Low <= 0 || s.Gain.Gain > s.BestNDCG-s.NowNDCG+1e-9 {
		t.Errorf("%+v", s)
	}
	if again := Tune(now, qs, pools); again.Best != s.Best || again.Gain != s.Gain {
		t.Errorf("again: %+v", again)
	}
	// Reranking finds it: nothing is to be changed but how much is read.
	qs, pools = made(60, always(9), always(9), scored(2.0))
	if s = Tune(now, qs, pools); s.Significant || !s.Best.Rerank || s.BestNDCG != 1 || s.Best.LexicalWeight != now.LexicalWeight {
		t.Errorf("%+v", s)
	}
}

// What looks better by chance is not called so: what was chosen gains nothing on queries that had no say in it, though it
// does on all.
func TestTuningDoesNotTakeChanceForAGain(t *testing.T) {
	taken, gained, seen := 0, 0.0, 0.0
	for trial := range 20 {
		random := rand.New(rand.NewPCG(uint64(trial), 9))
		ranks := make([]int, 80)
		for i := range ranks {
			ranks[i] = 1 + random.IntN(10)
		}
		qs, pools := made(40, func(q int) int { return ranks[q] }, func(q int) int { return ranks[40+q] }, random.Float64)
		s := Tune(domain.SearchChoice{LexicalWeight: 0.3, Candidates: 40, Top: 5}, qs, pools)
		if s.Significant {
			taken++
		}
		gained, seen = gained+s.Gain.Gain/20, seen+(s.BestNDCG-s.NowNDCG)/20
	}
	if taken > 3 || gained > 0.01 || seen < 0.03 {
		t.Errorf("in %d of 20 sets without any pattern a gain was found; mean gain %.3f, seen %.3f", taken, gained, seen)
	}
}

func TestACascadeIsNotTakenApart(t *testing.T) {
	qs, pools := made(40, always(1), always(10), anywhere)
	for _, p := range pools {
		r := p.Ranked[StageRerank]
		r.Tiers = true
		p.Ranked[StageRerank] = r
	}
	s := Tune(now, qs, pools)
	if s.FixedRerank == "" || !s.Best.Rerank || s.Best.Candidates != now.Candidates || s.Best.LexicalWeight < 0.5 {
		t.Errorf("%+v", s)
	}
}

func TestAThresholdStandsBetweenRightAndWrong(t *testing.T) {
	_, low := made(20, always(1), always(1), scored(-1.0))
	qs, high := made(20, always(1), always(1), scored(3.0))
	got, why := threshold(append(slices.Clone(qs), qs...), append(slices.Clone(low), high...))
	if at := got[domain.BackendLateInteraction]; why != "" || at < 0.9 || at > 3 {
		t.Errorf("%v, %s", got, why)
	}
	if _, why := threshold(qs, high); why == "" {
		t.Error("a threshold though nothing was wrong")
	}
}

func TestHarmIsWhatIsSignificant(t *testing.T) {
	report := func(queries int, against Delta) Report {
		return Report{Queries: queries, Stages: []StageReport{{Name: StageRerank, Against: []Comparison{{Stage: StageDepth, Input: true, NDCG: against}}}}}
	}
	harm := Delta{Delta: -0.2, Interval: Interval{-0.3, -0.1}, P: 0.001, Significant: true}
	if e, is := Harm(report(40, harm)); !is || e.Gain != -0.2 || e.Queries != 40 {
		t.Errorf("%+v, %v", e, is)
	}
	chance := harm
	chance.Significant = false
	for name, r := range map[string]Report{"few": report(20, harm), "chance": report(40, chance), "better": report(40, Delta{Delta: 0.2, Significant: true})} {
		if _, is := Harm(r); is {
			t.Errorf("%s: called harm", name)
		}
	}
}

// The best of many combinations is no recommendation where chance explains it.
func TestAMatrixRecommendsNoLuck(t *testing.T) {
	set := madeUpSet()
	m, err := RunMatrix(t.Context(), set, domain.SearchChoice{LexicalWeight: 0.3, Candidates: 40, Top: 5}, nil, Options{NoEmbedder: "none"})
	if err != nil || len(m.Cells) < 5 || m.Recommended.Choice != m.Now.Choice || m.Now.Metrics[NDCG] != 1 || m.Suggestions[0].Queries != 3 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestTheBestChoiceIsTheLeastChange(t *testing.T) {
	choice := func(weight float64, candidates int) domain.SearchChoice {
		return domain.SearchChoice{LexicalWeight: weight, Candidates: candidates, Top: 5, Rerank: true}
	}
	choices := []domain.SearchChoice{choice(0.3, 40), choice(0.9, 20), choice(0.4, 20), choice(0.4, 80)}
	for name, tt := range map[string]struct {
		means []float64
		want  int
	}{
		"what is set is as good":                {[]float64{0.5, 0.501, 0.501, 0.501}, 0},
		"the one that reads least":              {[]float64{0.4, 0.4, 0.5, 0.501}, 2},
		"then the nearest":                      {[]float64{0.4, 0.501, 0.5, 0.501}, 2},
		"one that is better by more than a bit": {[]float64{0.4, 0.5, 0.5, 0.6}, 3},
	} {
		table := make([][]float64, len(choices))
		for i, m := range tt.means {
			table[i] = []float64{m, m}
		}
		if got := best(choices, table, func(int) bool { return true }); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
