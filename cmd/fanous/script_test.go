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

	"fanous/backend"
	"fanous/backend/onnx"
	"fanous/backend/trial"
	"fanous/models"
)

// TestMain lets the scripts call this very program, or the packaged one that FANOUS_BINARY names.
func TestMain(m *testing.M) {
	if backend.Child() {
		os.Exit(0)
	}
	os.Setenv("FANOUS_KEYCHAIN", "off") // a developer's own is no test's business
	commands := map[string]func(){}
	if os.Getenv("FANOUS_BINARY") == "" {
		commands["fanous"] = func() { os.Exit(run()) }
	}
	testscript.Main(m, commands)
}

// testedProgram is the packaged program where one is named, else this test binary under its name.
func testedProgram(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("FANOUS_BINARY"); path != "" {
		return path
	}
	path, err := exec.LookPath("fanous") // TestMain put it there
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestScripts(t *testing.T) {
	for _, name := range []string{"FANOUS_RUNTIME", "FANOUS_MODELS"} {
		if os.Getenv(name) == "" && os.Getenv("FANOUS_BINARY") == "" {
			t.Fatalf("%s is not set: run `go tool mage test`, or see `go tool mage env`", name)
		}
	}
	book := selfTests(t)
	sample, err := filepath.Abs("../../build/sample")
	if err != nil {
		t.Fatal(err)
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
			env.Setenv("FANOUS_KEYCHAIN", "off")
			env.Setenv("SHIPPED", shippedModels())
			env.Setenv("SAMPLE", sample)
			if err := copyInto(filepath.Join(env.WorkDir, "data"), book); err != nil {
				return err
			}
			if binary := os.Getenv("FANOUS_BINARY"); binary != "" {
				path := fmt.Sprintf("%s%c%s", filepath.Dir(binary), filepath.ListSeparator, env.Getenv("PATH"))
				env.Setenv("PATH", path)
			}
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "madeup": madeup},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// selfTests makes, once for all scripts, the self-tests that each would make in its own data folder. It gives the file
// that they are kept in; empty: the packaged program makes its own.
func selfTests(t *testing.T) string {
	t.Helper()
	if os.Getenv("FANOUS_BINARY") != "" {
		return ""
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "self-tests.json")
	tester := trial.NewTester(trial.OpenBook(path), trial.Runner{Program: program})
	subjects := []trial.Subject{{Library: os.Getenv("FANOUS_RUNTIME"), Device: onnx.CPU}}
	graphs, _ := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*", models.GraphFile))
	for _, graph := range graphs {
		subjects = append(subjects, trial.Subject{Library: subjects[0].Library, Model: filepath.Dir(graph), Device: onnx.CPU, Judge: true})
	}
	for _, s := range subjects {
		if r, err := tester.Ensure(t.Context(), s); err != nil || !r.Passed() {
			t.Fatalf("%+v: %+v, %v", s, r, err)
		}
	}
	return path
}

// copyInto puts a copy of a file into a folder, which it makes.
func copyInto(dir, path string) error {
	if path == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, filepath.Base(path)), data, 0o644)
	}
	return err
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
