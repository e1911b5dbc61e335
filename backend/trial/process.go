package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"fanous/backend/onnx"
	"fanous/models/child"
)

// childEnv makes a program of ours a trial: it holds the Subject as JSON.
const childEnv = "FANOUS_SELF_TEST"

// line is what a child says on its standard output, one a line: a stage as it begins, at last the result.
type line struct {
	Stage  string  `json:"stage,omitempty"`
	Result *Result `json:"result,omitempty"`
}

// Child makes the trial that the environment asks for, and says whether it asked for one: the program, which calls
// this before anything else, then ends. A child whose standard input ends has lost its parent and ends at once.
func Child() bool {
	text, ok := os.LookupEnv(childEnv)
	if !ok {
		return false
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	out := json.NewEncoder(os.Stdout)
	var s Subject
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", childEnv, err)
		os.Exit(1)
	}
	r := Run(context.Background(), s, func(stage string) { _ = out.Encode(line{Stage: stage}) })
	if err := out.Encode(line{Result: &r}); err != nil {
		os.Exit(1) // nobody listens
	}
	return true
}

// Runner makes trials in processes of their own.
type Runner struct {
	Program string        // a program that calls Child first
	Limit   time.Duration // of each trial; 0: what suits the subject
}

// limit is how long a trial may take. Somebody waits for the library; loading two gigabytes from a slow disk and
// compiling a device's kernels for the first time take minutes at the worst, in the background.
func (r Runner) limit(s Subject) time.Duration {
	switch {
	case r.Limit > 0:
		return r.Limit
	case s.Model == "" && s.Device == onnx.CPU:
		return 20 * time.Second
	case s.Model == "":
		return time.Minute
	}
	return 3 * time.Minute
}

// Run makes a trial. Its error says that there could be none: the program did not start, or ctx ended.
func (r Runner) Run(ctx context.Context, s Subject) (Result, error) {
	subject, err := json.Marshal(s)
	if err != nil {
		return Result{}, err
	}
	within, cancel := context.WithTimeout(ctx, r.limit(s))
	defer cancel()
	cmd := exec.CommandContext(within, r.Program)
	cmd.Args = os.Args[:1] // a program of several names goes by this one
	child.Prepare(cmd, childEnv+"="+string(subject))
	said, complaints := &listener{}, &child.Words{}
	cmd.Stdout, cmd.Stderr = said, complaints
	life, err := cmd.StdinPipe() // closed when this process ends, however it does
	if err != nil {
		return Result{}, err
	}
	defer life.Close()
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("self-test: %w", err)
	}
	ended := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case said.result != nil:
		return *said.result, nil
	}
	how := ""
	if within.Err() == nil {
		how = complaints.Epitaph(ended)
	}
	lost := lost(s, said.stage, how)
	lost.At = time.Now()
	return lost, nil
}

// listener reads a child's lines as they come. exec writes to it from one goroutine, and is done when Wait returns.
type listener struct {
	rest   []byte
	stage  string
	result *Result
}

func (l *listener) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		end := bytes.IndexByte(l.rest, '\n')
		if end < 0 {
			return len(p), nil
		}
		var said line
		if json.Unmarshal(l.rest[:end], &said) == nil { // else a library spoke
			if said.Stage != "" {
				l.stage = said.Stage
			}
			if said.Result != nil {
				l.result = said.Result
			}
		}
		l.rest = l.rest[end+1:]
	}
}

// illegalInstruction says whether a process ended because its processor does not know an instruction.
func illegalInstruction(how string) bool {
	return strings.HasPrefix(how, "SIGILL") || strings.HasPrefix(how, "Exception 0xc000001d") || strings.Contains(how, "illegal instruction")
}
