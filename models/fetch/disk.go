package fetch

import (
	"errors"
	"fmt"
	"path/filepath"
)

// ErrDiskFull says that the files do not fit on the disk.
var ErrDiskFull = errors.New("the disk is full")

// spare is what is left free besides, so that the rest of the machine goes on.
const spare = 32 << 20

// Room is an error where the file system of path has not room for so many more bytes. A file system that does not say
// has room: writing will tell.
func Room(free func(dir string) (int64, error), path string, need int64) error {
	if need <= 0 {
		return nil
	}
	left, err := free(filepath.Dir(path))
	if err != nil || left >= need+spare {
		return nil
	}
	return local{fmt.Errorf("%w: %d MiB more are needed in %s and %d MiB are free", ErrDiskFull,
		(need+spare)>>20, filepath.Dir(path), left>>20)}
}
