package backend

import (
	"context"
	"path/filepath"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
)

// RepairIndex repairs the index in the data folder, which nobody may have open. Afterwards each collection of the report is to be
// indexed again, with Rebuild.
func RepairIndex(ctx context.Context, cfg Config) (domain.RepairReport, error) {
	return store.Repair(ctx, filepath.Join(cfg.DataDir, indexName), language.Version)
}
