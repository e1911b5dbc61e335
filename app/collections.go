package app

import (
	"context"
	"io"
	"sync"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/models"
)

// CollectionsService lists and changes collections, and lists their files.
type CollectionsService struct {
	engine  *engine
	shell   Shell
	watches *watches

	mu     sync.Mutex
	counts context.CancelFunc // of the count that goes on; nil: none does
}

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

// Rename gives a collection another name.
func (s *CollectionsService) Rename(name, to string) error {
	defer s.watches.follow()
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error {
		return b.RenameCollection(ctx, name, to)
	})
}

// Remove forgets a collection and its index; the files themselves are not touched.
func (s *CollectionsService) Remove(name string) error {
	defer s.watches.follow()
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

// SetSettings says which files belong to a collection and how it is kept up to date. A collection that is to be watched
// is from now on; for any other the next run follows it.
func (s *CollectionsService) SetSettings(name string, settings domain.CollectionSettings) error {
	defer s.watches.follow()
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error {
		return b.SetSettings(ctx, name, settings)
	})
}

// RemoveFolder takes a folder or file out of a collection; the next run drops what was below it.
func (s *CollectionsService) RemoveFolder(name, path string) error {
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error {
		return b.RemoveRoot(ctx, name, path)
	})
}

// Count says how many files would belong to a collection with these settings. A newer count ends one that goes on.
func (s *CollectionsService) Count(name string, settings domain.CollectionSettings) (domain.FileCount, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.mu.Lock()
	if s.counts != nil {
		s.counts()
	}
	s.counts = cancel
	s.mu.Unlock()
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (domain.FileCount, error) {
		return b.CountFiles(ctx, name, settings)
	})
}

// Files lists documents of a collection with their states.
func (s *CollectionsService) Files(name string, filter domain.DocumentFilter) (domain.DocumentPage, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.DocumentPage, error) {
		return b.Documents(ctx, name, filter)
	})
}

// Watches are the collections that are watched, as far as that is known now. Being bound, it also gives the window the
// type of EventWatch.
func (s *CollectionsService) Watches() []Watch { return s.watches.list() }

// Export asks for a file and writes the list of documents into it: JSON lines where its name ends in .jsonl, else a
// table for a spreadsheet. It gives the file's path; empty when the analyst changed their mind.
func (s *CollectionsService) Export(name string, filter domain.DocumentFilter, asJSON bool) (string, error) {
	suggested := "files.csv"
	if asJSON {
		suggested = "files.jsonl"
	}
	path, err := s.shell.ChooseNewFile(suggested)
	if err != nil || path == "" {
		return "", err
	}
	return path, run(s.engine, func(ctx context.Context, b *backend.Backend) error {
		_, err := models.WriteFile(path, func(w io.Writer) error {
			if asJSON {
				return b.ListJSON(ctx, w, name, filter)
			}
			return b.ListCSV(ctx, w, name, filter)
		})
		if err != nil && domain.CodeOf(err) == domain.CodeInternal {
			return domain.Errorf(domain.CodeUsage, "choose a folder that you may write to", "%w", err)
		}
		return err
	})
}
