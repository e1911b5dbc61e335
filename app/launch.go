package app

import (
	"os/exec"

	"fanous/backend/domain"
)

// launch starts a program and does not wait for it: some desktops keep the opener running as long as
// the document is open, and Explorer's exit status means nothing.
func launch(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return domain.Errorf(domain.CodeInternal, "open the file from its folder by hand",
			"this desktop has no program to open files with: %w", err)
	}
	go cmd.Wait() // reaps it
	return nil
}
