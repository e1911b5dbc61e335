// Package native makes the native libraries that Fanous links or loads: the tokenizers library, built from source, and
// ONNX Runtime, taken out of a pinned wheel.
package native

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"fanous/build/tool/cache"
	"fanous/build/tool/command"
	"fanous/build/tool/step"
)

// tokenizersModule holds the source of the tokenizers library.
const tokenizersModule = "github.com/daulet/tokenizers"

// windowsTarget is the Rust target whose objects the C compiler that Go uses on Windows can link.
const windowsTarget = "x86_64-pc-windows-gnu"

// Tokenizers returns the folder of libtokenizers.a, built where it is missing from the module's source with our own
// cargo project, which is below root. The folder's name changes with both, since Go does not notice a changed library
// in an unchanged folder.
func Tokenizers(ctx context.Context, c cache.Cache, log *step.Log, root string) (string, error) {
	project := filepath.Join(root, "build", "tokenizers")
	recipe, err := cache.Digest(project, "Cargo.toml", "Cargo.lock", "src", "tiktoken-rs/Cargo.toml", "tiktoken-rs/src")
	if err != nil {
		return "", err
	}
	source, err := download(ctx, root, tokenizersModule)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("native/tokenizers-%s-%s", source.Version[1:], cache.Short(recipe))
	return c.Ensure(name, func(folder string) error {
		hint := "read what cargo says above; it needs Rust 1.85 or later and the crates registry. Then run this again: what was compiled is kept"
		return log.Do("build the tokenizers library (some minutes the first time)", hint, func() error {
			// Kept until the build succeeds, so that a stopped build goes on where it was.
			target := c.Path("cargo", filepath.Base(name))
			if err := build(ctx, project, filepath.Join(source.Dir, "crates", "tokenizers"), target, folder); err != nil {
				return err
			}
			return os.RemoveAll(target)
		})
	})
}

func build(ctx context.Context, project, source, target, folder string) error {
	args := []string{"cargo", "build", "--release", "--locked", "--manifest-path", filepath.Join(project, "Cargo.toml"), "--target-dir", target}
	built := filepath.Join(target, "release", "libtokenizers.a")
	if runtime.GOOS == "windows" {
		args = append(args, "--target", windowsTarget)
		built = filepath.Join(target, windowsTarget, "release", "libtokenizers.a")
		// The Go module asks for -ldl, which Windows does not have; an archive without members serves.
		if err := os.WriteFile(filepath.Join(folder, "libdl.a"), []byte("!<arch>\n"), 0o644); err != nil {
			return err
		}
	}
	cargo := command.Command{Args: args, Env: []string{"TOKENIZERS_SRC=" + source}}
	if err := cargo.Work(ctx); err != nil {
		return err
	}
	return os.Rename(built, filepath.Join(folder, "libtokenizers.a"))
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
