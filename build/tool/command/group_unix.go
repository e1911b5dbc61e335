//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// group puts the program and whatever it starts into a process group of their own and returns how to ask the group to
// stop and how to end it. A single process is not enough: the python3 on the PATH, say, may be a script that starts
// the real one.
func group(cmd *exec.Cmd) (interrupt, kill func() error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) },
		func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
