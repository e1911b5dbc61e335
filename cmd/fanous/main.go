// Command fanous is Fanous on the command line: the same backend as the window, for terminals,
// scripts and tests.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
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

	cmd := newRoot()
	cmd.SetOut(os.Stdout)
	cmd.SetErr(os.Stderr)
	if err := cmd.ExecuteContext(ctx); err != nil {
		printError(err)
		return exitCode(err)
	}
	return exitOK
}

// errNothingFound ends a command whose answer is empty: already said, and exit code 3.
var errNothingFound = errors.New("nothing found")

func printError(err error) {
	if errors.Is(err, errNothingFound) || errors.Is(err, errDegraded) {
		return
	}
	fmt.Fprintf(os.Stderr, "fanous: %v\n", err)
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
