package bundle

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"fanous/models"
)

// Model is a whole model and where its files are.
type Model struct {
	models.Manifest
	Dir string
}

// Contents is what a bundle is made of.
type Contents struct {
	Models  []Model
	System  string   // that the program runs on
	Program []string // its files
}

// item is a file on its way into a bundle.
type item struct {
	models.File        // Name is the path in the bundle
	from        string // where it is
	mode        fs.FileMode
}

// Write writes a bundle to a file, whole or not at all. Every file is compared with its digest on the way. progress is
// told of bytes written of all that there will be.
func Write(ctx context.Context, to string, c Contents, progress func(file string, done, total int64)) (Index, error) {
	x, items, err := collect(ctx, c)
	if err != nil {
		return x, err
	}
	var total int64
	for _, i := range items {
		total += i.Bytes
	}
	_, err = models.WriteFile(to, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		data, err := json.MarshalIndent(x, "", "  ")
		if err != nil {
			return err
		}
		index, err := archive.CreateHeader(&zip.FileHeader{Name: indexName, Method: zip.Store})
		if err == nil {
			_, err = index.Write(append(data, '\n'))
		}
		if err != nil {
			return err
		}
		var done int64
		for _, i := range items {
			if err := i.write(ctx, archive, func(n int64) { progress(i.Name, done+n, total) }); err != nil {
				return err
			}
			done += i.Bytes
		}
		return archive.Close()
	})
	return x, err
}

// collect lists what goes into the bundle. The digests of models are their manifests'; those of the program are read.
func collect(ctx context.Context, c Contents) (Index, []item, error) {
	x := Index{Format: format, Version: version}
	var items []item
	for _, m := range c.Models {
		x.Models = append(x.Models, m.Manifest)
		for _, f := range m.Files {
			listed := models.File{Name: modelPath(m.Manifest, f), Bytes: f.Bytes, SHA256: f.SHA256}
			items = append(items, item{listed, filepath.Join(m.Dir, f.Name), 0o644})
		}
	}
	for _, from := range c.Program {
		x.Program = c.System
		f, err := models.FileAt(ctx, from)
		if err != nil {
			return x, nil, err
		}
		f.Name = path.Join(programDir, f.Name)
		items = append(items, item{f, from, 0o755})
	}
	for _, i := range items {
		x.Files = append(x.Files, i.File)
	}
	return x, items, x.validate()
}

func (i item) write(ctx context.Context, archive *zip.Writer, progress func(n int64)) error {
	f, err := os.Open(i.from)
	if err != nil {
		return err
	}
	defer f.Close()
	header := &zip.FileHeader{Name: i.Name, Method: zip.Store}
	header.SetMode(i.mode)
	w, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	var n int64
	counted := io.TeeReader(f, writerFunc(func(b []byte) (int, error) {
		got, err := w.Write(b)
		n += int64(got)
		progress(n)
		return got, err
	}))
	digest, size, err := models.DigestOf(ctx, counted)
	if err == nil && (digest != i.SHA256 || size != i.Bytes) {
		err = fmt.Errorf("%s is not what its manifest says: verify the model", i.from)
	}
	return err
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }
