package store

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
)

// TestManyMakeTheSameIndex: programs that begin at the same moment, where there is no index yet, all get one.
func TestManyMakeTheSameIndex(t *testing.T) {
	dir := t.TempDir()
	for round := range 40 {
		path := filepath.Join(dir, fmt.Sprint(round), "index.db")
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				s, err := Open(t.Context(), path, Options{})
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
}
