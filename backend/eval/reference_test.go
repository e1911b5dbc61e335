package eval

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// TestMetricsAreThoseOfTheReference compares every metric of every case with what trec_eval said; reference/record.py
// has written that down.
func TestMetricsAreThoseOfTheReference(t *testing.T) {
	text, err := os.ReadFile("testdata/metrics-reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Cases []struct {
			Name    string
			Judged  Judgement
			Run     [][2]any // document, score
			Metrics map[string]float64
		}
	}
	if err := json.Unmarshal(text, &reference); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range reference.Cases {
		slices.SortFunc(c.Run, func(a, b [2]any) int { // the reference's rule for ties; ours is the caller's
			return cmp.Or(cmp.Compare(b[1].(float64), a[1].(float64)), cmp.Compare(b[0].(string), a[0].(string)))
		})
		var ranked []string
		for _, d := range c.Run {
			ranked = append(ranked, d[0].(string))
		}
		got := measure(ranked, c.Judged)
		for metric, want := range c.Metrics {
			value, has := got[metric]
			if !has || !(math.Abs(value-want) <= 1e-6) {
				t.Errorf("%s: %s is %v, want %v", c.Name, metric, value, want)
			}
			compared++
		}
	}
	if compared < 50*4*len(cutoffs) {
		t.Errorf("only %d figures were compared", compared)
	}
}
