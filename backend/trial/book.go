package trial

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fanous/backend/onnx"
	"fanous/models"
)

// edition is raised when a trial finds out other things than before, so that all are made again.
const edition = 1

// pages is how many results are kept; the oldest give way.
const pages = 200

// Book keeps what came out of trials, in a file. A result holds for the library, the model, the device and the machine
// that it was made with, by their digests. It is safe for concurrent use.
type Book struct {
	path string

	mu        sync.Mutex
	libraries map[string]string // digest by what a file looks like from outside
}

// OpenBook makes a book of the file at path, which need not be there: a book that cannot be read has no results.
func OpenBook(path string) *Book { return &Book{path: path, libraries: map[string]string{}} }

// Find gives the result of a trial that was made before.
func (b *Book) Find(s Subject) (Result, bool) {
	key, err := b.key(s)
	if err != nil {
		return Result{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.read()[key]
	return r, ok
}

// Keep writes a result down.
func (b *Book) Keep(s Subject, r Result) error {
	key, err := b.key(s)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.read()
	all[key] = r
	if len(all) > pages {
		keys := slices.SortedFunc(maps.Keys(all), func(x, y string) int { return all[x].At.Compare(all[y].At) })
		for _, old := range keys[:len(all)-pages] {
			delete(all, old)
		}
	}
	return models.WriteJSON(b.path, all)
}

func (b *Book) read() map[string]Result {
	all := map[string]Result{}
	data, err := os.ReadFile(b.path)
	if err != nil || json.Unmarshal(data, &all) != nil || all == nil {
		return map[string]Result{}
	}
	return all
}

// key names everything that a result depends on.
func (b *Book) key(s Subject) (string, error) {
	library, err := b.library(s.Library)
	if err != nil {
		return "", err
	}
	model := "none"
	if s.Model != "" {
		m, err := models.Load(s.Model)
		if err != nil {
			return "", err
		}
		tokenizer, _ := m.File(models.TokenizerFile)
		model = m.Digest() + "+" + tokenizer.SHA256
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{
		library, model, string(s.Device), fmt.Sprint(s.Judge), onnx.Machine(), fmt.Sprint(edition),
	}, "\n")))
	return hex.EncodeToString(sum[:]), nil
}

// library is the digest of a library and of what is installed beside it. A file that looks the same from outside is
// not read twice in a process.
func (b *Book) library(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	outside := fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
	b.mu.Lock()
	known, ok := b.libraries[outside]
	b.mu.Unlock()
	if ok {
		return known, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	// A runtime's other libraries have their digests in its manifest.
	if manifest, err := os.ReadFile(filepath.Join(filepath.Dir(path), models.ManifestFile)); err == nil {
		_, _ = sum.Write(manifest)
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.libraries[outside] = digest
	return digest, nil
}
