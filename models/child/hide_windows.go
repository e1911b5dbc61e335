package child

import (
	"os/exec"
	"syscall"
)

// hide keeps a console window from flashing up.
func hide(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }
