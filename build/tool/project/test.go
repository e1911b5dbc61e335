package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"fanous/build/tool/suite"
	"fanous/build/tool/system"
)

// commandLine is the package of the command-line program.
const commandLine = "./cmd/fanous"

// testTags add the tests that need more than the Go tests do: a browser, a display, the C build of sqlite-vec.
const testTags = "browser,window,vecconformance"

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
		packages, err := p.packages(ctx, env)
		if err != nil {
			return suite.Outcome{}, err
		}
		return suite.GoTest(ctx, p.root, env, os.Stdout, append([]string{"-timeout=20m"}, packages...)...)
	})
	report.Run("the packaged program on the command line", func() (suite.Outcome, error) {
		// It must find its library and its model beside itself, without being told.
		alone := append(slices.Clone(env), "FANOUS_BINARY="+p.program("fanous"), "FANOUS_RUNTIME=", "FANOUS_MODELS=")
		return suite.GoTest(ctx, p.root, alone, os.Stdout, "-count=1", commandLine)
	})
	report.Run("vector search against the C build of sqlite-vec", func() (suite.Outcome, error) {
		return suite.GoTest(ctx, p.root, env, os.Stdout, "-tags=vecconformance", "./backend/store/vecconformance")
	})
	report.Run("browser test on the real backend", func() (suite.Outcome, error) {
		return suite.GoTest(ctx, p.root, env, os.Stdout, "-count=1", "-tags=browser", "./app/webtest")
	})
	if runtime.GOOS == "linux" { // elsewhere there is no virtual display
		report.Run("test of the real window", func() (suite.Outcome, error) {
			return suite.GoTest(ctx, p.root, env, os.Stdout, "-count=1", "-tags=window", "./app/windowtest")
		})
	}
	report.Run("fuzz targets", func() (suite.Outcome, error) { return p.fuzz(ctx, env, fuzzShort) })
	report.Check("every benchmark runs", func() error { return p.benchmarks(ctx, env, "-benchtime=1x") })
	return errors.Join(ctx.Err(), report.Close())
}

// testing is the environment of the tests: the prepared files, and no key of the person's by which a test could reach
// the network.
func (p *Project) testing(made Artifacts) []string {
	return append(building(made), "CO_API_KEY=", "FANOUS_KEYCHAIN=off", "FANOUS_DESKTOP="+p.program("fanous-desktop"))
}

// packages lists what the Go tests run on: every package but the command line, whose tests run on the packaged program.
func (p *Project) packages(ctx context.Context, env []string) ([]string, error) {
	out, err := p.command(env, "go", "list", "./...").Output(ctx)
	if err != nil {
		return nil, err
	}
	commandLine, err := p.command(env, "go", "list", commandLine).Output(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Fields(out), func(name string) bool { return name == commandLine }), nil
}

// benchmarks runs every benchmark, in the packages that have one.
func (p *Project) benchmarks(ctx context.Context, env []string, flags ...string) error {
	folders, err := benchmarked(p.root)
	if err != nil {
		return err
	}
	args := append([]string{"go", "test", "-run=^$", "-bench=.", "-timeout=60m"}, flags...)
	return p.command(env, append(args, folders...)...).Run(ctx)
}

// benchmarked names the folders below root with a benchmark in them.
func benchmarked(root string) ([]string, error) {
	var folders []string
	err := goFiles(root, func(name string, source []byte) error {
		folder := "./" + path.Dir(name)
		if strings.HasSuffix(name, "_test.go") && bytes.Contains(source, []byte("\nfunc Benchmark")) && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
		return nil
	})
	if err == nil && len(folders) == 0 {
		err = errors.New("there is no benchmark")
	}
	return folders, err
}

// Lint runs the checks of the source that need no test.
func (p *Project) Lint(ctx context.Context) error {
	made, err := p.prepareBuild(ctx)
	if err != nil {
		return err
	}
	env := building(made)
	if err := p.frontend(ctx, env); err != nil {
		return err
	}
	report := suite.NewReport(os.Stdout)
	p.lint(ctx, report, env)
	return report.Close()
}

func (p *Project) lint(ctx context.Context, report *suite.Report, env []string) {
	report.Check("gofmt", func() error { return unformatted(p.root) })
	report.Check("go vet", func() error {
		return p.command(env, "go", "vet", "-tags="+desktopTags+","+testTags, "./...").Run(ctx)
	})
	report.Check("staticcheck", func() error {
		return p.command(env, "go", "tool", "staticcheck", "-tags="+testTags, "./...").Run(ctx)
	})
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
	return p.benchmarks(ctx, p.testing(made), "-benchmem")
}

// unformatted is an error that names the Go files below root that gofmt would change.
func unformatted(root string) error {
	var names []string
	err := goFiles(root, func(name string, source []byte) error {
		formatted, err := format.Source(source)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Equal(source, formatted) {
			names = append(names, name)
		}
		return nil
	})
	if err == nil && len(names) > 0 {
		err = fmt.Errorf("run gofmt -w %s", strings.Join(names, " "))
	}
	return err
}

// goFiles calls visit for every Go file below root that is ours, by its slash-separated name.
func goFiles(root string, visit func(name string, source []byte) error) error {
	tree := os.DirFS(root)
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata"}, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return visit(name, source)
	})
}
