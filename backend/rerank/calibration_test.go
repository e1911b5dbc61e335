package rerank

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
)

func TestIsotonicByHand(t *testing.T) {
	points := func(raw, score []float64) []knot {
		var out []knot
		for i := range raw {
			out = append(out, knot{raw[i], score[i], 1})
		}
		return out
	}
	tests := []struct {
		name       string
		raw, score []float64
		want       []knot
	}{
		{"nothing", nil, nil, nil},
		{"one", []float64{3}, []float64{.4}, []knot{{3, .4, 1}}},
		{"rising already", []float64{1, 2, 3}, []float64{.1, .2, .9}, []knot{{1, .1, 1}, {2, .2, 1}, {3, .9, 1}}},
		{"one violation", []float64{1, 2, 3, 4}, []float64{0, .75, .25, 1}, []knot{{1, 0, 1}, {2.5, .5, 2}, {4, 1, 1}}},
		{"falling", []float64{1, 2, 3}, []float64{.75, .5, .25}, []knot{{2, .5, 3}}},
		{"back to the first", []float64{1, 2, 3, 4}, []float64{.25, .5, .75, 0}, []knot{{1, .25, 1}, {3, 1.25 / 3, 3}}},
		{"same raw is one point", []float64{1, 1, 2}, []float64{0, 1, .75}, []knot{{1, .5, 2}, {2, .75, 1}}},
		{"in any order", []float64{4, 2, 1, 3}, []float64{1, .75, 0, .25}, []knot{{1, 0, 1}, {2.5, .5, 2}, {4, 1, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := isotonic(points(tt.raw, tt.score))
			if !slices.EqualFunc(got, tt.want, near) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func near(a, b knot) bool {
	return math.Abs(a.raw-b.raw) < 1e-12 && math.Abs(a.score-b.score) < 1e-12 && a.weight == b.weight
}

// TestIsotonicIsLeastSquares compares with all ways to cut a few points into blocks: the fit is that
// one whose block means rise and which is nearest to the points.
func TestIsotonicIsLeastSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		score := make([]float64, 1+rng.IntN(8))
		points := make([]knot, len(score))
		for i := range score {
			score[i] = float64(rng.IntN(11)) / 10
			points[i] = knot{float64(i), score[i], 1}
		}
		best := math.Inf(1)
		for cuts := range 1 << (len(score) - 1) {
			sum, last, from := 0.0, math.Inf(-1), 0
			for i := range score {
				if i+1 < len(score) && cuts>>i&1 == 0 {
					continue
				}
				mean := 0.0
				for _, s := range score[from : i+1] {
					mean += s / float64(i+1-from)
				}
				for _, s := range score[from : i+1] {
					sum += (s - mean) * (s - mean)
				}
				if mean < last {
					sum = math.Inf(1)
				}
				last, from = mean, i+1
			}
			best = min(best, sum)
		}
		got, at := 0.0, 0
		for _, b := range isotonic(points) {
			for range int(b.weight) {
				got += (score[at] - b.score) * (score[at] - b.score)
				at++
			}
		}
		if at != len(score) || math.Abs(got-best) > 1e-9 {
			t.Fatalf("%v: %v from the points, %v is possible", score, got, best)
		}
	}
}

// made pairs of searches whose rerankers agree but for noise. The scores are made up.
func made(rng *rand.Rand, searches, each int, noise float64) []domain.ScorePair {
	var out []domain.ScorePair
	for s := range searches {
		for range each {
			raw := rng.NormFloat64() * 3
			out = append(out, domain.ScorePair{
				ID: rng.Int64(), Search: int64(s + 1), Local: raw,
				Remote: sigmoid(raw + noise*rng.NormFloat64()),
			})
		}
	}
	return out
}

func TestTheMapIsMonotoneBoundedAndIndifferentToOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		pairs := made(rng, 1+rng.IntN(30), 1+rng.IntN(40), rng.Float64()*20)
		for i := range pairs { // ties on both sides
			if rng.IntN(3) == 0 {
				pairs[i].Local = math.Round(pairs[i].Local)
			}
			if rng.IntN(3) == 0 {
				pairs[i].Remote = math.Round(pairs[i].Remote)
			}
		}
		c := Calibrate(pairs)
		raws := make([]float64, 300)
		for i := range raws {
			raws[i] = rng.NormFloat64() * 5
		}
		for _, p := range pairs {
			raws = append(raws, p.Local, math.Nextafter(p.Local, math.Inf(1)))
		}
		slices.Sort(raws)
		last := 0.0
		for _, raw := range raws {
			s := c.Score(raw)
			if !(s >= last && s <= 1) {
				t.Fatalf("%v gives %v after %v", raw, s, last)
			}
			last = s
		}
		rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		again := Calibrate(pairs)
		if !slices.Equal(again.knots, c.knots) || !same(again.agreement.KendallTau, c.agreement.KendallTau) ||
			!same(again.agreement.Top5Overlap, c.agreement.Top5Overlap) {
			t.Fatal("another order of the pairs, another calibration")
		}
	}
}

func same(a, b *float64) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

func TestCalibratingWhatIsCalibratedChangesNothing(t *testing.T) {
	points := func(ks []knot) []knot { return slices.Clone(ks) }
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		var in []knot
		for _, p := range made(rng, 10, 1+rng.IntN(40), 3) {
			in = append(in, knot{p.Local, p.Remote, 1})
		}
		once := isotonic(in)
		if twice := isotonic(points(once)); !slices.Equal(once, twice) {
			t.Fatalf("%v, then %v", once, twice)
		}
	}
}

