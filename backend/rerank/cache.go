package rerank

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"

	"fanous/backend/domain"
)

// Kept is where scores are kept between requests. Both functions do what they can and report nothing: a
// search is not to fail, nor to wait, for want of them.
type Kept struct {
	Get func(ctx context.Context, keys [][32]byte) map[[32]byte]float64
	Put func([]domain.KeptScore) // returns at once
}

// Cached answers from kept scores what it can and asks a ranker for the rest. That is sound because a score
// depends on nothing but the ranker, the query and the text, which the key is a digest of.
type Cached struct {
	Reranker
	kept      Kept
	normalize func(raw float64) float64
}

// NewCached keeps the scores of r; without a Digest in its Info none are. normalize makes a Score's Normalized of its
// Raw, as r does: only raw scores are kept.
func NewCached(r Reranker, kept Kept, normalize func(raw float64) float64) *Cached {
	return &Cached{Reranker: r, kept: kept, normalize: normalize}
}

// Rerank tells the kept scores first, whatever the budget: they cost no time. What a cut-off request has
// scored is kept too; of a request without Chunks nothing is.
func (c *Cached) Rerank(ctx context.Context, req Request) (Result, error) {
	result := newResult(len(req.Passages))
	if err := ctx.Err(); err != nil || len(req.Passages) == 0 {
		return result, err
	}
	if c.Info().Digest == "" {
		return c.Reranker.Rerank(ctx, req)
	}
	keys := c.keys(req)
	kept := c.kept.Get(ctx, keys)
	var missing []int
	for i, key := range keys {
		raw, ok := kept[key]
		if !ok {
			missing = append(missing, i)
			continue
		}
		result.Scores[i], result.Scored[i] = Score{Raw: raw, Normalized: c.normalize(raw)}, true
	}
	if err := tell(ctx, req.OnScore, result); err != nil {
		return Result{}, err
	}
	if len(missing) == 0 {
		return result, nil
	}

	var fresh []domain.KeptScore
	rest := req.part(missing)
	rest.OnScore = func(k int, s Score) {
		i := missing[k]
		if req.Chunks != nil {
			fresh = append(fresh, domain.KeptScore{Key: keys[i], ChunkID: req.Chunks[i], Raw: s.Raw})
		}
		if req.OnScore != nil {
			req.OnScore(i, s)
		}
	}
	scored, err := c.Reranker.Rerank(ctx, rest.Request)
	if len(fresh) > 0 {
		c.kept.Put(fresh)
	}
	if err != nil {
		return Result{}, err
	}
	for k, i := range missing {
		result.Scores[i], result.Scored[i] = scored.Scores[k], scored.Scored[k]
	}
	return result, nil
}

// keys are the keys of the scores of a request.
func (c *Cached) keys(req Request) [][32]byte {
	digest := c.Info().Digest
	keys := make([][32]byte, len(req.Passages))
	for i, passage := range req.Passages {
		keys[i] = digestOf(digest, req.Query, passage)
	}
	return keys
}

// identity is an Info's Digest, made of that of the weights and of what else counts; empty where the weights are
// not known.
func identity(weights string, others ...string) string {
	if weights == "" {
		return ""
	}
	sum := digestOf(append([]string{weights}, others...)...)
	return hex.EncodeToString(sum[:])
}

// digestOf is a digest of texts that tells them apart wherever one ends and the next begins.
func digestOf(parts ...string) (sum [32]byte) {
	h := sha256.New()
	for _, part := range parts {
		var length [8]byte
		binary.LittleEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		_, _ = io.WriteString(h, part) // a hash takes everything
	}
	h.Sum(sum[:0])
	return sum
}
