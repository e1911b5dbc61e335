// Package native makes the native libraries that Fanous links or loads: our Rust code with the tokenizers library and
// pdfium's sandbox, built from source, and ONNX Runtime, taken out of a pinned wheel.
package native

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"fanous/build/tool/cache"
	"fanous/build/tool/command"
	"fanous/build/tool/step"
)

const (
	// tokenizersModule holds the source of the tokenizers library.
	tokenizersModule = "github.com/daulet/tokenizers"
	// pdfiumModule holds pdfium compiled to WebAssembly.
	pdfiumModule = "github.com/klippa-app/go-pdfium"
)

// windowsTarget is the Rust target whose objects the C compiler that Go uses on Windows can link.
const windowsTarget = "x86_64-pc-windows-gnu"

// Rust returns the folder of libtokenizers.a, built where it is missing from our cargo project, which is below root, and
// the two modules. The folder's name changes with all three, since Go does not notice a changed library in an unchanged
// folder.
func Rust(ctx context.Context, c cache.Cache, log *step.Log, root string) (string, error) {
	project := filepath.Join(root, "build", "native")
	recipe, err := cache.Digest(project, "Cargo.toml", "Cargo.lock", "src", "tiktoken-rs/Cargo.toml", "tiktoken-rs/src", "replacements")
	if err != nil {
		return "", err
	}
	source, err := download(ctx, root, tokenizersModule)
	if err != nil {
		return "", err
	}
	pdfium, err := download(ctx, root, pdfiumModule)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("native/rust-%s-%s-%s", source.Version[1:], pdfium.Version[1:], cache.Short(recipe))
	return c.Ensure(name, func(folder string) error {
		hint := "read what cargo says above; it needs Rust 1.95 or later and the crates registry. Then run this again: what was compiled is kept"
		return log.Do("build the tokenizers and the sandbox of pdfium (some minutes the first time)", hint, func() error {
			// Kept until the build succeeds, so that a stopped build goes on where it was.
			target := c.Path("cargo", filepath.Base(name))
			env := []string{
				"TOKENIZERS_SRC=" + filepath.Join(source.Dir, "crates", "tokenizers"),
				"PDFIUM_WASM=" + filepath.Join(pdfium.Dir, "internal", "pdfium_wasm", "pdfium.wasm"),
			}
			if err := build(ctx, project, env, target, folder); err != nil {
				return err
			}
			return os.RemoveAll(target)
		})
	})
}

func build(ctx context.Context, project string, env []string, target, folder string) error {
	manifest, crates := filepath.Join(project, "Cargo.toml"), filepath.Join(target, "crates")
	if err := vendor(ctx, manifest, crates); err != nil {
		return err
	}
	if err := replace(crates, filepath.Join(project, "replacements")); err != nil {
		return err
	}
	args := []string{"cargo", "build", "--release", "--locked", "--offline", "--manifest-path", manifest, "--target-dir", target,
		"--config", `source.crates-io.replace-with="fanous"`,
		"--config", fmt.Sprintf("source.fanous.directory=%q", filepath.ToSlash(crates)),
	}
	built := filepath.Join(target, "release", "libtokenizers.a")
	if runtime.GOOS == "windows" {
		args = append(args, "--target", windowsTarget)
		built = filepath.Join(target, windowsTarget, "release", "libtokenizers.a")
		// The Go module asks for -ldl, which Windows does not have; an archive without members serves.
		if err := os.WriteFile(filepath.Join(folder, "libdl.a"), []byte("!<arch>\n"), 0o644); err != nil {
			return err
		}
	}
	cargo := command.Command{Args: args, Env: env}
	if err := cargo.Work(ctx); err != nil {
		return err
	}
	return os.Rename(built, filepath.Join(folder, "libtokenizers.a"))
}

// vendor copies the source of every crate of the project into a folder, which it makes anew.
func vendor(ctx context.Context, manifest, crates string) error {
	if err := os.RemoveAll(crates); err != nil {
		return err
	}
	cargo := command.Of("cargo", "vendor", "--quiet", "--locked", "--manifest-path", manifest, crates)
	return cargo.Stream(ctx, io.Discard, os.Stderr) // its output is advice on configuring cargo
}

// replace puts our own files in place of those of the same path in the tokenizers crate; their comments say why. Cargo
// must not expect the crate's files to be as they were published, which their digests in the lock file have just shown.
func replace(crates, replacements string) error {
	crate := filepath.Join(crates, "tokenizers")
	err := filepath.WalkDir(replacements, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(replacements, path)
		if err != nil {
			return err
		}
		place := filepath.Join(crate, "src", name)
		if _, err := os.Stat(place); err != nil {
			return fmt.Errorf("the tokenizers crate has no file where ours belongs: %w", err)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(place, source, 0o644)
	})
	if err != nil {
		return err
	}
	path := filepath.Join(crate, ".cargo-checksum.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var sums struct {
		Files   map[string]string `json:"files"`
		Package string            `json:"package"`
	}
	if err := json.Unmarshal(data, &sums); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	sums.Files = map[string]string{}
	if data, err = json.Marshal(sums); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// module is what the go command tells of a downloaded module.
type module struct {
	Version string
	Dir     string
}

func download(ctx context.Context, root, path string) (module, error) {
	out, err := command.Command{Dir: root, Args: []string{"go", "mod", "download", "-json", path}}.Output(ctx)
	if err != nil {
		return module{}, err
	}
	var m module
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		return module{}, fmt.Errorf("go mod download %s: %w", path, err)
	}
	if m.Version == "" || m.Dir == "" {
		return module{}, fmt.Errorf("go mod download %s: no version and folder in %q", path, out)
	}
	return m, nil
}
