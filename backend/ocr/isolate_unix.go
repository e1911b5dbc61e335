//go:build unix

package ocr

import (
	"os/exec"
	"syscall"
)

// lowPriority is the niceness of the program, below everything that somebody waits for.
const lowPriority = 15

// processGroup is the program with whatever it starts.
type processGroup struct{}

func isolate(cmd *exec.Cmd) processGroup {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return processGroup{}
}

// bound holds the started program to its limits as far as the system lets us; the time is held anyway.
func (processGroup) bound(cmd *exec.Cmd, l limits) {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, lowPriority)
	limitMemory(cmd.Process.Pid, l.memory)
}

func (processGroup) kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
