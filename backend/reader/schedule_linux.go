package reader

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// schedule is how the system lets a process run.
type schedule struct{ pid int }

// worked is the processor time of all its threads.
func (s schedule) worked() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(int32(^s.pid<<3|2), &t) != nil { // a process's clock, as clock_getcpuclockid makes it
		return 0
	}
	return time.Duration(t.Nano())
}

// wantsToWork says whether one of its threads runs or waits for a processor.
func (s schedule) wantsToWork() bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", s.pid))
	for _, name := range stats {
		stat, _ := os.ReadFile(name)
		if at := bytes.LastIndexByte(stat, ')'); at >= 0 && bytes.HasPrefix(stat[at+1:], []byte(" R")) {
			return true
		}
	}
	return false
}
