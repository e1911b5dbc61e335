package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// recordFile lies in a model's folder and says which files were read and what their digests were. It
// belongs to this machine: a file that was copied has another time and is read again.
const recordFile = "verified.json"

// record is the record of one folder, by file name.
type record map[string]recorded

type recorded struct {
	Bytes   int64  `json:"bytes"`
	ModTime int64  `json:"mod_time"` // Unix nanoseconds
	SHA256  string `json:"sha256"`
}

// loadRecord gives an empty record where there is none that can be read: the files are then read again.
func loadRecord(dir string) record {
	r := record{}
	if data, err := os.ReadFile(filepath.Join(dir, recordFile)); err == nil && json.Unmarshal(data, &r) != nil {
		return record{}
	}
	if r == nil { // the file said null
		return record{}
	}
	return r
}

// digest is the recorded digest of a file that has not changed since.
func (r record) digest(name string, info fs.FileInfo) (string, bool) {
	e, ok := r[name]
	ok = ok && e.Bytes == info.Size() && e.ModTime == info.ModTime().UnixNano()
	return e.SHA256, ok
}

// read gives the digest of a file and writes it down; told, where it is there, hears of the bytes. It stops when ctx ends.
func (r record) read(ctx context.Context, told func(n int), dir, name string) (string, error) {
	// Size and time are those from before reading: if the file changes meanwhile, its record does not fit it.
	info, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	}
	f, err := fileAt(ctx, filepath.Join(dir, name), told)
	if err != nil {
		return "", err
	}
	r.note(name, info, f.SHA256)
	r.save(dir)
	return f.SHA256, nil
}

func (r record) note(name string, info fs.FileInfo, digest string) {
	r[name] = recorded{Bytes: info.Size(), ModTime: info.ModTime().UnixNano(), SHA256: digest}
}

// NoteVerified writes down that the files of a folder were just compared with these digests, so that nothing reads them
// again.
func NoteVerified(dir string, files []File) {
	r := record{}
	for _, f := range files {
		if info, err := os.Stat(filepath.Join(dir, f.Name)); err == nil {
			r.note(f.Name, info, f.SHA256)
		}
	}
	r.save(dir)
}

// FileAt reads a file through and returns it as a manifest lists it. It stops when ctx ends.
func FileAt(ctx context.Context, path string) (File, error) { return fileAt(ctx, path, nil) }

func fileAt(ctx context.Context, path string, told func(n int)) (File, error) {
	name := filepath.Base(path)
	f, err := os.Open(path)
	if err != nil {
		return File{}, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	defer f.Close()
	digest, n, err := DigestOf(ctx, telling{f, told})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return File{Name: name, Bytes: n, SHA256: digest}, err
}

// telling is a reader that somebody hears of.
type telling struct {
	io.Reader
	told func(n int) // nil: nobody does
}

func (t telling) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if t.told != nil {
		t.told(n)
	}
	return n, err
}

// DigestOf reads to the end and returns the SHA-256 of what was there, and its length. It stops when ctx ends.
func DigestOf(ctx context.Context, r io.Reader) (digest string, n int64, err error) {
	sum, buf := sha256.New(), make([]byte, 1<<20)
	for ctx.Err() == nil {
		got, err := r.Read(buf)
		sum.Write(buf[:got])
		n += int64(got)
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(sum.Sum(nil)), n, nil
		}
		if err != nil {
			return "", n, err
		}
	}
	return "", n, ctx.Err()
}

// save keeps the record where it can. A folder that cannot be written to costs reading the files again,
// which is no reason to refuse the model.
func (r record) save(dir string) {
	_ = WriteJSON(filepath.Join(dir, recordFile), r)
}
