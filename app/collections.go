package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// CollectionsService lists and changes collections.
type CollectionsService struct{ engine *engine }

// List gives every collection with what is in it.
func (s *CollectionsService) List() ([]domain.CollectionSummary, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) ([]domain.CollectionSummary, error) {
		return b.Collections(ctx)
	})
}

// Add makes a collection of the given paths, or adds them to the one of that name. It does not index.
func (s *CollectionsService) Add(name string, paths []string) (domain.Collection, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.Collection, error) {
		return b.AddCollection(ctx, name, paths)
	})
}

// Remove forgets a collection and its index; the files themselves are not touched.
func (s *CollectionsService) Remove(name string) error {
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error {
		return b.RemoveCollection(ctx, name)
	})
}

// SetPolicy says whether passages of a collection may leave this machine.
func (s *CollectionsService) SetPolicy(name string, policy domain.Policy) error {
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error {
		return b.SetPolicy(ctx, name, policy)
	})
}
