package ocr

import "golang.org/x/sys/unix"

// limitMemory holds a running program to an amount of address space.
func limitMemory(pid int, bytes uint64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: bytes, Max: bytes}, nil)
}
