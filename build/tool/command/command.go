// Package command runs other programs for the build tool.
package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// grace is how long a stopped program may take to clean up before it is killed. mage itself waits five seconds.
const grace = 3 * time.Second

// Command is a program to run. Dir and Env are those of this process where empty; Env is added to this process's
// environment.
type Command struct {
	Dir  string
	Env  []string
	Args []string // the program, then its arguments
}

// Of returns the command with these words, run here.
func Of(args ...string) Command {
	return Command{Args: args}
}

// String is the command as it would be typed, without quoting.
func (c Command) String() string {
	return strings.Join(c.Args, " ")
}

// Run runs the command on this terminal and waits for it.
func (c Command) Run(ctx context.Context) error {
	return c.Stream(ctx, os.Stdout, os.Stderr)
}

// Work runs the command on this terminal for what it does and not for what it prints: all of that goes to standard
// error, so that standard output stays the tool's own.
func (c Command) Work(ctx context.Context) error {
	return c.Stream(ctx, os.Stderr, os.Stderr)
}

// Stream runs the command with its two outputs going to out and errs. When ctx ends, the program and all that it
// started are asked to stop, then killed.
func (c Command) Stream(ctx context.Context, out, errs io.Writer) error {
	if err := c.stream(ctx, out, errs); err != nil {
		return c.failure(ctx, err, "")
	}
	return nil
}

// Output runs the command and returns its standard output without the space around it. A failure quotes what the
// command said on standard error.
func (c Command) Output(ctx context.Context) (string, error) {
	var out, errs bytes.Buffer
	if err := c.stream(ctx, &out, &errs); err != nil {
		return "", c.failure(ctx, err, strings.TrimSpace(errs.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

func (c Command) stream(ctx context.Context, out, errs io.Writer) error {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdout, cmd.Stderr = out, errs
	interrupt, kill := group(cmd)
	cmd.Cancel = interrupt
	cmd.WaitDelay = grace
	err := cmd.Run()
	if ctx.Err() != nil && cmd.Process != nil {
		kill() // fails where nothing of the group is left, which is as well
	}
	return err
}

func (c Command) failure(ctx context.Context, err error, said string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if said != "" {
		return fmt.Errorf("%s: %w: %s", c, err, said)
	}
	return fmt.Errorf("%s: %w", c, err)
}

// Exists says whether a program of this name can be started.
func Exists(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}
