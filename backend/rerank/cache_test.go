package rerank_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// memory keeps scores as the store does, but at once.
type memory struct {
	mu     sync.Mutex
	scores map[[32]byte]domain.KeptScore
}

func (m *memory) kept() rerank.Kept {
	m.scores = map[[32]byte]domain.KeptScore{}
	return rerank.Kept{
		Get: func(_ context.Context, keys [][32]byte) map[[32]byte]float64 {
			m.mu.Lock()
			defer m.mu.Unlock()
			out := map[[32]byte]float64{}
			for _, k := range keys {
				if s, ok := m.scores[k]; ok {
					out[k] = s.Raw
				}
			}
			return out
		},
		Put: func(scores []domain.KeptScore) {
			m.mu.Lock()
			defer m.mu.Unlock()
			for _, s := range scores {
				m.scores[s.Key] = s
			}
		},
	}
}

// counting counts the passages that it is asked about; its made-up scores are a share of their length.
type counting struct {
	digest string
	asked  []string
	fail   error // after the first passage
}

func (c *counting) Info() rerank.Info {
	return rerank.Info{Backend: domain.BackendCrossEncoder, Model: "counting", Digest: c.digest}
}

func (c *counting) Rerank(_ context.Context, req rerank.Request) (rerank.Result, error) {
	r := rerank.Result{Scores: make([]rerank.Score, len(req.Passages)), Scored: make([]bool, len(req.Passages))}
	for i, p := range req.Passages {
		if i == 1 && c.fail != nil {
			return rerank.Result{}, c.fail
		}
		c.asked = append(c.asked, p)
		r.Scores[i], r.Scored[i] = rerank.Score{Raw: float64(len(p)), Normalized: rerank.NormalizeLogit(float64(len(p)))}, true
		if req.OnScore != nil {
			req.OnScore(i, r.Scores[i])
		}
	}
	return r, nil
}

func chunksOf(n int) (ids []int64) {
	for i := range n {
		ids = append(ids, int64(100+i))
	}
	return ids
}

func TestCachedAsksOnlyForWhatItDoesNotKnow(t *testing.T) {
	var m memory
	kept := m.kept()
	model := &counting{digest: "a"}
	c := rerank.NewCached(model, kept, rerank.NormalizeLogit)
	rank := func(r rerank.Reranker, query string, passages ...string) []rerank.Score {
		t.Helper()
		model.asked = nil
		result, err := r.Rerank(t.Context(), rerank.Request{Query: query, Passages: passages, Chunks: chunksOf(len(passages))})
		if err != nil || slices.Contains(result.Scored, false) {
			t.Fatalf("%+v, %v", result, err)
		}
		return result.Scores
	}
	asked := func(want ...string) {
		t.Helper()
		if !slices.Equal(model.asked, want) {
			t.Errorf("asked for %q, not %q", model.asked, want)
		}
	}

	first := rank(c, "q", "one", "three")
	asked("one", "three")
	again := rank(c, "q", "three", "seven", "one")
	asked("seven")
	if again[0] != first[1] || again[2] != first[0] {
		t.Errorf("%v, then %v", first, again)
	}
	rank(c, "qo", "ne") // the same bytes, divided otherwise
	asked("ne")
	rank(c, "Q", "one")
	asked("one")
	rank(rerank.NewCached(&counting{digest: "b"}, kept, rerank.NormalizeLogit), "q", "one") // another model
	if n := len(m.scores); n != 6 {
		t.Errorf("%d scores are kept", n)
	}
	for _, s := range m.scores {
		if s.ChunkID < 100 {
			t.Errorf("kept without its chunk: %+v", s)
		}
	}

	nameless := rerank.NewCached(&counting{}, kept, rerank.NormalizeLogit)
	rank(nameless, "q", "one")
	if _, err := c.Rerank(t.Context(), rerank.Request{Query: "q", Passages: []string{"no chunk"}}); err != nil || len(m.scores) != 6 {
		t.Errorf("%d scores are kept, %v", len(m.scores), err)
	}
}

func TestCachedKeepsWhatAFailureLeaves(t *testing.T) {
	var m memory
	fault := errors.New("made-up fault")
	model := &counting{digest: "a", fail: fault}
	c := rerank.NewCached(model, m.kept(), rerank.NormalizeLogit)
	_, err := c.Rerank(t.Context(), rerank.Request{Query: "q", Passages: []string{"x", "y"}, Chunks: chunksOf(2)})
	if !errors.Is(err, fault) || len(m.scores) != 1 {
		t.Errorf("%d scores are kept, %v", len(m.scores), err)
	}
}

// chunked gives every request chunks, so that the suite exercises the keeping.
type chunked struct{ rerank.Reranker }

func (c chunked) Rerank(ctx context.Context, req rerank.Request) (rerank.Result, error) {
	req.Chunks = chunksOf(len(req.Passages))
	return c.Reranker.Rerank(ctx, req)
}

func TestCachedConformance(t *testing.T) {
	c := openTiny(t)
	var m memory
	conformance(t, subject{Reranker: chunked{rerank.NewCached(c, m.kept(), rerank.NormalizeLogit)}, remembers: true})
	if len(m.scores) == 0 {
		t.Error("nothing was kept")
	}
}

// TestDigestsTellModelsApart: what a score depends on is in the digest.
func TestDigestsTellModelsApart(t *testing.T) {
	manifest := tinyManifest(t)
	base := rerank.CrossEncoderInfo(manifest, "CPU").Digest
	if len(base) != 64 {
		t.Fatalf("digest %q", base)
	}
	seen := map[string]string{base: "itself"}
	for name, change := range map[string]func(){
		"precision": func() { manifest.Precision = "int8" },
		"tokens":    func() { manifest.MaxTokens = 256 },
		"query":     func() { manifest.MaxQueryTokens = 64 },
		"weights":   func() { manifest.Files[0].SHA256 = fmt.Sprintf("%064d", 1) },
		"tokenizer": func() { manifest.Files[1].SHA256 = fmt.Sprintf("%064d", 2) },
	} {
		change()
		digest := rerank.CrossEncoderInfo(manifest, "CPU").Digest
		if other, twice := seen[digest]; twice {
			t.Errorf("%s: the digest is that of %s", name, other)
		}
		seen[digest] = name
	}
}
