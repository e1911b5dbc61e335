package backend

import (
	"context"
	"path/filepath"

	"fanous/backend/domain"
)

// Documents lists the files of a collection and what is in them, each with its state and the reason for it.
func (b *Backend) Documents(ctx context.Context, collection string, filter domain.DocumentFilter) (domain.DocumentPage, error) {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return domain.DocumentPage{}, err
	}
	return b.store.Documents(ctx, c.ID, filter)
}

// SetSettings says which files belong to a collection; the next index run follows it.
func (b *Backend) SetSettings(ctx context.Context, collection string, settings domain.CollectionSettings) error {
	return b.store.SetSettings(ctx, collection, settings)
}

// RemoveRoot takes a folder or file out of a collection; the next index run drops what was below it.
func (b *Backend) RemoveRoot(ctx context.Context, collection, root string) error {
	abs, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	return b.store.RemoveRoot(ctx, collection, abs)
}
