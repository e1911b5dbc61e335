//go:build !unix

package command

import "os/exec"

// group returns how to ask the program to stop and how to end it; here both end it.
func group(cmd *exec.Cmd) (interrupt, kill func() error) {
	end := func() error { return cmd.Process.Kill() }
	return end, end
}
