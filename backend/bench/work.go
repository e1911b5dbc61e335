package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fanous/backend/onnx"
	"fanous/models"
	"fanous/models/madeupxlmr"
	"fanous/models/onnxgraph"
)

// operations is how many additions and multiplications of matrices a cross-encoder of a shape does for a pair of so many
// tokens. In the fast layout the last layer's query, output and feed-forward are worked out for one token.
func operations(s madeupxlmr.Shape, tokens int, fast bool) float64 {
	n, h, f := float64(tokens), float64(s.Hidden), float64(s.FFN)
	keys := 2 * 2 * h * h       // of a token: key and value
	rest := 2 * (2*h*h + 2*h*f) // query and output, up and down
	attention := 2 * 2 * h * n  // with every token: scores and their sum
	whole := keys + rest + attention
	layers := float64(s.Layers)
	if !fast {
		return layers * n * whole
	}
	return (layers-1)*n*whole + n*keys + rest + attention
}

// product is a square matrix product of bytes, on as many cores as there are.
type product struct {
	size    int
	session *onnx.Session
}

// openProduct writes the graph of a product of matrices of size×size into dir and opens it.
func openProduct(rt *onnx.Runtime, dir string, size int) (*product, error) {
	path := filepath.Join(dir, fmt.Sprintf("product-%d.onnx", size))
	if _, err := os.Stat(path); err != nil {
		if _, err := models.WriteFile(path, func(w io.Writer) error { return onnxgraph.WriteProduct(w, size) }); err != nil {
			return nil, err
		}
	}
	session, err := rt.Open(path, onnx.OpenOptions{})
	if err != nil {
		return nil, err
	}
	return &product{size: size, session: session}, nil
}

// rate is the operations a second that the machine does when every core does nothing but the product.
func (p *product) rate(ctx context.Context, rounds int) (float64, error) {
	rows := make([][]int64, rounds*p.session.Runtime().Width())
	for i := range rows {
		rows[i] = make([]int64, p.size)
		for k := range rows[i] {
			rows[i][k] = int64(k)
		}
	}
	took, err := runAll(ctx, p.session, rows, p.session.Runtime().Width())
	n := float64(p.size)
	return float64(len(rows)) * 2 * n * n * n / took.Seconds(), err
}

// runAll gives a session inputs one a Run, so many at a time, and says how long it took.
func runAll(ctx context.Context, s *onnx.Session, inputs [][]int64, atOnce int) (time.Duration, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan []int64)
	var workers sync.WaitGroup
	start := time.Now()
	for range atOnce {
		workers.Go(func() {
			for ids := range next {
				if _, err := s.Run(ctx, ids); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, ids := range inputs {
		next <- ids // a worker takes it even after an error, and then fails at once
	}
	close(next)
	workers.Wait()
	return time.Since(start), context.Cause(ctx)
}
