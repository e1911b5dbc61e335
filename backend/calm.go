package backend

import (
	"context"
	"sync"
	"time"
)

// calm knows for how long nobody has searched. The zero value is ready; its beginning counts as a search.
type calm struct {
	mu      sync.Mutex
	running int
	last    time.Time // of a search that ended; zero: none has
}

// busy notes that a search begins, and gives what must be called when it has ended.
func (c *calm) busy() (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running--
		c.last = time.Now()
	}
}

// left is how long it still takes until nobody has searched for so long; 0: it is calm.
func (c *calm) left(since time.Duration, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.running > 0:
		return since
	case c.last.IsZero():
		c.last = now
	}
	return max(0, since-now.Sub(c.last))
}

// Calm returns when nobody has searched for so long, or with the error of ctx.
func (b *Backend) Calm(ctx context.Context, since time.Duration) error {
	for {
		left := b.calm.left(since, time.Now())
		if left == 0 {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(left):
		}
	}
}
