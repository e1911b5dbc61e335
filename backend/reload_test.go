package backend_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/models"
)

// TestReloadModels: what is installed or removed is used, or not, by the next search, and no search notices.
func TestReloadModels(t *testing.T) {
	aside, dirs := t.TempDir(), t.TempDir()
	tiny := installTiny(t, aside, models.Fast)
	installed := filepath.Join(dirs, filepath.Base(tiny))
	b := openOn(t, backend.Config{DataDir: indexed(t), RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{dirs}})
	serves := func() domain.Backend { return found(t, b).Rerank.Backend }
	if got := serves(); got != domain.BackendNone {
		t.Errorf("%s serves before anything is installed", got)
	}
	move(t, tiny, installed)
	if got := serves(); got != domain.BackendNone {
		t.Errorf("%s serves before the models were loaded anew", got)
	}
	b.ReloadModels()
	if got := serves(); got != domain.BackendCrossEncoder {
		t.Errorf("%s serves after the installation", got)
	}

	var searches sync.WaitGroup
	for range 3 {
		searches.Go(func() {
			for range 5 {
				if r, err := b.Search(t.Context(), domain.SearchRequest{Query: "lantern", Rerank: domain.RerankLocal}, nil); err != nil || len(r.Hits) != 1 {
					t.Errorf("%d hits, %v", len(r.Hits), err)
				}
			}
		})
	}
	for range 4 {
		move(t, installed, tiny)
		b.ReloadModels()
		move(t, tiny, installed)
		b.ReloadModels()
	}
	searches.Wait()
	if got := serves(); got != domain.BackendCrossEncoder {
		t.Errorf("%s serves at last", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
