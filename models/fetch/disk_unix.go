//go:build !windows

package fetch

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// FreeBytes is what a user's program may still write to the file system of a folder.
func FreeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
