package backend

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/tree"
)

// Documents lists the files of a collection and what is in them, each with its state and the reason for it.
func (b *Backend) Documents(ctx context.Context, collection string, filter domain.DocumentFilter) (domain.DocumentPage, error) {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return domain.DocumentPage{}, err
	}
	return b.store.Documents(ctx, c.ID, filter)
}

// SetSettings says which files belong to a collection; the next index run follows it. Its tuning stays; see ApplyTuning.
func (b *Backend) SetSettings(ctx context.Context, collection string, settings domain.CollectionSettings) error {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return err
	}
	settings.Tuning, settings.KeepReranking = c.Settings.Tuning, c.Settings.KeepReranking
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

// RenameCollection gives a collection another name.
func (b *Backend) RenameCollection(ctx context.Context, name, to string) error {
	to = strings.TrimSpace(to)
	if err := b.store.RenameCollection(ctx, name, to); err != nil {
		return err
	}
	return errors.Join(b.judged.Rename(name, to), b.runs.Rename(name, to), b.savedIn(name, to))
}

// CountFiles says how many files would belong to a collection with other settings. It reads folders and no file.
func (b *Backend) CountFiles(ctx context.Context, collection string, settings domain.CollectionSettings) (domain.FileCount, error) {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return domain.FileCount{}, err
	}
	found, err := tree.Walk(ctx, c.Roots, settings, nil)
	if err != nil {
		return domain.FileCount{}, err
	}
	count := domain.FileCount{Files: len(found.Files), Unreadable: len(found.Problems)}
	for _, f := range found.Files {
		count.Bytes += f.Size
	}
	return count, nil
}

// Watching is what somebody hears of a collection that is watched. Every function may be nil.
type Watching struct {
	Progress func(domain.IndexProgress)
	Report   func(domain.IndexReport)
	State    func(domain.WatchState)
}

// Watch brings a collection up to date, and again whenever its files change, until ctx ends, which is no error. While
// another program indexes it waits for the next change.
func (b *Backend) Watch(ctx context.Context, req domain.IndexRequest, tell Watching) error {
	c, err := b.AddCollection(ctx, cmp.Or(req.Collection, domain.DefaultCollection), req.Paths)
	if err != nil {
		return err
	}
	watch := tree.Watch{
		Folders: func(ctx context.Context) ([]string, error) {
			c, err := b.store.Collection(ctx, c.Name) // its folders and patterns may have changed
			if err != nil {
				return nil, err
			}
			found, err := tree.Walk(ctx, c.Roots, c.Settings, nil)
			if err != nil {
				return nil, err
			}
			return found.Folders, nil
		},
		Changed: func(ctx context.Context) ([]string, error) {
			report, err := b.Index(ctx, domain.IndexRequest{Collection: c.Name, OnBattery: req.OnBattery, NoOCR: req.NoOCR, Retry: req.Retry}, tell.Progress)
			req.Retry = false
			if domain.CodeOf(err) == domain.CodeLocked {
				return nil, nil
			}
			if err == nil && tell.Report != nil {
				tell.Report(report)
			}
			return report.Folders, err
		},
		Told: tell.State,
	}
	return watch.Run(ctx)
}
