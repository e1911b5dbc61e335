package backend

import (
	"os"
	"path/filepath"

	"fanous/backend/tree"
)

// keepOwnFilesOut lets no collection whose folders hold the data folder index what Fanous itself writes there: the ledger
// and the settings are no documents, and an index that changes by being indexed is never up to date.
func keepOwnFilesOut(dataDir string) {
	path := filepath.Join(dataDir, tree.IgnoreFile)
	if !exists(path) {
		_ = os.WriteFile(path, []byte("*\n"), 0o644) // nothing is indexed into a folder that cannot be written
	}
}
