package models

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func bytesOf(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// WriteJSON is WriteFile for a value, indented for people.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	_, err = WriteFile(path, bytesOf(append(data, '\n')))
	return err
}

// WriteFile puts a file in place whole or not at all, in place of one that is there: it is written beside it under a hidden
// name that nobody else has, synced and renamed. It returns the file as a manifest lists it.
func WriteFile(path string, write func(io.Writer) error) (File, error) {
	return writeFile(path, 0o666, write)
}

// WritePrivate is WriteFile for what nobody but its owner should read, such as the texts and queries of an analyst.
func WritePrivate(path string, write func(io.Writer) error) error {
	_, err := writeFile(path, 0o600, write)
	return err
}

func writeFile(path string, mode os.FileMode, write func(io.Writer) error) (File, error) {
	part := filepath.Join(filepath.Dir(path), ".fanous-"+rand.Text()+".part")
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return File{}, fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	defer os.Remove(part) // nothing is left under this name once it is renamed
	defer f.Close()

	digest := sha256.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(f, digest), 1<<20)
	if err := write(buffered); err != nil {
		return File{}, fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	if err := buffered.Flush(); err != nil {
		return File{}, fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	info, err := f.Stat()
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err == nil {
		err = SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return File{}, fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return File{Name: filepath.Base(path), Bytes: info.Size(), SHA256: hex.EncodeToString(digest.Sum(nil))}, nil
}

// CopyFile puts a copy of a file in place, whole or not at all.
func CopyFile(src, dst string) (File, error) {
	f, err := os.Open(src)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	return WriteFile(dst, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
