package rerank

import (
	"context"
	"math"

	"fanous/backend/domain"
	"fanous/backend/onnx"
)

// TokenModel is an embedder as late interaction uses it. It is a value and not an interface because there
// is one embedder; package embed stands beside this one, and the two meet where the program is wired.
type TokenModel struct {
	Model, Device, Precision string
	Digest                   string // of the weights
	Runtime                  *onnx.Runtime
	Dim                      int
	// Query and Passage give the tokens of a text and their unit vectors, Dim numbers each.
	Query, Passage func(ctx context.Context, text string) (ids []int64, vectors []float32, err error)
	// Rarity is how many nats rarer a token is than the commonest one; never negative.
	Rarity func(id int64) float64
}

// LateInteraction compares every token of the query with every token of a passage, by the vectors
// of the embedder that is there anyway: it needs no further model, and works across languages.
//
// Its raw score is a weighted mean of cosines: each token of the query gives its best match in the
// passage, and counts by its rarity in the embedder's vocabulary. A passage in another script than
// the query's gets crossScript on top. See decisions/late-interaction.md for the measurements.
type LateInteraction struct {
	model TokenModel
	cache *tokenCache
}

// scoring names the formula of the score; another formula, or another constant in it, needs another name, or
// scores that were kept would stand beside those of today.
const scoring = "maxsim-rarity-script-1"

// Constants of the score, all measured on the judged sets of decisions/late-interaction.md.
const (
	// crossScript is what a passage in another script than the query's is given: its tokens are
	// nearer to one another than to the query's whatever they say, and without this an irrelevant
	// passage in the query's language stands above the answer in another.
	crossScript = 0.05

	// The logistic curve for people: even odds, at equal numbers of each, that the best score of a
	// pool is that of a pool with the answer rather than without its whole article.
	evenOdds  = 0.811
	steepness = 73

	// clear is the raw score under which nothing clearly matches: the best of 72% of the pools
	// without an answer, and of 3.5% of those with one, is below it.
	clear = 0.79
)

// cacheBytes is room for the token vectors of about 800 passages of 200 tokens: the pools of some
// twenty different searches, which is what typing one query letter by letter goes through.
const cacheBytes = 64 << 20

// NewLateInteraction reranks with the vectors of m, whose embedder stays the caller's to close.
func NewLateInteraction(m TokenModel) *LateInteraction {
	return &LateInteraction{model: m, cache: newTokenCache(cacheBytes)}
}

// Info names the embedder.
func (l *LateInteraction) Info() Info {
	threshold := NormalizeMaxSim(clear)
	return Info{
		Backend:   domain.BackendLateInteraction,
		Model:     l.model.Model,
		Device:    l.model.Device,
		Precision: l.model.Precision,
		Threshold: &threshold,
		Digest:    identity(l.model.Digest, scoring, l.model.Precision, l.model.Device),
	}
}

// Rerank scores the passages in fused order, as many at a time as there are cores.
func (l *LateInteraction) Rerank(ctx context.Context, req Request) (Result, error) {
	return anytime(ctx, l.model.Runtime, req, func(ctx context.Context) (func(context.Context, candidate) (Score, error), error) {
		ids, query, err := l.model.Query(ctx, req.Query)
		if err != nil {
			return nil, err
		}
		weights := l.weights(ids)
		script := mainScript(req.Query)
		return func(ctx context.Context, p candidate) (Score, error) {
			passage, err := l.passage(ctx, p.text)
			if err != nil {
				return Score{}, err
			}
			raw := maxSim(query, weights, passage) + crossScript*foreign(p.text, script)
			return Score{Raw: raw, Normalized: NormalizeMaxSim(raw)}, nil
		}, nil
	})
}

// passage gives the token vectors of a passage, from the cache where they are there.
func (l *LateInteraction) passage(ctx context.Context, text string) (quantized, error) {
	if q, ok := l.cache.get(text); ok {
		return q, nil
	}
	_, vectors, err := l.model.Passage(ctx, text)
	if err != nil {
		return quantized{}, err
	}
	q := quantize(vectors, l.model.Dim)
	l.cache.put(text, q)
	return q, nil
}

// weights gives each token of the query its share: by its rarity, so that words like "the" and marks
// count for little. The weights sum to 1.
func (l *LateInteraction) weights(ids []int64) []float64 {
	weights := make([]float64, len(ids))
	sum := 0.0
	for i, id := range ids {
		weights[i] = l.model.Rarity(id)
		sum += weights[i]
	}
	for i := range weights {
		if sum > 0 {
			weights[i] /= sum
		} else {
			weights[i] = 1 / float64(len(ids)) // a query of nothing but commas or unknown characters
		}
	}
	return weights
}

// NormalizeMaxSim makes a late interaction's normalized score of its raw one.
func NormalizeMaxSim(raw float64) float64 { return sigmoid(steepness * (raw - evenOdds)) }

// maxSim is the weighted mean, over the query's tokens, of the best cosine with a token of the
// passage. A side without tokens gives 0.
func maxSim(query []float32, weights []float64, passage quantized) float64 {
	if len(passage.scales) == 0 {
		return 0
	}
	best := make([]float32, len(weights))
	for i := range best {
		best[i] = float32(math.Inf(-1))
	}
	dim := passage.dim()
	vector := make([]float32, dim)
	for j, scale := range passage.scales {
		for k, v := range passage.values[j*dim : (j+1)*dim] {
			vector[k] = float32(v) * scale
		}
		for i := range best {
			best[i] = max(best[i], dot(query[i*dim:(i+1)*dim], vector))
		}
	}
	sum := 0.0
	for i, w := range weights {
		sum += w * float64(best[i])
	}
	return sum
}

// dot keeps four sums, so that the processor need not wait for one addition to begin the next.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
