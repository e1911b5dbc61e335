// Package childtest has what every child of this program must do.
package childtest

import (
	"errors"
	"os/exec"
	"testing"
)

// EndsWithItsParent starts a child and closes its standard input, as happens when its parent is gone: it must end at
// once and by itself.
func EndsWithItsParent(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	life, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := life.Close(); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Error(err)
	}
}
