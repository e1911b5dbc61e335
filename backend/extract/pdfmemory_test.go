package extract

import "testing"

// What one document leaves in the memory of its sandbox is not there for the next, whatever the size of a memory.
func TestMemoryOfASandboxIsGivenOnCleared(t *testing.T) {
	for _, size := range []uint64{1 << 10, 64 << 10, 18<<20 + 1} {
		var all memories
		for range 3 {
			m := &memory{of: &all}
			bytes := m.Reallocate(size)
			if uint64(len(bytes)) != size {
				t.Fatalf("%d bytes, not %d", len(bytes), size)
			}
			for i, b := range bytes {
				if b != 0 {
					t.Fatalf("of %d bytes, number %d is %d", size, i, b)
				}
				bytes[i] = 1
			}
			m.Free()
		}
	}
}
