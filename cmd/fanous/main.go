// Command fanous is Fanous on the command line: the same backend as the window, for terminals,
// scripts and tests.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"fanous/backend"
	"fanous/backend/domain"
)

// Exit codes, a contract with scripts.
const (
	exitOK       = 0
	exitError    = 1
	exitUsage    = 2
	exitNotFound = 3
	exitLocked   = 4
	exitDamaged  = 5
)

func main() {
	os.Exit(run())
}

func run() int {
	if backend.Child() {
		return exitOK
	}
	// The first interrupt cancels the work, which stops cleanly; a second one ends the program.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	out := &output{file: os.Stdout}
	cmd := newRoot()
	cmd.SetOut(out)
	cmd.SetErr(os.Stderr)
	err := interrupted(ctx, cmd.ExecuteContext(ctx))
	if err == nil {
		err = out.failure()
	}
	if err == nil {
		return exitOK
	}
	if !out.written && slices.Contains(os.Args, "--json") { // which may stand behind what could not be understood
		_ = printJSON(out, failure{described{domain.CodeOf(err), err.Error(), domain.HintOf(err)}})
	}
	printError(err)
	return exitCode(err)
}

// interrupted says it of an error that is nothing but the end of ctx.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, context.Canceled) || domain.CodeOf(err) != domain.CodeInternal {
		return err
	}
	return domain.Errorf(domain.CodeCanceled, "run it again; what was stored before is kept", "stopped by an interrupt")
}

// failure is what a command that was to print JSON prints where it has no answer.
type failure struct {
	Error described `json:"error"`
}

type described struct {
	Code    domain.Code `json:"code"`
	Message string      `json:"message"`
	Hint    string      `json:"hint"`
}

// errNothingFound ends a command whose answer is empty: already said, and exit code 3.
var errNothingFound = errors.New("nothing found")

func printError(err error) {
	if errors.Is(err, errNothingFound) || errors.Is(err, errDegraded) {
		return
	}
	fmt.Fprintf(os.Stderr, "fanous: %s\n", plain(err.Error()))
	if hint := domain.HintOf(err); hint != "" {
		fmt.Fprintf(os.Stderr, "  what to do: %s\n", hint)
	}
}

func exitCode(err error) int {
	if errors.Is(err, errNothingFound) {
		return exitNotFound
	}
	switch domain.CodeOf(err) {
	case domain.CodeUsage:
		return exitUsage
	case domain.CodeNotFound:
		return exitNotFound
	case domain.CodeLocked:
		return exitLocked
	case domain.CodeDamaged:
		return exitDamaged
	}
	return exitError
}
