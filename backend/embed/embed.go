// Package embed turns texts into vectors: one a text for the vector index, one a token for late
// interaction.
//
// A text's vectors depend on that text and the model alone, never on what it is embedded with: every
// text is a Run of its own at its exact length, which on a CPU is also the quickest way.
package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"fanous/backend/onnx"
	"fanous/models"
)

// Role is the side of a search that a text stands on; the model tells them apart by a prefix.
type Role int

const (
	Query Role = iota
	Passage
)

// ErrNoDirection says that the model gave a vector that means nothing: its file is damaged, or the
// device computes wrongly.
var ErrNoDirection = errors.New("the embedder gave a vector that is zero or not finite")

// Embedder is an embedding model, which is in memory while it is used and for onnx.DefaultIdle afterwards. It is safe for
// concurrent use.
type Embedder struct {
	manifest models.Manifest
	runtime  *onnx.Runtime
	device   string
	model    *onnx.OnDemand[parts]
}

// parts is what of a model is in memory.
type parts struct {
	session   *onnx.Session
	tokenizer *onnx.Tokenizer
}

func (p parts) Close() error { return errors.Join(p.session.Close(), p.tokenizer.Close()) }

// Tokens are the vectors of a text's own tokens, without the model's special tokens and prefix.
type Tokens struct {
	IDs     []int64
	Offsets [][2]int  // byte range of the text that each token stands for
	Vectors []float32 // len(IDs) times Dim, each of length 1
	Pooled  []float32 // the text's own vector, the same that Query and Passages give
}

// Open loads the embedder whose folder is dir, and says at once what does not fit.
func Open(rt *onnx.Runtime, dir string) (*Embedder, error) {
	manifest, err := models.Load(dir)
	if err != nil {
		return nil, err
	}
	if manifest.Role != models.Embedder {
		return nil, fmt.Errorf("the model %s is a %s, not an embedder", manifest.Name, manifest.Role)
	}
	e := &Embedder{manifest: manifest, runtime: rt, model: onnx.NewOnDemand(onnx.DefaultIdle, func() (p parts, err error) {
		p.session, p.tokenizer, err = rt.OpenModel(dir, onnx.OpenOptions{Digest: manifest.Digest()})
		return p, err
	})}
	if err := e.check(); err != nil {
		return nil, errors.Join(fmt.Errorf("the embedder %s: %w", manifest.Name, err), e.Close())
	}
	return e, nil
}

func (e *Embedder) check() error {
	ctx := context.Background()
	p, done, err := e.model.Use(ctx)
	if err != nil {
		return err
	}
	defer done()
	e.device = p.session.Device()
	_, err = e.vectors(ctx, nil)
	return err
}

// Name is the model's.
func (e *Embedder) Name() string { return e.manifest.Name }

// Precision is that of the model's weights.
func (e *Embedder) Precision() string { return e.manifest.Precision }

// Device is what the model runs on.
func (e *Embedder) Device() string { return e.device }

// Dim is the length of a vector.
func (e *Embedder) Dim() int { return e.manifest.Dim }

// Digest names the vectors: those of another digest mean nothing beside these.
func (e *Embedder) Digest() string { return e.manifest.Digest() }

// MaxTokens is how many tokens of a text, special tokens and prefix included, are read; the rest
// does not count.
func (e *Embedder) MaxTokens() int { return e.manifest.MaxTokens }

// Runtime is what the embedder runs on.
func (e *Embedder) Runtime() *onnx.Runtime { return e.runtime }

// Rarity is how much rarer a token is than the commonest one in the text that the vocabulary was
// made from, in nats; 0 where the vocabulary does not say.
func (e *Embedder) Rarity(id int64) float64 {
	p, done, err := e.model.Use(context.Background())
	if err != nil {
		return 0
	}
	defer done()
	return p.tokenizer.Rarity(id)
}

// CountTokens is how many tokens a text has, without special tokens and prefix.
func (e *Embedder) CountTokens(text string) int {
	p, done, err := e.model.Use(context.Background())
	if err == nil {
		defer done()
		if n, err := p.tokenizer.Count(text); err == nil {
			return n
		}
	}
	return utf8.RuneCountInString(text) // no text has more
}

