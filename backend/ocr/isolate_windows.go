package ocr

import (
	"os/exec"

	"golang.org/x/sys/windows"
)

// processGroup is the program; it starts no other.
type processGroup struct{}

func isolate(cmd *exec.Cmd) processGroup {
	cmd.SysProcAttr.CreationFlags |= windows.BELOW_NORMAL_PRIORITY_CLASS // child.Prepare has made it
	return processGroup{}
}

// bound does nothing: time and pixels bound the program.
func (processGroup) bound(*exec.Cmd, limits) {}

func (processGroup) kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
