package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// exclusively changes a file of the data folder while nobody else does who asks for that, in this process or in another. The lock is
// a file beside it, which stays.
func exclusively(path string, change func() error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("change %s: %w", filepath.Base(path), err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return change()
}