// Query is the vector of a query, of length 1.
func (e *Embedder) Query(ctx context.Context, text string) ([]float32, error) {
	enc, err := e.encode(ctx, text, Query)
	if err != nil {
		return nil, err
	}
	return e.embed(ctx, enc.IDs)
}

// Passages gives the vector of each text, of length 1, under the text's index.
func (e *Embedder) Passages(ctx context.Context, texts []string) ([][]float32, error) {
	rt := e.Runtime()
	ids := make([][]int64, len(texts))
	err := rt.Each(ctx, len(texts), func(ctx context.Context, i int) error {
		enc, err := e.encode(ctx, texts[i], Passage)
		ids[i] = enc.IDs
		return err
	})
	if err != nil {
		return nil, err
	}
	// Longest first: the cores finish together.
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(ids[b]) - len(ids[a]) })

	out := make([][]float32, len(texts))
	err = rt.Each(ctx, len(texts), func(ctx context.Context, k int) (err error) {
		i := order[k]
		out[i], err = e.embed(ctx, ids[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Tokens gives the vectors of a text's tokens and of the text itself, from one Run.
func (e *Embedder) Tokens(ctx context.Context, text string, role Role) (Tokens, error) {
	enc, err := e.encode(ctx, text, role)
	if err != nil {
		return Tokens{}, err
	}
	vectors, err := e.vectors(ctx, enc.IDs)
	if err != nil {
		return Tokens{}, err
	}
	dim, prefix := e.Dim(), len(e.prefix(role))
	out := Tokens{Pooled: make([]float32, dim)}
	if err := pool(out.Pooled, vectors); err != nil {
		return Tokens{}, err
	}
	for i, place := range enc.Offsets {
		if place[1] <= prefix {
			continue
		}
		vector := vectors[(i+1)*dim : (i+2)*dim] // the first vector is that of <s>
		if err := normalize(vector); err != nil {
			return Tokens{}, err
		}
		out.IDs = append(out.IDs, enc.IDs[i])
		out.Offsets = append(out.Offsets, [2]int{max(0, place[0]-prefix), place[1] - prefix})
		out.Vectors = append(out.Vectors, vector...)
	}
	return out, nil
}

// Close frees the model after the calls under way. Closing twice is harmless.
func (e *Embedder) Close() error { return e.model.Close() }

func (e *Embedder) prefix(role Role) string {
	if role == Query {
		return e.manifest.QueryPrefix
	}
	return e.manifest.PassagePrefix
}

func (e *Embedder) encode(ctx context.Context, text string, role Role) (onnx.Encoding, error) {
	const specials = 2 // <s> and </s>
	p, done, err := e.model.Use(ctx)
	if err != nil {
		return onnx.Encoding{}, err
	}
	defer done()
	return p.tokenizer.Encode(e.prefix(role)+text, e.manifest.MaxTokens-specials)
}

// embed gives the one vector of a text with these ids.
func (e *Embedder) embed(ctx context.Context, ids []int64) ([]float32, error) {
	vectors, err := e.vectors(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]float32, e.Dim())
	return out, pool(out, vectors)
}

// vectors runs the model on a text's ids: Dim numbers for each of them and for the two special tokens
// around them.
func (e *Embedder) vectors(ctx context.Context, ids []int64) ([]float32, error) {
	p, done, err := e.model.Use(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	ids = p.tokenizer.Single(ids)
	out, err := p.session.Run(ctx, ids)
	if err != nil {
		return nil, err
	}
	if want := []int64{1, int64(len(ids)), int64(e.Dim())}; !slices.Equal(out.Shape, want) {
		return nil, fmt.Errorf("the model gives numbers of shape %v where an embedder gives %v: it is not the embedder that its manifest describes",
			out.Shape, want)
	}
	return out.Data, nil
}

// pool writes the mean of the vectors, scaled to length 1, into out.
func pool(out, vectors []float32) error {
	for i := 0; i < len(vectors); i += len(out) {
		for j, v := range vectors[i : i+len(out)] {
			out[j] += v
		}
	}
	return normalize(out)
}

// normalize scales a vector to length 1. One without a direction is an error: in the index it
// would be as near to everything as the best match.
func normalize(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	norm := math.Sqrt(sum)
	if !(norm > 1e-12) || math.IsInf(norm, 0) {
		return ErrNoDirection
	}
	scale := float32(1 / norm)
	for i := range v {
		v[i] *= scale
	}
	return nil
}
