// Package child prepares programs that are run beside this one.
package child

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Prepare gives a command our environment without our key, with more variables ("NAME=value") besides, keeps it from
// opening a window, and does not wait for what it leaves behind.
func Prepare(cmd *exec.Cmd, more ...string) {
	cmd.Env = append(slices.DeleteFunc(os.Environ(), isSecret), more...)
	cmd.WaitDelay = time.Second
	hide(cmd)
}

func isSecret(variable string) bool { return strings.HasPrefix(variable, "CO_API_KEY=") }
