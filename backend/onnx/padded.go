package onnx

import (
	"context"
	"errors"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// padding is the id that fills a batch up, as the XLM-R family has it. What it is does not matter behind a mask.
const padding = 1

// RunPadded gives a model with a mask several sequences of token ids as one batch, each filled up to the longest. It is
// the usual way, against which ours is measured (see Session): nothing else uses it. It takes no core from others.
func (s *Session) RunPadded(ctx context.Context, batch [][]int64) (Tensor, error) {
	longest := 0
	for _, ids := range batch {
		longest = max(longest, len(ids))
	}
	if longest == 0 {
		return Tensor{}, errors.New("no tokens to run")
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.session == nil {
		return Tensor{}, fmt.Errorf("the model %s: %w", s.path, ErrClosed)
	}
	ids, mask := make([]int64, len(batch)*longest), make([]int64, len(batch)*longest)
	for i, row := range batch {
		for k := range longest {
			ids[i*longest+k] = padding
			if k < len(row) {
				ids[i*longest+k], mask[i*longest+k] = row[k], 1
			}
		}
	}
	out, err := s.runShape(ctx, ort.NewShape(int64(len(batch)), int64(longest)), ids, mask)
	if ctx.Err() != nil {
		return Tensor{}, ctx.Err()
	}
	return out, err
}
