//go:build !linux

package extract

// zero clears memory.
func zero(bytes []byte) { clear(bytes) }
