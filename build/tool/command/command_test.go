package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
)

// TestMain lets the test binary stand in for the programs that are run: a "parent" starts a "child" and waits for it,
// and the child says that it is there and never stops by itself, asked or not.
func TestMain(m *testing.M) {
	switch os.Getenv("COMMAND_TEST_ROLE") {
	case "parent":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "COMMAND_TEST_ROLE=child")
		child.Stdout = os.Stdout
		child.Run()
	case "child":
		deaf := make(chan os.Signal, 1)
		signal.Notify(deaf, os.Interrupt)
		os.Stdout.WriteString("up\n")
		for range deaf {
		}
	case "failing":
		os.Stderr.WriteString("the disk is full\n")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
}

func role(name string) Command {
	return Command{Args: []string{os.Args[0]}, Env: []string{"COMMAND_TEST_ROLE=" + name}}
}

func TestStoppingEndsWhatTheProgramStarted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	// A pipe of our own that the grandchild holds open: reading it to its end proves that the grandchild is gone.
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	go func() {
		first := make([]byte, 1)
		read.Read(first)
		cancel()
	}()
	err = role("parent").Stream(ctx, write, &bytes.Buffer{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the cancellation", err)
	}
	write.Close()
	for buffer := make([]byte, 16); ; {
		if _, err := read.Read(buffer); err != nil {
			return
		}
	}
}

func TestOutputQuotesWhatAFailedProgramSaid(t *testing.T) {
	_, err := role("failing").Output(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("got %v, want what was said on standard error", err)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("got %v, want exit code 3", err)
	}
}
