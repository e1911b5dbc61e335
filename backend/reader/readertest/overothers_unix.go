//go:build unix

package readertest

import (
	"os"
	"syscall"
)

// overOthers says what a child can do to other processes that it should not.
func overOthers() (can []string) {
	if syscall.Kill(os.Getppid(), 0) == nil {
		can = append(can, "signals")
	}
	if nice, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil && 20-nice < 10 {
		can = append(can, "priority")
	}
	return can
}
