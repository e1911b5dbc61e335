//go:build !linux && !darwin && !windows

package reader

import (
	"os"
	"os/exec"
)

func prepare(cmd *exec.Cmd, _ bool) { cmd.Args = os.Args[:1] }

func hold(*os.Process, int64) func() { return func() {} }

func confine(int64, bool) {}
