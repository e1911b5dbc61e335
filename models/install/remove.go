package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"fanous/models"
)

// ErrNotInstalled says that there is nothing of a model to remove.
var ErrNotInstalled = errors.New("it is not installed")

// ErrInUse says that the system does not let go of a file, because some program has it open.
var ErrInUse = errors.New("another program is using its files")

// Remove takes a model out of all folders, with what of it is on its way. Programs that have it open go on with it:
// its files leave their place at once, and those that the system keeps until they are closed are deleted later, by
// Sweep.
func (in *Installer) Remove(ctx context.Context, name string) error {
	unlock, err := in.lock(ctx, name)
	if err != nil {
		return err
	}
	defer unlock()
	found := false
	for _, dir := range in.Dirs {
		folder := filepath.Join(dir, name)
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		found = true
		if err := displace(folder, filepath.Join(dir, removedDir)); err != nil {
			return err
		}
		sweep(dir)
	}
	if in.Partial(name) > 0 {
		found = true
	}
	if err := os.RemoveAll(in.staging(name)); err != nil {
		return err
	}
	if !found {
		return ErrNotInstalled
	}
	return nil
}

// replace puts a whole folder in its place. What was there before stays usable for whoever has it open.
func (in *Installer) replace(name, staging string) error {
	final := filepath.Join(in.dir(), name)
	if _, err := os.Stat(final); err == nil {
		if err := displace(final, filepath.Join(in.dir(), removedDir)); err != nil {
			return err
		}
	}
	if err := os.Rename(staging, final); err != nil {
		return fmt.Errorf("put %s in its place: %w", name, err)
	}
	sweep(in.dir())
	return models.SyncDir(in.dir())
}

// displace moves a model's folder out of the way.
func displace(folder, to string) error {
	aside := filepath.Join(to, filepath.Base(folder)+"-"+strconv.FormatInt(time.Now().UnixNano(), 36))
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if os.Rename(folder, aside) == nil {
		return nil
	}
	return displaceFiles(folder, aside)
}

// displaceFiles moves a model's files one by one, for systems that do not rename a folder while a file in it is open.
// Where one cannot be moved, all stay.
func displaceFiles(folder, aside string) error {
	entries, err := os.ReadDir(folder)
	if err == nil {
		err = os.MkdirAll(aside, 0o755)
	}
	if err != nil {
		return err
	}
	for i, e := range entries {
		if os.Rename(filepath.Join(folder, e.Name()), filepath.Join(aside, e.Name())) == nil {
			continue
		}
		for _, moved := range entries[:i] {
			err = errors.Join(err, os.Rename(filepath.Join(aside, moved.Name()), filepath.Join(folder, moved.Name())))
		}
		return errors.Join(fmt.Errorf("%s: %s: %w", filepath.Base(folder), e.Name(), ErrInUse), err, os.Remove(aside))
	}
	return os.Remove(folder)
}

// Sweep deletes what was removed earlier and could not be deleted then. What is still open stays for the next time.
func Sweep(dirs ...string) {
	for _, dir := range dirs {
		sweep(dir)
	}
}

func sweep(dir string) {
	removed := filepath.Join(dir, removedDir)
	entries, err := os.ReadDir(removed)
	if err != nil {
		return
	}
	for _, e := range entries {
		_ = os.RemoveAll(filepath.Join(removed, e.Name()))
	}
	_ = os.Remove(removed)
}
