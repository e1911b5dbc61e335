package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"fanous/build/tool/suite"
	"fanous/build/tool/system"
)

// Test runs every check and every test, and sums up.
func (p *Project) Test(ctx context.Context) error {
	made, err := p.build(ctx, system.ForTests(runtime.GOOS)...)
	if err != nil {
		return err
	}
	env := p.testing(made)
	report := suite.NewReport(os.Stdout)
	p.lint(ctx, report, env)
	report.Check("go.mod is tidy", func() error { return p.command(env, "go", "mod", "tidy", "-diff").Run(ctx) })
	report.Check("generated code is current", func() error { return p.checkGenerated(ctx, env) })
	report.Run("frontend unit tests", func() (suite.Outcome, error) { return p.vitest(ctx) })
	report.Run("Go tests", func() (suite.Outcome, error) {
		return suite.GoTest(ctx, p.root, env, os.Stdout, "-timeout=20m", "./...")
	})
	report.Run("vector search against the C build of sqlite-vec", func() (suite.Outcome, error) {
		return suite.GoTest(ctx, p.root, env, os.Stdout, "-tags=vecconformance", "./backend/store/vecconformance")
	})
	report.Run("browser test on the real backend", func() (suite.Outcome, error) {
		return suite.GoTest(ctx, p.root, env, os.Stdout, "-count=1", "-tags=browser", "-run=Browser", "./app/...")
	})
	report.Run("test of the real window", func() (suite.Outcome, error) {
		return suite.GoTest(ctx, p.root, env, os.Stdout, "-count=1", "-tags=window", "-run=Window", "./app/...")
	})
	report.Check("every benchmark runs", func() error {
		return p.command(env, "go", "test", "-run=^$", "-bench=.", "-benchtime=1x", "./...").Run(ctx)
	})
	return errors.Join(ctx.Err(), report.Close())
}

// testing is the environment of the tests: the prepared files, and no key of the person's by which a test could reach
// the network.
func (p *Project) testing(made Artifacts) []string {
	return append(made.Variables(), "CO_API_KEY=", "FANOUS_PROGRAM="+p.program("fanous"), "FANOUS_WINDOW="+p.program("fanous-desktop"),
		"FANOUS_ARTIFACTS="+p.path("build", "artifacts"))
}

// Lint runs the checks of the source that need no test.
func (p *Project) Lint(ctx context.Context) error {
	made, err := p.prepareBuild(ctx)
	if err != nil {
		return err
	}
	env := made.Variables()
	if err := p.frontend(ctx, env); err != nil {
		return err
	}
	report := suite.NewReport(os.Stdout)
	p.lint(ctx, report, env)
	return report.Close()
}

func (p *Project) lint(ctx context.Context, report *suite.Report, env []string) {
	report.Check("gofmt", func() error { return unformatted(p.root) })
	report.Check("go vet", func() error { return p.command(env, "go", "vet", "./...").Run(ctx) })
	report.Check("go vet of the window and its tests", func() error {
		return p.command(env, "go", "vet", "-tags="+desktopTags+",browser,window,vecconformance", "./...").Run(ctx)
	})
	report.Check("staticcheck", func() error { return p.command(env, "go", "tool", "staticcheck", "./...").Run(ctx) })
	report.Check("frontend types and format", func() error { return p.npm(ctx, "run", "check") })
}

// vitest runs the frontend's unit tests.
func (p *Project) vitest(ctx context.Context) (suite.Outcome, error) {
	file, err := os.CreateTemp(p.cache.Path("tmp"), "vitest-*.json")
	if err != nil {
		return suite.Outcome{}, err
	}
	file.Close()
	defer os.Remove(file.Name())
	ran := p.npm(ctx, "test", "--", "--reporter=default", "--reporter=json", "--outputFile="+file.Name())
	written, err := os.ReadFile(file.Name())
	if err != nil {
		return suite.Outcome{}, err
	}
	if len(written) == 0 {
		return suite.Outcome{}, errors.Join(ran, errors.New("vitest wrote no report"))
	}
	outcome, err := suite.Vitest(written)
	if err == nil && len(outcome.Failures) == 0 {
		err = ran // failed for another reason than a test
	}
	return outcome, err
}

// Bench runs every benchmark for as long as it takes to measure.
func (p *Project) Bench(ctx context.Context) error {
	made, err := p.build(ctx)
	if err != nil {
		return err
	}
	return p.command(p.testing(made), "go", "test", "-run=^$", "-bench=.", "-benchmem", "-timeout=60m", "./...").Run(ctx)
}

// unformatted is an error that names the Go files below root that gofmt would change.
func unformatted(root string) error {
	var names []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || entry.Name() == ".git") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		formatted, err := format.Source(source)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if !bytes.Equal(source, formatted) {
			name, _ := filepath.Rel(root, path)
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return fmt.Errorf("run gofmt -w %s", strings.Join(names, " "))
	}
	return nil
}
