package install

import (
	"os/exec"
	"syscall"
)

// hide keeps a console window from appearing.
func hide(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }
