package project

import (
	"context"
	"fmt"
	"os"
	"path"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"fanous/build/tool/suite"
)

const (
	// fuzzEnv says for how long each fuzz target is run.
	fuzzEnv = "FANOUS_FUZZ"
	// fuzzLong is for who asks for fuzzing, fuzzShort for every test: enough to see that a target still works.
	fuzzLong  = time.Minute
	fuzzShort = 3 * time.Second
	// minimize bounds how often go tries to make an input smaller. Its own minute for each new one leaves nothing for
	// fuzzing where inputs are files: 228 executions in 20 s became 42,550 in 30 s (FuzzDOC).
	minimize = "-fuzzminimizetime=20x"
)

// Fuzz runs every fuzz target for a minute, or for as long as FANOUS_FUZZ says.
func (p *Project) Fuzz(ctx context.Context) error {
	made, err := p.prepareBuild(ctx)
	if err != nil {
		return err
	}
	report := suite.NewReport(os.Stdout)
	report.Run("fuzz targets", func() (suite.Outcome, error) { return p.fuzz(ctx, p.testing(made), fuzzLong) })
	return report.Close()
}

// fuzz runs every fuzz target, one on each core, for as long as FANOUS_FUZZ says or else for usual. What makes one fail
// is left in its package's testdata, to be kept there.
func (p *Project) fuzz(ctx context.Context, env []string, usual time.Duration) (suite.Outcome, error) {
	if text := os.Getenv(fuzzEnv); text != "" {
		var err error
		if usual, err = time.ParseDuration(text); err != nil {
			return suite.Outcome{}, fmt.Errorf("%s: %w", fuzzEnv, err)
		}
	}
	targets, err := fuzzTargets(p.root)
	if err != nil {
		return suite.Outcome{}, err
	}
	todo := make(chan fuzzTarget, len(targets))
	for _, t := range targets {
		todo <- t
	}
	close(todo)
	var outcome suite.Outcome
	var mu sync.Mutex // of outcome and of what is printed
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for t := range todo {
				var out strings.Builder
				err := p.command(env, "go", "test", "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+usual.String(), minimize, "-parallel=1", "-timeout=20m", t.folder).
					Stream(ctx, &out, &out)
				mu.Lock()
				if err == nil || ended(out.String()) {
					outcome.Passed++
					fmt.Printf("ok   %s in %s, for %s\n", t.name, t.folder, usual)
				} else {
					outcome.Failures = append(outcome.Failures, t.folder+"."+t.name)
					fmt.Printf("FAIL %s in %s\n%s", t.name, t.folder, out.String())
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return outcome, ctx.Err()
}

// ended says that go reports nothing but that the time was over while an input ran, which it takes for a failure. One
// that failed is named.
func ended(output string) bool {
	return strings.Contains(output, "context deadline exceeded") && !strings.Contains(output, "Failing input written") &&
		!strings.Contains(output, "panic:")
}

// fuzzTarget is a function that go can fuzz, and the folder of its package.
type fuzzTarget struct{ folder, name string }

var fuzzFunction = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// fuzzTargets finds the fuzz targets below root.
func fuzzTargets(root string) ([]fuzzTarget, error) {
	var targets []fuzzTarget
	err := goFiles(root, func(name string, source []byte) error {
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		for _, found := range fuzzFunction.FindAllSubmatch(source, -1) {
			targets = append(targets, fuzzTarget{"./" + path.Dir(name), string(found[1])})
		}
		return nil
	})
	return targets, err
}
