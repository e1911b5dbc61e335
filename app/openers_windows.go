package app

import (
	"os/exec"
	"syscall"
)

// openers starts the desktop's own programs on files, by their absolute paths.
type openers struct{}

func (openers) OpenFile(path string) error {
	return launch(exec.Command("rundll32", "url.dll,FileProtocolHandler", path))
}

// ShowInFolder writes the command line itself: Explorer wants the quotes after the comma, where Go's
// quoting of arguments would not put them. A Windows path cannot contain a quote.
func (openers) ShowInFolder(path string) error {
	cmd := exec.Command("explorer")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `explorer /select,"` + path + `"`}
	return launch(cmd)
}
