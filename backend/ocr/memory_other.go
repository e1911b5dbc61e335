//go:build unix && !linux

package ocr

// limitMemory does nothing: the size of the page bounds the memory.
func limitMemory(int, uint64) {}
