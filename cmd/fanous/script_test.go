package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts call this very program, or the packaged one that FANOUS_BINARY names.
func TestMain(m *testing.M) {
	commands := map[string]func(){}
	if os.Getenv("FANOUS_BINARY") == "" {
		commands["fanous"] = func() { os.Exit(run()) }
	}
	testscript.Main(m, commands)
}

func TestScripts(t *testing.T) {
	for _, name := range []string{"FANOUS_RUNTIME", "FANOUS_MODELS"} {
		if os.Getenv(name) == "" && os.Getenv("FANOUS_BINARY") == "" {
			t.Fatalf("%s is not set: run `go tool mage test`, or see `go tool mage env`", name)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("FANOUS_DATA", filepath.Join(env.WorkDir, "data"))
			for _, name := range []string{"RUNTIME", "MODELS"} { // plain: for scripts that change them and back
				env.Setenv("FANOUS_"+name, os.Getenv("FANOUS_"+name))
				env.Setenv(name, os.Getenv("FANOUS_"+name))
			}
			env.Setenv("CO_API_KEY", "")
			env.Setenv("SHIPPED", shippedModels())
			if binary := os.Getenv("FANOUS_BINARY"); binary != "" {
				path := fmt.Sprintf("%s%c%s", filepath.Dir(binary), filepath.ListSeparator, env.Getenv("PATH"))
				env.Setenv("PATH", path)
			}
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// shippedModels is the folder of models that come with the program.
func shippedModels() string {
	if dir := os.Getenv("FANOUS_MODELS"); dir != "" {
		return dir
	}
	return filepath.Join(filepath.Dir(os.Getenv("FANOUS_BINARY")), "models")
}

// exits runs a program and wants this exit code: exits CODE PROGRAM [ARG...].
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want := -1
	if len(args) >= 2 && !neg {
		if n, err := strconv.Atoi(args[0]); err == nil {
			want = n
		}
	}
	if want < 0 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
