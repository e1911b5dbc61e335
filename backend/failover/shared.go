package failover

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Keep is where a breaker or a guard keeps what it knows, so that every process with the same data folder
// shares it. The zero value keeps it in memory, for one process.
type Keep struct {
	Path  string // of its file; a lock and a temporary file are made beside it
	Owner string // whom it is about: a file about somebody else counts as empty
}

const (
	// lockPatience bounds the wait for the file's lock, which is held for less than a millisecond: only a
	// process that was stopped in that moment can hold it longer, and no search waits for that one.
	lockPatience = 200 * time.Millisecond

	maxKept = 64 << 10 // bytes read of a file; what is written stays far below
)

// shared is a small value in a file that several processes change. No fault of the file is an error: one
// that is missing, damaged or about another owner is the zero value, and what cannot be written is kept
// in memory.
type shared[T any] struct {
	keep Keep

	mu      sync.Mutex
	value   T
	unsaved bool // value is newer than the file
}

type record[T any] struct {
	Owner string `json:"owner"`
	Value T      `json:"value"`
}

// update changes the value while no other process does. change says whether it changed anything.
func (s *shared[T]) update(change func(value *T) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keep.Path == "" {
		change(&s.value)
		return
	}
	defer s.lock()()
	if !s.unsaved {
		s.value = s.read()
	}
	if change(&s.value) {
		s.unsaved = s.write() != nil
	}
}

// lock goes on without the lock where it cannot be had: the worst that follows is an update lost.
func (s *shared[T]) lock() (unlock func()) {
	_ = os.MkdirAll(filepath.Dir(s.keep.Path), 0o700) // where this fails, writing fails and says so
	lock := flock.New(s.keep.Path + ".lock")
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	_, _ = lock.TryLockContext(ctx, time.Millisecond)
	return func() { _ = lock.Close() }
}

func (s *shared[T]) read() T {
	var none T
	f, err := os.Open(s.keep.Path)
	if err != nil {
		return none
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKept))
	if err != nil {
		return none
	}
	var r record[T]
	if json.Unmarshal(data, &r) != nil || r.Owner != s.keep.Owner {
		return none
	}
	return r.Value
}

// write replaces the file whole. It is not synced: a file that a power cut damaged counts as empty.
func (s *shared[T]) write() error {
	data, err := json.Marshal(record[T]{s.keep.Owner, s.value})
	if err != nil {
		return err
	}
	next := s.keep.Path + ".tmp"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, s.keep.Path)
}

// period is a stretch of the wall clock, which processes share and which goes on while the machine sleeps.
type period struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// longestPeriod bounds what a damaged file or a clock that was set right can claim.
const longestPeriod = time.Hour

func periodOf(now time.Time, length time.Duration) period {
	return period{now, now.Add(min(length, longestPeriod))}
}

// holds says whether now is in the period. A clock that was set back to before the period ends it.
func (p period) holds(now time.Time) bool {
	return !now.Before(p.From) && now.Before(p.Until) && now.Sub(p.From) < longestPeriod
}

func (p period) equal(q period) bool { return p.From.Equal(q.From) && p.Until.Equal(q.Until) }

// wallClock is the time without the monotonic reading, which no other process could compare with and which
// stands still while the machine sleeps.
func wallClock() time.Time { return time.Now().UTC().Round(0) }