func TestTheMapTellsApartAndFollowsTheOtherScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	c := Calibrate(made(rng, 50, 40, 1))
	if len(c.knots) < 10 {
		t.Fatalf("only %d knots", len(c.knots))
	}
	for i, k := range c.knots {
		if k.weight < knotPairs || i > 0 && (c.knots[i-1].raw >= k.raw || c.knots[i-1].score >= k.score) {
			t.Errorf("knot %d is %v after %v", i, k, c.knots[max(0, i-1)])
		}
	}
	low, high := c.knots[0].raw, c.knots[len(c.knots)-1].raw
	last := -1.0
	for raw := low; raw < high; raw += (high - low) / 1000 { // no two are tied between the ends
		s := c.Score(raw)
		if s <= last {
			t.Fatalf("%v gives %v, not above %v", raw, s, last)
		}
		last = s
	}
	for _, raw := range []float64{-2, -1, 0, 1, 2} { // noise of 1 flattens the curve somewhat
		if got, want := c.Score(raw), sigmoid(raw*.85); math.Abs(got-want) > .08 {
			t.Errorf("%v gives %.3f, about %.3f is right", raw, got, want)
		}
	}
	if got := Calibrate(nil).Score(1); got != 0 {
		t.Errorf("without a pair it gives %v", got)
	}
}

func TestKendallTauBByHand(t *testing.T) {
	tests := []struct {
		remote, local []float64
		want          float64
	}{
		{[]float64{.1, .2, .3, .4}, []float64{1, 2, 3, 4}, 1},
		{[]float64{.1, .2, .3, .4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{.1, .2, .3, .4}, []float64{1, 2, 4, 3}, 4. / 6},
		// 6 couples; one tied on the left, none on the right: 5 agree of sqrt(5*6).
		{[]float64{.1, .1, .3, .4}, []float64{1, 2, 3, 4}, 5 / math.Sqrt(30)},
		// One tied on each side, not the same: 4 agree of sqrt(5*5).
		{[]float64{.1, .1, .3, .4}, []float64{1, 2, 3, 3}, 4. / 5},
		// The same one tied on both: what is left agrees.
		{[]float64{.1, .1, .3, .4}, []float64{1, 1, 3, 4}, 1},
		{[]float64{.5, .5, .5}, []float64{1, 2, 3}, math.NaN()},
		{[]float64{.5}, []float64{1}, math.NaN()},
	}
	for _, tt := range tests {
		var pairs []domain.ScorePair
		for i := range tt.remote {
			pairs = append(pairs, domain.ScorePair{Remote: tt.remote[i], Local: tt.local[i]})
		}
		got := kendallTauB(pairs)
		if math.IsNaN(got) != math.IsNaN(tt.want) || math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v against %v: %v, want %v", tt.remote, tt.local, got, tt.want)
		}
	}
}

