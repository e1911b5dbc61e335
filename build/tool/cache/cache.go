// Package cache is the folder outside the clone where the build tool keeps what is slow to make or to download.
//
// Whatever stands at its final path is complete: it was made under another name and renamed. The name of each entry
// says what went into it (a version, a digest of the inputs), so that an entry is never out of date, and a folder that
// is there need not be looked into.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"fanous/build/tool/step"
)

// patience is how long a lock may take before the terminal says what is being waited for.
const patience = 2 * time.Second

// Cache is an opened cache folder.
type Cache struct {
	root     string
	log      *step.Log
	patience time.Duration
}

// Open returns the cache at $FANOUS_CACHE, or in the user's own cache folder, and creates it.
func Open(log *step.Log) (Cache, error) {
	root := os.Getenv("FANOUS_CACHE")
	if root == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return Cache{}, fmt.Errorf("no cache folder, set FANOUS_CACHE: %w", err)
		}
		root = filepath.Join(user, "fanous")
	}
	return At(root, log)
}

// At returns the cache at root and creates it.
func At(root string, log *step.Log) (Cache, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return Cache{}, err
	}
	for _, folder := range []string{"locks", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			return Cache{}, fmt.Errorf("create the cache: %w", err)
		}
	}
	return Cache{root: root, log: log, patience: patience}, nil
}

// Path is a path inside the cache.
func (c Cache) Path(elem ...string) string {
	return filepath.Join(append([]string{c.root}, elem...)...)
}

// Ensure returns the folder called name, a slash-separated path in the cache. Where it is missing, make fills a
// temporary folder that then becomes it; where make fails nothing is left. Two runs that want the same folder make it
// once.
func (c Cache) Ensure(name string, make func(folder string) error) (string, error) {
	final := c.Path(filepath.FromSlash(name))
	if isDir(final) {
		return final, nil
	}
	unlock, err := c.Lock(name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if isDir(final) {
		return final, nil
	}
	temporary, err := os.MkdirTemp(c.Path("tmp"), "make-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary)
	// A folder of its own below, because MkdirTemp's may not be read by others.
	inner := filepath.Join(temporary, "made")
	if err := os.Mkdir(inner, 0o755); err != nil {
		return "", err
	}
	if err := make(inner); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(inner, final); err != nil {
		return "", err
	}
	return final, nil
}

// Refresh runs make where output is missing or was last made from other inputs, and remembers the inputs. It is for
// outputs that must lie inside the clone and so cannot carry their inputs in their name. name tells the outputs of
// one clone apart; inputs is a digest.
func (c Cache) Refresh(name, output, inputs string, make func() error) error {
	unlock, err := c.Lock(name)
	if err != nil {
		return err
	}
	defer unlock()
	stamp := c.Path(filepath.FromSlash(name) + ".inputs")
	if made, err := os.ReadFile(stamp); err == nil && string(made) == inputs {
		if _, err := os.Stat(output); err == nil {
			return nil
		}
	}
	if err := os.RemoveAll(stamp); err != nil {
		return err
	}
	if err := make(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(stamp), 0o755); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(inputs), 0o644)
}

// Lock keeps other runs out of what is called name until unlock is called.
func (c Cache) Lock(name string) (unlock func(), err error) {
	path := c.Path("locks", strings.ReplaceAll(name, "/", "-"))
	notice := time.AfterFunc(c.patience, func() {
		c.log.Say("    another run is at %s; waiting for it", name)
	})
	defer notice.Stop()
	unlock, err = lockedfile.MutexAt(path).Lock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return unlock, nil
}

// Digest is the SHA-256, in hexadecimal, of the names and contents of the files at paths, which are files or folders
// below root. A missing path is an error, as are none.
func Digest(root string, paths ...string) (string, error) {
	sum := sha256.New()
	files := 0
	for _, path := range paths {
		err := filepath.WalkDir(filepath.Join(root, path), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			content, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%q %d\n", filepath.ToSlash(name), len(content))
			sum.Write(content)
			files++
			return nil
		})
		if err != nil {
			return "", fmt.Errorf("digest: %w", err)
		}
	}
	if files == 0 {
		return "", fmt.Errorf("digest: no file under %s in %v", root, paths)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Short is the part of a digest used in a folder's name.
func Short(digest string) string {
	return digest[:12]
}

// FileDigest is the SHA-256 of one file, in hexadecimal.
func FileDigest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
