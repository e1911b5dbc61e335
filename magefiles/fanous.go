//go:build mage

// The build tool's commands, run as `go tool mage TARGET`. The work is in build/tool.
package main

import (
	"context"

	"fanous/build/tool/project"
)

// Run builds everything, indexes the sample collection, answers queries on it and opens the window where there is a display.
func Run(ctx context.Context) error { return with(ctx, (*project.Project).Run) }

// Test builds everything and runs every check and every test.
func Test(ctx context.Context) error { return with(ctx, (*project.Project).Test) }

// Build leaves build/bin/fanous and build/bin/fanous-desktop.
func Build(ctx context.Context) error { return with(ctx, (*project.Project).Build) }

// Lint checks the source: format, vet, staticcheck, the frontend's types.
func Lint(ctx context.Context) error { return with(ctx, (*project.Project).Lint) }

// Bench runs every benchmark.
func Bench(ctx context.Context) error { return with(ctx, (*project.Project).Bench) }

// Fuzz runs every fuzz target for a minute each, or for as long as FANOUS_FUZZ says.
func Fuzz(ctx context.Context) error { return with(ctx, (*project.Project).Fuzz) }

// Generate writes the generated code that is committed.
func Generate(ctx context.Context) error { return with(ctx, (*project.Project).Generate) }

// Env prints the environment in which plain go build and go test work; use it with eval.
func Env(ctx context.Context) error { return with(ctx, (*project.Project).Env) }

// Clean removes what was made for this clone, and leaves the cache.
func Clean() error {
	return with(context.Background(), func(p *project.Project, _ context.Context) error { return p.Clean() })
}

func with(ctx context.Context, do func(*project.Project, context.Context) error) error {
	p, err := project.Open()
	if err != nil {
		return err
	}
	return do(p, ctx)
}
