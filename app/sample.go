package app

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/build/sample"
	"fanous/models"
)

// Sample is where the sample documents lie, and what can be asked of them.
type Sample struct {
	Folder  string   `json:"folder"`
	Queries []string `json:"queries"`
}

// Sample says where the sample documents are, or would be: in a folder of their own in the data folder.
func (s *CollectionsService) Sample() (Sample, error) {
	return with(context.Background(), s.engine, func(_ context.Context, b *backend.Backend) (Sample, error) {
		return Sample{Folder: filepath.Join(b.DataDir(), "sample"), Queries: sample.Queries()}, nil
	})
}

// WriteSample writes those of the sample documents that are not there. It does not index.
func (s *CollectionsService) WriteSample() (Sample, error) {
	there, err := s.Sample()
	if err != nil {
		return Sample{}, err
	}
	if err := writeMissing(there.Folder, sample.Documents()); err != nil {
		return Sample{}, domain.Errorf(domain.CodeUsage, "make room, or give the folder back its permissions", "the sample documents cannot be written: %w", err)
	}
	return there, nil
}

// writeMissing writes files into a folder. One that is there stays as it is: it may have been changed.
func writeMissing(folder string, files fs.FS) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		data, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			return err
		}
		if _, err := models.WriteFile(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			return err
		}
	}
	return nil
}
