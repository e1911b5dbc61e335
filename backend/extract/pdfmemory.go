package extract

import (
	"context"
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// memories gives each sandbox its memory, and what one has done with to the next, cleared: that costs less than 18 MiB
// from the collector for every document.
type memories struct {
	mu   sync.Mutex
	free []byte // all zero; nil: none
}

// allocating is a context for starting sandboxes.
func (m *memories) allocating(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory {
		return &memory{of: m}
	}))
}

// memory is that of one sandbox.
type memory struct {
	of    *memories
	bytes []byte
	first uint64 // its size at the start
}

// Reallocate gives the memory with a size that never shrinks.
func (m *memory) Reallocate(size uint64) []byte {
	if m.bytes == nil {
		m.first, m.bytes = size, m.of.take(size)
	}
	if more := int(size) - len(m.bytes); more > 0 {
		m.bytes = append(m.bytes, make([]byte, more)...)
	}
	return m.bytes
}

func (m *memories) take(size uint64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	bytes := m.free
	m.free = nil
	if uint64(len(bytes)) != size {
		return make([]byte, size)
	}
	return bytes
}

// Free ends the use of the memory. What a large document has made of it is left to the collector.
func (m *memory) Free() {
	if uint64(len(m.bytes)) == m.first {
		zero(m.bytes)
		m.of.mu.Lock()
		m.of.free = m.bytes
		m.of.mu.Unlock()
	}
	m.bytes = nil
}
