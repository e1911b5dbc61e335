package project

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fanous/build/tool/cache"
)

// frontend makes frontend/dist, which the desktop program embeds. Node packages and the window's runtime come first.
func (p *Project) frontend(ctx context.Context, env []string) error {
	if err := p.nodeModules(ctx); err != nil {
		return err
	}
	if err := p.wailsRuntime(ctx, env); err != nil {
		return err
	}
	inputs, err := cache.Digest(p.path("frontend"), "src", "public", "wailsjs", "index.html", "package.json", "package-lock.json",
		"svelte.config.js", "tsconfig.json", "vite.config.ts")
	if err != nil {
		return err
	}
	output := p.path("frontend", "dist", "index.html")
	return p.cache.Refresh(p.mine("dist"), output, inputs, func() error {
		return p.log.Do("build the frontend", "read what vite says above", func() error {
			return p.npm(ctx, "run", "build")
		})
	})
}

// nodeModules installs what the frontend's lock file names.
func (p *Project) nodeModules(ctx context.Context) error {
	inputs, err := cache.Digest(p.path("frontend"), "package.json", "package-lock.json", ".npmrc")
	if err != nil {
		return err
	}
	hint := "check the network and what npm is set up to use (npm config list), then run this again"
	return p.cache.Refresh(p.mine("node_modules"), p.path("frontend", "node_modules", ".package-lock.json"), inputs, func() error {
		return p.log.Do("install the frontend's packages", hint, func() error {
			return p.npm(ctx, "ci", "--no-audit", "--no-fund")
		})
	})
}

func (p *Project) npm(ctx context.Context, args ...string) error {
	c := p.command(nil, append([]string{"npm"}, args...)...)
	c.Dir = p.path("frontend")
	return c.Work(ctx)
}

// wailsRuntime writes frontend/wailsjs/runtime, Wails' own script, which is not committed. It changes only with Wails.
func (p *Project) wailsRuntime(ctx context.Context, env []string) error {
	version, err := p.command(nil, "go", "list", "-m", "github.com/wailsapp/wails/v2").Output(ctx)
	if err != nil {
		return err
	}
	return p.cache.Refresh(p.mine("wails-runtime"), p.path("frontend", "wailsjs", "runtime", "runtime.js"), version, func() error {
		return p.log.Do("write the window's runtime", "read what go says above", func() error {
			written, err := p.bindings(ctx, env)
			if err != nil {
				return err
			}
			defer os.RemoveAll(written)
			return replaceTree(filepath.Join(written, "runtime"), p.path("frontend", "wailsjs", "runtime"))
		})
	})
}

// bindings generates the scripts through which the frontend calls our Go services, in a temporary folder that the
// caller removes.
func (p *Project) bindings(ctx context.Context, env []string) (wailsjs string, err error) {
	folder, err := os.MkdirTemp(p.cache.Path("tmp"), "bindings-")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(folder)
		}
	}()
	// The generator reads wails.json where it runs, and writes beside it.
	settings, err := os.ReadFile(p.path("wails.json"))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "wails.json"), settings, 0o644); err != nil {
		return "", err
	}
	program := filepath.Join(folder, executable("bindings"))
	if err := p.command(env, "go", "build", "-tags", "bindings", "-o", program, ".").Work(ctx); err != nil {
		return "", err
	}
	// What Wails' own command passes on from wails.json, of which the generator itself reads only the folder.
	var config struct {
		Bindings struct {
			TS struct {
				OutputType string `json:"outputType"`
			} `json:"ts_generation"`
		} `json:"bindings"`
	}
	if err := json.Unmarshal(settings, &config); err != nil {
		return "", fmt.Errorf("wails.json: %w", err)
	}
	generate := p.command([]string{"tsoutputtype=" + config.Bindings.TS.OutputType}, program)
	generate.Dir = folder
	if _, err := generate.Output(ctx); err != nil { // it tells of every field of every type
		return "", err
	}
	return filepath.Join(folder, "frontend", "wailsjs"), nil
}

// Generate writes the generated code that is committed: the bindings of the desktop's services.
func (p *Project) Generate(ctx context.Context) error {
	made, err := p.prepareBuild(ctx)
	if err != nil {
		return err
	}
	written, err := p.bindings(ctx, building(made))
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(filepath.Dir(written)))
	return replaceTree(filepath.Join(written, "go"), p.path("frontend", "wailsjs", "go"))
}

// checkGenerated compares the committed generated code with what would be generated now.
func (p *Project) checkGenerated(ctx context.Context, env []string) error {
	written, err := p.bindings(ctx, env)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(filepath.Dir(written)))
	differences, err := compareTrees(p.path("frontend", "wailsjs", "go"), filepath.Join(written, "go"))
	if err != nil {
		return err
	}
	if len(differences) > 0 {
		return fmt.Errorf("frontend/wailsjs/go is out of date, run go tool mage generate and commit: %s", strings.Join(differences, ", "))
	}
	return nil
}

// replaceTree makes the folder to a copy of the folder from.
func replaceTree(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.CopyFS(to, os.DirFS(from))
}

// compareTrees names the files that are in only one of two folders or differ.
func compareTrees(a, b string) ([]string, error) {
	var differences []string
	left, err := readTree(a)
	if err != nil {
		return nil, err
	}
	right, err := readTree(b)
	if err != nil {
		return nil, err
	}
	for name, content := range left {
		if other, ok := right[name]; !ok || !bytes.Equal(content, other) {
			differences = append(differences, name)
		}
	}
	for name := range right {
		if _, ok := left[name]; !ok {
			differences = append(differences, name)
		}
	}
	return differences, nil
}

func readTree(root string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = os.ReadFile(filepath.Join(root, name))
		return err
	})
	return files, err
}