func TestAgreementIsTheMeanOverSearches(t *testing.T) {
	search := func(number int64, n int, local func(i int) float64) []domain.ScorePair {
		var out []domain.ScorePair
		for i := range n {
			out = append(out, domain.ScorePair{ID: int64(i), Search: number, Remote: float64(i) / 20, Local: local(i)})
		}
		return out
	}
	forward := func(i int) float64 { return float64(i) }
	back := func(i int) float64 { return -float64(i) }
	tests := []struct {
		name         string
		pairs        []domain.ScorePair
		tau, overlap float64 // NaN: nothing tells
	}{
		{"none", nil, math.NaN(), math.NaN()},
		{"alike", search(1, 10, forward), 1, 1},
		{"one alike, one opposite", slices.Concat(search(1, 10, forward), search(2, 10, back)), 0, .5},
		{"too few for the best five", search(1, 9, forward), 1, math.NaN()},
		{"all tied is no search", slices.Concat(search(1, 10, forward), search(2, 3, func(int) float64 { return 1 })), 1, 1},
		{"two of five", search(1, 13, func(i int) float64 { return float64((i + 3) % 13) }), math.NaN(), .4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Calibrate(tt.pairs).Describe()
			if !math.IsNaN(tt.tau) && (d.KendallTau == nil || math.Abs(*d.KendallTau-tt.tau) > 1e-12) ||
				tt.pairs == nil && d.KendallTau != nil {
				t.Errorf("tau is %v, want %v", d.KendallTau, tt.tau)
			}
			if math.IsNaN(tt.overlap) != (d.Top5Overlap == nil) || d.Top5Overlap != nil && math.Abs(*d.Top5Overlap-tt.overlap) > 1e-12 {
				t.Errorf("overlap is %v, want %v", d.Top5Overlap, tt.overlap)
			}
		})
	}
}

func TestItIsRefusedBelowTheMinimumAndWhereTheyDisagree(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	opposite := made(rng, 20, 10, 1)
	for i := range opposite {
		opposite[i].Local *= -1
	}
	tied := made(rng, 20, 10, 1)
	for i := range tied {
		tied[i].Remote = .5
	}
	tests := []struct {
		name  string
		pairs []domain.ScorePair
		says  string // empty: applied
	}{
		{"nothing", nil, "pairs 0 (at least 200 are needed), searches 0 (at least 20)."},
		{"enough", made(rng, 20, 10, 1), ""},
		{"one pair short", made(rng, 20, 10, 1)[1:], "pairs 199 (at least 200 are needed), searches 20 (at least 20)."},
		{"one search short", made(rng, 19, 40, 1), "pairs 760 (at least 200 are needed), searches 19 (at least 20)."},
		{"opposite", opposite, "agree too little"},
		{"noise", made(rng, 20, 10, 1000), "agree too little"},
		{"all the same", tied, "no search tells"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Calibrate(tt.pairs)
			if got := c.Refusal(); !strings.Contains(got, tt.says) || (got == "") != (tt.says == "") {
				t.Errorf("it says %q, want %q", got, tt.says)
			}
			d := c.Describe()
			if d.Applied || d.Pairs != len(tt.pairs) || tt.says == "" && d.Reason != "Calibrated on 200 pairs." || tt.says != "" && d.Reason != c.Refusal() {
				t.Errorf("described as %+v", d)
			}
		})
	}
}

func TestCalibrationNeverReorders(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	c := Calibrate(made(rng, 30, 30, 4))
	raws := make([]float64, 100)
	for i := range raws {
		raws[i] = rng.NormFloat64() * 4
	}
	slices.SortFunc(raws, func(a, b float64) int { return cmp.Compare(b, a) })
	if !slices.IsSortedFunc(raws, func(a, b float64) int { return cmp.Compare(c.Score(b), c.Score(a)) }) {
		t.Error("the order by calibrated score is another one")
	}
}

// BenchmarkCalibrate is what a search of a fresh process pays for a full table of pairs, reading aside.
func BenchmarkCalibrate(b *testing.B) {
	pairs := made(rand.New(rand.NewPCG(7, 7)), 125, 40, 2)
	for b.Loop() {
		Calibrate(pairs)
	}
}
