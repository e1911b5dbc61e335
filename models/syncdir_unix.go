//go:build !windows

package models

import "os"

// SyncDir makes the names in a folder outlast a loss of power, as Sync does for a file's content.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
