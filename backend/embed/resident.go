package embed

import (
	"sync"
	"time"

	"fanous/backend/onnx"
)

// resident holds something large that is opened when it is used and closed when nobody has used it for a
// while. It is safe for concurrent use.
type resident[T any] struct {
	open  func() (T, error)
	close func(T) error

	mu     sync.Mutex
	value  T
	opened bool
	shut   bool // for good
	users  int
	idle   time.Duration // 0: it stays
	timer  *time.Timer   // of the idle time that runs; nil where none does
}

// use gives the value, opening it where it is not, and what must be called when the use is over.
func (r *resident[T]) use() (T, func(), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var none T
	if r.shut {
		return none, nil, onnx.ErrClosed
	}
	if !r.opened {
		value, err := r.open()
		if err != nil {
			return none, nil, err
		}
		r.value, r.opened = value, true
	}
	r.users++
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	return r.value, r.release, nil
}

func (r *resident[T]) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.users--; r.users > 0 || r.idle == 0 || r.shut {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(r.idle, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.timer == timer { // nobody came in between
			_ = r.drop() // what it held is given back as far as it can be
			r.timer = nil
		}
	})
	r.timer = timer
}

// drop closes the value. The caller holds the lock.
func (r *resident[T]) drop() error {
	if !r.opened {
		return nil
	}
	var none T
	value := r.value
	r.value, r.opened = none, false
	return r.close(value)
}

// shutDown closes the value for good; later uses give onnx.ErrClosed.
func (r *resident[T]) shutDown() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shut = true
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	return r.drop()
}

// unloadAfter sets the idle time, which counts from the next use on.
func (r *resident[T]) unloadAfter(idle time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = idle
}
