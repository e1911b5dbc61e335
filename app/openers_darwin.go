package app

import "os/exec"

// openers starts the desktop's own programs on files, by their absolute paths.
type openers struct{}

func (openers) OpenFile(path string) error     { return launch(exec.Command("open", path)) }
func (openers) ShowInFolder(path string) error { return launch(exec.Command("open", "-R", path)) }
