package safetensors

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names of the files in the hub's layout.
const (
	WeightsFile = "model.safetensors"
	IndexFile   = "model.safetensors.index.json"
)

const maxIndex = 64 << 20

// Folder is the weights of a model folder, in one file or in several.
type Folder struct {
	Tensors
	Paths []string // of the files of weights, sorted
	files []*os.File
}

// OpenFolder opens model.safetensors, or the files that model.safetensors.index.json names. A folder with neither is
// an error that wraps fs.ErrNotExist.
func OpenFolder(dir string) (*Folder, error) {
	f := &Folder{Tensors: Tensors{}}
	err := f.open(dir)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *Folder) open(dir string) error {
	_, err := os.Stat(filepath.Join(dir, WeightsFile))
	if err == nil {
		return f.add(filepath.Join(dir, WeightsFile))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	places, err := readIndex(filepath.Join(dir, IndexFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("neither %s nor %s is in the folder: %w", WeightsFile, IndexFile, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	shards := map[string]bool{}
	for _, name := range places {
		shards[name] = true
	}
	for name := range shards {
		if err := f.add(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	slices.Sort(f.Paths)
	for tensor, name := range places {
		if _, ok := f.Tensors[tensor]; !ok {
			return fmt.Errorf("%s says that tensor %q is in %s, where it is not", IndexFile, tensor, name)
		}
	}
	return nil
}

// readIndex gives the file of each tensor.
func readIndex(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var index struct {
		Places map[string]string `json:"weight_map"`
	}
	if err := json.NewDecoder(io.LimitReader(file, maxIndex)).Decode(&index); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", IndexFile, err)
	}
	if len(index.Places) == 0 {
		return nil, fmt.Errorf("%s names no tensors", IndexFile)
	}
	for _, name := range index.Places {
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
			return nil, fmt.Errorf("%s names the file %q, which is not beside it", IndexFile, name)
		}
	}
	return index.Places, nil
}

func (f *Folder) add(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	f.files = append(f.files, file)
	f.Paths = append(f.Paths, path)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	tensors, err := Read(file, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	for name, t := range tensors {
		if _, twice := f.Tensors[name]; twice {
			return fmt.Errorf("%s: tensor %q is in another file too", filepath.Base(path), name)
		}
		f.Tensors[name] = t
	}
	return nil
}

// Close ends all reading.
func (f *Folder) Close() error {
	var err error
	for _, file := range f.files {
		err = errors.Join(err, file.Close())
	}
	f.files = nil
	return err
}
