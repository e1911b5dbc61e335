package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// HistoryService shows what was searched, and keeps searches under names.
type HistoryService struct{ engine *engine }

// historyShown is how many searches are listed; words find older ones.
const historyShown = 200

// List gives the latest searches that have these words.
func (s *HistoryService) List(words string) ([]domain.HistoryEntry, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) ([]domain.HistoryEntry, error) {
		return b.FindHistory(ctx, words, historyShown)
	})
}

// Past is the answer to a search that is kept, as it was; nothing is searched.
func (s *HistoryService) Past(id int64) (domain.SearchResponse, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.SearchResponse, error) {
		return b.PastSearch(ctx, id)
	})
}

// Forget forgets one search.
func (s *HistoryService) Forget(id int64) error {
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error { return b.ForgetSearch(ctx, id) })
}

// Clear forgets every search. The window asks before.
func (s *HistoryService) Clear() error {
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error { return b.ClearHistory(ctx) })
}

// Saved gives the searches that have names.
func (s *HistoryService) Saved() ([]domain.SavedSearch, error) {
	return with(context.Background(), s.engine, func(_ context.Context, b *backend.Backend) ([]domain.SavedSearch, error) {
		return b.SavedSearches()
	})
}

// Save keeps a search under a name that no other one has.
func (s *HistoryService) Save(search domain.SavedSearch) error {
	return run(s.engine, func(_ context.Context, b *backend.Backend) error { return b.SaveSearch(search) })
}

// Rename gives a saved search another name.
func (s *HistoryService) Rename(from, to string) error {
	return run(s.engine, func(_ context.Context, b *backend.Backend) error { return b.RenameSearch(from, to) })
}

// Delete forgets a saved search.
func (s *HistoryService) Delete(name string) error {
	return run(s.engine, func(_ context.Context, b *backend.Backend) error { return b.DeleteSearch(name) })
}
