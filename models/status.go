package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// State is whether a model can be used here.
type State string

const (
	Installed State = "installed"
	Missing   State = "missing"
	Damaged   State = "damaged"
)

// Fault is the kind of what is wrong with a damaged model.
type Fault string

const (
	NoManifest   Fault = "manifest" // it is missing or cannot be read
	OtherRelease Fault = "release"  // the manifest is of other files than those known here
	NoFile       Fault = "file"     // a file is missing or cannot be read
	EmptyFile    Fault = "empty"
	CutFile      Fault = "cut" // a file has another size
	AlteredFile  Fault = "altered"
	WebPage      Fault = "web_page" // or a pointer, saved in place of a file
)

// faulty is an error of a kind.
type faulty struct {
	fault Fault
	error
}

func (f faulty) Unwrap() error { return f.error }

func faultf(f Fault, format string, args ...any) error { return faulty{f, fmt.Errorf(format, args...)} }

// Status is a model and its state.
type Status struct {
	Manifest
	State  State
	Fault  Fault  // of a damaged one
	Reason string // one sentence, for every state but installed
	Path   string // the model's folder; empty where it is missing
	// Verified says that the digests were compared, for files that have not changed since. Without it,
	// installed means that every file is there and has the right size.
	Verified bool
}

// Installed looks for the model's folder in dirs without reading its files through: it compares names and
// sizes and takes earlier results of Confirm and Verify. The first folder that is whole wins.
func (m Manifest) Installed(dirs ...string) Status {
	s, _ := m.look(context.Background(), trustSizes, nil, dirs)
	return s
}

// Confirm is Installed for a program that is about to use the model: files whose digest was never compared,
// or that changed since, are read. Its only error is ctx's.
//
// What was compared is written down beside the files, with their sizes and times, so that hundreds of
// megabytes are not read at every start. Where the folder cannot be written to, they are.
func (m Manifest) Confirm(ctx context.Context, dirs ...string) (Status, error) {
	return m.look(ctx, trustRecord, nil, dirs)
}

// Verify reads every file, whatever was written down before, and tells read, where there is one, of the bytes as they are
// read. Its only error is ctx's.
func (m Manifest) Verify(ctx context.Context, read func(n int), dirs ...string) (Status, error) {
	return m.look(ctx, trustNothing, read, dirs)
}

// trust is what may stand in for reading a file.
type trust int

const (
	trustSizes trust = iota
	trustRecord
	trustNothing
)

func (m Manifest) look(ctx context.Context, t trust, read func(n int), dirs []string) (Status, error) {
	status := Status{Manifest: m, State: Missing, Reason: "it is in none of the model folders"}
	if len(dirs) > 0 {
		status.Reason = "there is no folder " + m.Name + " in " + strings.Join(dirs, " or ")
	}
	for _, dir := range dirs {
		dir = filepath.Join(dir, m.Name)
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		verified, err := m.checkFolder(ctx, t, read, dir)
		if ctx.Err() != nil {
			return Status{}, ctx.Err()
		}
		if err == nil {
			return Status{Manifest: m, State: Installed, Path: dir, Verified: verified}, nil
		}
		if status.State == Missing {
			status = Status{Manifest: m, State: Damaged, Fault: NoFile, Reason: err.Error(), Path: dir}
			var f faulty
			if errors.As(err, &f) {
				status.Fault = f.fault
			}
		}
	}
	return status, nil
}

// checkFolder returns why the folder cannot be used; where it can, whether all digests were compared.
func (m Manifest) checkFolder(ctx context.Context, t trust, read func(n int), dir string) (verified bool, err error) {
	own, err := Load(dir)
	if errors.Is(err, ErrNoManifest) {
		return false, faultf(NoManifest, "%s is missing", ManifestFile)
	}
	if err != nil {
		return false, faulty{NoManifest, err}
	}
	known := loadRecord(dir)
	verified = true
	for _, f := range m.Files {
		switch other, ok := own.File(f.Name); {
		case f.SHA256 == "" && ok: // pinned by what was installed
			f = other
		case other.SHA256 != f.SHA256:
			return false, faultf(OtherRelease, "%s is of other files: its %s is not the one known here", ManifestFile, f.Name)
		}
		info, err := f.checkOutside(dir)
		if err != nil {
			return false, err
		}
		digest, ok := known.digest(f.Name, info)
		if t == trustNothing || t == trustRecord && !ok {
			if digest, err = known.read(ctx, read, dir, f.Name); err != nil {
				return false, err
			}
			ok = true
		}
		if ok && digest != f.SHA256 {
			return false, faultf(AlteredFile, "%s has SHA-256 %s, not %s", f.Name, digest, f.SHA256)
		}
		verified = verified && ok
	}
	return verified, nil
}

// checkOutside looks at everything about a file but its content, save for its beginning: proxies and
// sign-in pages answer a download with a page of their own.
func (f File) checkOutside(dir string) (fs.FileInfo, error) {
	path := filepath.Join(dir, f.Name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, faultf(NoFile, "%s is missing", f.Name)
	case err != nil:
		return nil, faultf(NoFile, "%s cannot be looked at: %w", f.Name, err)
	case !info.Mode().IsRegular():
		return nil, faultf(NoFile, "%s is no file", f.Name)
	case info.Size() == 0:
		return nil, faultf(EmptyFile, "%s is empty", f.Name)
	}
	kind, err := impostor(path)
	switch {
	case err != nil:
		return nil, faultf(NoFile, "%s cannot be read: %w", f.Name, err)
	case kind != "":
		return nil, faultf(WebPage, "%s is %s, saved in place of the model", f.Name, kind)
	case f.Bytes != 0 && info.Size() != f.Bytes:
		return nil, faultf(CutFile, "%s has %d bytes, not %d", f.Name, info.Size(), f.Bytes)
	}
	return info, nil
}

// impostor names what a file is when it is one of the things that downloads leave in place of a model.
func impostor(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 256)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	return Impostor(head[:n]), nil
}

// Impostor names what a file is by its first 256 bytes when it is one of the things that are found in place of a model;
// empty: none of them.
func Impostor(head []byte) string {
	head = bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))))
	for _, mark := range []string{"<!doctype html", "<html", "<head", "<?xml", "<!--"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			return "a web page"
		}
	}
	if bytes.HasPrefix(head, []byte("version https://git-lfs")) {
		return "a Git LFS pointer"
	}
	return ""
}
