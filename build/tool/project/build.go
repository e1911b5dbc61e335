package project

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"fanous/build/tool/system"
)

// desktopTags makes the root package the real window.
const desktopTags = "desktop,production,webkit2_41"

// Build leaves both programs in build/bin, with the library and the model that they need beside them.
func (p *Project) Build(ctx context.Context) error {
	_, err := p.build(ctx)
	return err
}

func (p *Project) prepareBuild(ctx context.Context, more ...system.Need) (Artifacts, error) {
	return p.Prepare(ctx, append(system.ForBuild(runtime.GOOS), more...)...)
}

func (p *Project) build(ctx context.Context, more ...system.Need) (Artifacts, error) {
	made, err := p.prepareBuild(ctx, more...)
	if err != nil {
		return Artifacts{}, err
	}
	env := building(made)
	if err := p.frontend(ctx, env); err != nil {
		return Artifacts{}, err
	}
	unlock, err := p.cache.Lock(p.mine("bin"))
	if err != nil {
		return Artifacts{}, err
	}
	defer unlock()
	const hint = "read what go says above"
	for _, program := range []struct{ name, tags, source string }{
		{"fanous", "", "./cmd/fanous"},
		{"fanous-desktop", desktopTags, "."},
	} {
		args := []string{"go", "build", "-ldflags=-s -w", "-tags=" + program.tags, "-o", p.program(program.name), program.source}
		if err := p.log.Do("build build/bin/"+program.name, hint, func() error { return p.command(env, args...).Work(ctx) }); err != nil {
			return Artifacts{}, err
		}
	}
	if err := mirror(filepath.Dir(made.Runtime), p.path("build", "bin", "lib")); err != nil {
		return Artifacts{}, err
	}
	return made, mirror(made.Models, p.path("build", "bin", "models"))
}

// building is the environment of every go command that the tool runs. The programs are built without this machine's
// paths in them, and the checks and tests are, too: with another setting every package would be compiled again.
func building(made Artifacts) []string {
	return append(made.Variables(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -trimpath"))
}

// program is the path of a built program.
func (p *Project) program(name string) string {
	return p.path("build", "bin", executable(name))
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// mirror makes the folder to hold the files of the folder from and no others: as further names of the same files where
// the file system can, for the models are large, and as copies where not.
func mirror(from, to string) error {
	return errors.Join(prune(from, to), fs.WalkDir(os.DirFS(from), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		source, target := filepath.Join(from, name), filepath.Join(to, name)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if same(source, target) {
			return nil
		}
		if err := os.RemoveAll(target); err != nil {
			return err
		}
		if os.Link(source, target) == nil {
			return nil
		}
		return copyFile(source, target)
	}))
}

// prune removes what is below to and not below from.
func prune(from, to string) error {
	if !exists(to) {
		return nil
	}
	return fs.WalkDir(os.DirFS(to), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || exists(filepath.Join(from, name)) {
			return err
		}
		if err := os.RemoveAll(filepath.Join(to, name)); err != nil {
			return err
		}
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// same says whether two paths are one file, or a file and its copy: cached files never change under one name, so size
// and time tell.
func same(source, target string) bool {
	a, err := os.Stat(source)
	if err != nil {
		return false
	}
	b, err := os.Stat(target)
	if err != nil {
		return false
	}
	return os.SameFile(a, b) || a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// copyFile copies a file with its modification time, and leaves no half file under the target's name.
func copyFile(source, target string) (err error) {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(target), ".copy-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(out.Name())
		}
	}()
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if err := os.Chmod(out.Name(), info.Mode()); err != nil {
		return err
	}
	if err := os.Chtimes(out.Name(), info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	return os.Rename(out.Name(), target)
}
