package bundle

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"fanous/models"
)

// Reader is an opened bundle. Its list is checked and every listed file is there with its size; the digests are
// compared by whoever takes a file out.
type Reader struct {
	Index
	file  *os.File
	files map[string]*zip.File
}

// Open opens a bundle. What is no bundle, or is damaged, is ErrInvalid.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{file: f}
	info, err := f.Stat()
	if err == nil {
		r.Index, r.files, err = read(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// Close ends reading.
func (r *Reader) Close() error { return r.file.Close() }

// File is a file of a model.
func (r *Reader) File(m models.Manifest, name string) *zip.File {
	return r.files[modelPath(m, models.File{Name: name})]
}

// VerifyProgram compares the program's files with their digests.
func (r *Reader) VerifyProgram(ctx context.Context) error {
	for _, f := range r.Files {
		if r.Program == "" || checkPath(f.Name) != nil || r.files[f.Name] == nil || f.Name[:len(programDir)] != programDir {
			continue
		}
		from, err := r.files[f.Name].Open()
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrInvalid, f.Name, err)
		}
		digest, _, err := models.DigestOf(ctx, from)
		from.Close()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%w: %s: %w", ErrInvalid, f.Name, err)
		case digest != f.SHA256:
			return fmt.Errorf("%w: %s has SHA-256 %s, not %s", ErrInvalid, f.Name, digest, f.SHA256)
		}
	}
	return nil
}

func read(r io.ReaderAt, size int64) (Index, map[string]*zip.File, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return Index{}, nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if len(archive.File) > maxFiles+1 {
		return Index{}, nil, fmt.Errorf("%w: it holds %d files", ErrInvalid, len(archive.File))
	}
	files := map[string]*zip.File{}
	for _, f := range archive.File {
		switch {
		case files[f.Name] != nil:
			return Index{}, nil, fmt.Errorf("%w: it holds %q twice", ErrInvalid, f.Name)
		case f.Method != zip.Store || f.CompressedSize64 != f.UncompressedSize64:
			return Index{}, nil, fmt.Errorf("%w: %q is compressed", ErrInvalid, f.Name)
		}
		files[f.Name] = f
	}
	x, err := readIndex(files[indexName])
	if err != nil {
		return x, nil, err
	}
	if len(files) != len(x.Files)+1 {
		return x, nil, fmt.Errorf("%w: it holds files that are not listed", ErrInvalid)
	}
	for _, f := range x.Files {
		got := files[f.Name]
		if got == nil {
			return x, nil, fmt.Errorf("%w: %s is listed and not in it", ErrInvalid, f.Name)
		}
		if got.UncompressedSize64 != uint64(f.Bytes) {
			return x, nil, fmt.Errorf("%w: %s has %d bytes, not %d", ErrInvalid, f.Name, got.UncompressedSize64, f.Bytes)
		}
	}
	return x, files, nil
}

func readIndex(f *zip.File) (Index, error) {
	if f == nil {
		return Index{}, fmt.Errorf("%w: it has no %s", ErrInvalid, indexName)
	}
	from, err := f.Open()
	if err != nil {
		return Index{}, fmt.Errorf("%w: %s: %w", ErrInvalid, indexName, err)
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, maxIndex+1))
	if err == nil && len(data) > maxIndex {
		err = errors.New("it is too long")
	}
	if err != nil {
		return Index{}, fmt.Errorf("%w: %s: %w", ErrInvalid, indexName, err)
	}
	return parseIndex(data)
}
