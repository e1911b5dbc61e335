package reader

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// sandbox starts a program that may do what it could, but for networks. It comes with the system.
const sandbox = "/usr/bin/sandbox-exec"

// prepare starts a child without a network and keeps an interrupt from the terminal to the parent.
func prepare(cmd *exec.Cmd, _ bool) {
	program := cmd.Path
	cmd.Args = os.Args[:1]
	if _, err := os.Stat(sandbox); err == nil {
		cmd.Path, cmd.Args = sandbox, []string{sandbox, "-p", "(version 1)(allow default)(deny network*)", program}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// hold has nothing to do here: a child confines itself.
func hold(*os.Process, int64) func() { return func() {} }

// confine makes the process give up what reading needs not. The memory is guardMemory's: this system has no limit.
func confine(_ int64, awaited bool) {
	if !awaited {
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, niceness)
	}
	for resource, limit := range map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: maxWritten, unix.RLIMIT_NOFILE: 64} {
		_ = unix.Setrlimit(resource, &unix.Rlimit{Cur: limit, Max: limit})
	}
}
