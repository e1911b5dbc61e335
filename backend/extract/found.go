package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fanous/backend/domain"
)

// Found is a document that reading a file came upon: the file itself or one of its members.
type Found struct {
	// Member is "" for the file itself, else the member's path within it: names joined by "/". It names
	// nothing in the file system and is never to be opened.
	Member  string
	Size    int64
	Hash    string    // SHA-256 of a member's bytes, hex; "" of the file itself, which its caller has hashed
	ModTime time.Time // zero: unknown
	State   domain.DocumentState
	Reason  string // one sentence, for every state but indexed
	Content domain.Content
}

// Read reads a file and gives each the documents in it as soon as they are read: every member once, and
// once the file itself, first or last. What cannot be read is a Found that says so. Read stops at an
// error of each and returns it; its own only means that ctx ended.
func (x *Extractor) Read(ctx context.Context, path string, each func(Found) error) error {
	found := Found{}
	content, err := x.open(ctx, path, func(src source, info os.FileInfo) (domain.Content, error) {
		found.Size, found.ModTime = info.Size(), info.ModTime()
		return x.extract(ctx, src)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	found.Content = content
	found.State, found.Reason = StateOf(err)
	return each(found)
}

// open opens a regular file for use. A reader that panics costs this file only.
func (x *Extractor) open(ctx context.Context, path string, use func(source, os.FileInfo) (domain.Content, error)) (content domain.Content, err error) {
	defer func() {
		if p := recover(); p != nil {
			content, err = domain.Content{}, damaged(p)
		}
	}()
	if err := ctx.Err(); err != nil {
		return domain.Content{}, err
	}
	// Asked before opening, for opening a pipe waits until somebody writes.
	info, err := os.Stat(path)
	if err != nil {
		return domain.Content{}, fmt.Errorf("the file could not be opened: %w", err)
	}
	if !info.Mode().IsRegular() {
		return domain.Content{}, unsupported("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return domain.Content{}, fmt.Errorf("the file could not be opened: %w", err)
	}
	defer f.Close()
	return use(source{ReaderAt: f, name: filepath.Base(path), size: info.Size()}, info)
}

// StateOf says where a file with this error ends, and why; without one it is indexed.
func StateOf(err error) (domain.DocumentState, string) {
	switch {
	case err == nil:
		return domain.StateIndexed, ""
	case errors.Is(err, ErrNoText):
		return domain.StateNoText, err.Error()
	case errors.Is(err, ErrNeedsPassword):
		return domain.StateNeedsPassword, err.Error()
	case errors.Is(err, ErrUnsupported):
		return domain.StateUnsupported, err.Error()
	}
	return domain.StateFailed, err.Error()
}
