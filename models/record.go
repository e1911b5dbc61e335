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

// read gives the digest of a file and writes it down. It stops when ctx ends.
func (r record) read(ctx context.Context, dir, name string) (string, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	}
	defer f.Close()
	// Size and time are those from before reading: if the file changes meanwhile, its record does not fit it.
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	}
	sum, buf := sha256.New(), make([]byte, 1<<20)
	for ctx.Err() == nil {
		n, err := f.Read(buf)
		sum.Write(buf[:n])
		if errors.Is(err, io.EOF) {
			digest := hex.EncodeToString(sum.Sum(nil))
			r[name] = recorded{Bytes: info.Size(), ModTime: info.ModTime().UnixNano(), SHA256: digest}
			r.save(dir)
			return digest, nil
		}
		if err != nil {
			return "", fmt.Errorf("%s cannot be read: %w", name, err)
		}
	}
	return "", ctx.Err()
}

// save keeps the record where it can. A folder that cannot be written to costs reading the files again,
// which is no reason to refuse the model.
func (r record) save(dir string) {
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		_, _ = WriteFile(filepath.Join(dir, recordFile), bytesOf(append(data, '\n')))
	}
}
