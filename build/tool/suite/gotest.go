package suite

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"fanous/build/tool/command"
)

// event is one line of `go test -json`.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of a build event
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

// GoTest runs `go test -json` with args in the folder root, prints a line for each package and the output of what
// failed, and counts. Only the leaves of a tree of subtests count, and a parent that failed by itself.
func GoTest(ctx context.Context, root string, env []string, out io.Writer, args ...string) (Outcome, error) {
	read, write := io.Pipe()
	test := command.Command{Dir: root, Env: env, Args: append([]string{"go", "test", "-json"}, args...)}
	ended := make(chan error, 1)
	go func() {
		err := test.Stream(ctx, write, os.Stderr)
		write.Close()
		ended <- err
	}()
	outcome, err := count(read, out)
	// The writer never blocks on a reader that gave up.
	io.Copy(io.Discard, read)
	if ran := <-ended; err == nil && ran != nil && (len(outcome.Failures) == 0 || ctx.Err() != nil) {
		err = ran // the tests themselves account for a failed run only if one is known
	}
	return outcome, err
}

// tally collects the events of one package.
type tally struct {
	output  map[string][]string // by test; "" is the package's own
	result  map[string]string   // of each finished test
	order   []string            // tests in the order of finishing
	parents map[string]bool     // tests that have subtests
	blamed  map[string]bool     // tests that have a failed subtest
}

func newTally() *tally {
	return &tally{output: map[string][]string{}, result: map[string]string{}, parents: map[string]bool{}, blamed: map[string]bool{}}
}

func count(in io.Reader, out io.Writer) (Outcome, error) {
	var outcome Outcome
	packages := map[string]*tally{}
	builds := map[string][]string{} // compiler output by package
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				// The go command itself speaks plainly, say of a pattern that matches nothing.
				out.Write(line)
			} else {
				outcome.take(e, packages, builds, out)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return outcome, err
		}
	}
	for name := range packages {
		outcome.Failures = append(outcome.Failures, name+": did not finish")
	}
	return outcome, nil
}

func (o *Outcome) take(e event, packages map[string]*tally, builds map[string][]string, out io.Writer) {
	switch e.Action {
	case "build-output":
		builds[e.ImportPath] = append(builds[e.ImportPath], e.Output)
		return
	case "build-fail":
		return
	}
	t := packages[e.Package]
	if t == nil {
		t = newTally()
		packages[e.Package] = t
	}
	switch e.Action {
	case "output":
		t.output[e.Test] = append(t.output[e.Test], e.Output)
	case "pass", "fail", "skip":
		if e.Test != "" {
			t.finish(e.Test, e.Action)
			if e.Action != "fail" {
				delete(t.output, e.Test)
			}
			return
		}
		delete(packages, e.Package)
		o.settle(e, t, builds[e.FailedBuild], out)
	}
}

func (t *tally) finish(test, result string) {
	t.result[test] = result
	t.order = append(t.order, test)
	for parent := test; ; {
		cut := strings.LastIndexByte(parent, '/')
		if cut < 0 {
			return
		}
		parent = parent[:cut]
		t.parents[parent] = true
		if result == "fail" {
			t.blamed[parent] = true
		}
	}
}

// settle counts a finished package and prints what there is to say about it.
func (o *Outcome) settle(e event, t *tally, build []string, out io.Writer) {
	failed := 0
	for _, test := range t.order {
		name := e.Package + "." + test
		switch result := t.result[test]; {
		case result == "fail" && !t.blamed[test]:
			o.Failures = append(o.Failures, name)
			failed++
		case result == "fail" || t.parents[test]:
		case result == "skip":
			o.Skipped = append(o.Skipped, name)
		default:
			o.Passed++
		}
		for _, line := range t.output[test] {
			io.WriteString(out, line)
		}
	}
	if e.Action == "fail" {
		for _, line := range append(build, t.output[""]...) {
			io.WriteString(out, line)
		}
		// A build that failed, a panic or a run out of time fails the package and no test.
		for test := range t.output {
			if test != "" && t.result[test] == "" {
				fmt.Fprintf(out, "--- %s did not finish:\n%s", test, strings.Join(t.output[test], ""))
			}
		}
		if failed == 0 {
			o.Failures = append(o.Failures, e.Package)
		}
	}
	switch {
	case e.Action == "fail":
		fmt.Fprintf(out, "FAIL %-50s %.1f s\n", e.Package, e.Elapsed)
	case len(t.order) > 0:
		fmt.Fprintf(out, "ok   %-50s %.1f s, %d tests\n", e.Package, e.Elapsed, len(t.order))
	}
}
