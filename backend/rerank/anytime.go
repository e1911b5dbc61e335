package rerank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"fanous/backend/onnx"
)

// wave is how many passages are looked at together when deciding what to score next. Within a wave
// the longest go first, so that the cores finish together; between waves the fused order holds, so
// that the best have been scored wherever the work is stopped. The first wave is one passage a core: a
// reader soon sees the first scores, and they are those of the passages at the top.
const wave = 8

// candidate is a passage's text with everywhere it stands in the request.
type candidate struct {
	text    string
	indices []int
}

// distinct gives each text of the passages once, in the order of the first that reads so.
func distinct(passages []string) []candidate {
	seen := make(map[string]int, len(passages))
	var out []candidate
	for i, text := range passages {
		at, ok := seen[text]
		if !ok {
			at = len(out)
			seen[text] = at
			out = append(out, candidate{text: text})
		}
		out[at].indices = append(out[at].indices, i)
	}
	return out
}

// inWaves puts candidates into the order to score them on so many cores.
func inWaves(candidates []candidate, cores int) []candidate {
	cores = min(cores, len(candidates))
	for part := range slices.Chunk(candidates[cores:], wave) {
		slices.SortStableFunc(part, func(a, b candidate) int { return len(b.text) - len(a.text) })
	}
	return candidates
}

// anytime scores the passages of a request on the cores of rt until they are done, the budget is
// spent or ctx ends. prepare is called once, first, within the budget; it gives the function that
// scores one candidate.
func anytime(ctx context.Context, rt *onnx.Runtime, req Request,
	prepare func(context.Context) (func(context.Context, candidate) (Score, error), error)) (Result, error) {

	result := newResult(len(req.Passages))
	if len(req.Passages) == 0 {
		return result, nil
	}
	caller := ctx
	if req.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(caller, req.Budget)
		defer cancel()
	}
	err := func() error {
		score, err := prepare(ctx)
		if err != nil {
			return err
		}
		candidates := inWaves(distinct(req.Passages), rt.Width())
		var mu sync.Mutex
		return rt.Each(ctx, len(candidates), func(ctx context.Context, k int) error {
			c := candidates[k]
			s, err := score(ctx, c)
			if err != nil {
				return err
			}
			if math.IsNaN(s.Raw) || math.IsInf(s.Raw, 0) {
				return Permanent(fmt.Errorf("the model's score is not finite: %v", s.Raw))
			}
			mu.Lock()
			defer mu.Unlock()
			if ctx.Err() != nil {
				return ctx.Err() // too late to tell anyone
			}
			for _, i := range c.indices {
				result.Scores[i], result.Scored[i] = s, true
				if req.OnScore != nil {
					req.OnScore(i, s)
				}
			}
			return nil
		})
	}()
	switch {
	case err == nil:
		return result, nil
	case caller.Err() != nil:
		return Result{}, caller.Err()
	case ctx.Err() != nil && errors.Is(err, context.DeadlineExceeded):
		return result, nil // the budget is spent
	}
	return Result{}, err
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
