package rerank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestTokenCacheIsBounded(t *testing.T) {
	entry := quantize(make([]float32, 4*8), 8)
	one := (&cached{text: "00", vectors: entry}).bytes()
	c := newTokenCache(3 * one)
	for i := range 10 {
		c.put(fmt.Sprintf("%02d", i), entry)
		c.get("00") // stays, being used
	}
	var kept []string
	for i := range 10 {
		if _, ok := c.get(fmt.Sprintf("%02d", i)); ok {
			kept = append(kept, fmt.Sprintf("%02d", i))
		}
	}
	if got := fmt.Sprint(kept); got != "[00 08 09]" {
		t.Errorf("kept %s", got)
	}
	if c.bytes != 3*one || len(c.entries) != c.order.Len() {
		t.Errorf("%d bytes of %d, %d entries and %d in order", c.bytes, c.limit, len(c.entries), c.order.Len())
	}
	c.put("too large", quantize(make([]float32, 100*one), 8))
	if _, ok := c.get("too large"); ok || c.bytes != 3*one {
		t.Errorf("what does not fit was kept, or drove the others out: %d bytes", c.bytes)
	}
	c.put("00", entry)
	if c.bytes != 3*one {
		t.Errorf("putting it twice counted it twice: %d bytes", c.bytes)
	}
}

func TestQuantizedMaxSim(t *testing.T) {
	const dim, tokens = 384, 20
	rng := rand.New(rand.NewPCG(1, 2))
	unit := func(n int) []float32 {
		v := make([]float32, n*dim)
		for i := range v {
			v[i] = float32(rng.NormFloat64()) / float32(math.Sqrt(dim))
		}
		return v
	}
	query, passage := unit(3), unit(tokens)
	copy(passage[7*dim:8*dim], query[1*dim:2*dim]) // token 7 is the query's token 1
	weights := []float64{0.2, 0.5, 0.3}

	want := 0.0
	for i, w := range weights {
		best := math.Inf(-1)
		for j := range tokens {
			sum := 0.0
			for k := range dim {
				sum += float64(query[i*dim+k]) * float64(passage[j*dim+k])
			}
			best = max(best, sum)
		}
		want += w * best
	}
	if got := maxSim(query, weights, quantize(passage, dim)); math.Abs(got-want) > 2e-3 {
		t.Errorf("%v, without quantizing %v", got, want)
	}
	if got := maxSim(query, weights, quantize(nil, dim)); got != 0 {
		t.Errorf("a passage without tokens has %v", got)
	}
	if got := maxSim(query, weights, quantize(make([]float32, dim), dim)); got != 0 {
		t.Errorf("a passage of zeros has %v", got)
	}
}
