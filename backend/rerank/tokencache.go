package rerank

import (
	"container/list"
	"math"
	"sync"
)

// quantized holds vectors in a byte a number: a quarter of the memory, and no difference in the
// order that anyone could see. Scores are always computed from these, cached or not, so that a
// score does not depend on what was asked before.
type quantized struct {
	values []int8
	scales []float32 // one a vector: value = int8 * scale
}

func (q quantized) dim() int { return len(q.values) / len(q.scales) }

func quantize(vectors []float32, dim int) quantized {
	q := quantized{values: make([]int8, len(vectors)), scales: make([]float32, len(vectors)/dim)}
	for j := range q.scales {
		vector := vectors[j*dim : (j+1)*dim]
		var top float32
		for _, v := range vector {
			top = max(top, v, -v)
		}
		if top == 0 {
			continue
		}
		q.scales[j] = top / math.MaxInt8
		for k, v := range vector {
			q.values[j*dim+k] = int8(math.Round(float64(v / q.scales[j])))
		}
	}
	return q
}

// tokenCache remembers the token vectors of passages, the latest used first, in a bounded number of
// bytes. It is safe for concurrent use.
type tokenCache struct {
	limit int

	mu      sync.Mutex
	bytes   int
	entries map[string]*list.Element
	order   *list.List // of *cached, latest used first
}

type cached struct {
	text    string
	vectors quantized
}

func (c *cached) bytes() int {
	const overhead = 200 // of the map, the list and the headers
	return len(c.text) + len(c.vectors.values) + 4*len(c.vectors.scales) + overhead
}

func newTokenCache(limit int) *tokenCache {
	return &tokenCache{limit: limit, entries: make(map[string]*list.Element), order: list.New()}
}

func (c *tokenCache) get(text string) (quantized, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[text]
	if !ok {
		return quantized{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).vectors, true
}

// put remembers the vectors of a text, unless they alone would fill the cache.
func (c *tokenCache) put(text string, vectors quantized) {
	entry := &cached{text: text, vectors: vectors}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[text]; ok || entry.bytes() > c.limit {
		return
	}
	c.entries[text] = c.order.PushFront(entry)
	c.bytes += entry.bytes()
	for c.bytes > c.limit {
		last := c.order.Back()
		old := c.order.Remove(last).(*cached)
		delete(c.entries, old.text)
		c.bytes -= old.bytes()
	}
}
