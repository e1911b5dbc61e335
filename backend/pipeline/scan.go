package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fanous/backend/domain"
)

// file is one file that a scan found.
type file struct {
	path    string // absolute
	size    int64
	modTime time.Time
}

// scan is what the roots of a collection hold right now.
type scan struct {
	files    []file // each path once, in the order of the roots and then by name
	problems []domain.FileProblem
	unread   []string // roots and folders that could not be read: what is indexed below them is kept
}

// covers says whether path stands below a folder that could not be read.
func (s *scan) covers(path string) bool {
	for _, dir := range s.unread {
		if path == dir || strings.HasPrefix(path, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// walk lists the files below the roots. Hidden files and folders are left out, a link to a file is
// followed, a link to a folder is not: it may lead back. seen is told the number of files so far.
func walk(ctx context.Context, roots []string, seen func(int)) (*scan, error) {
	s := &scan{}
	known := map[string]bool{}
	for _, root := range roots {
		if _, err := os.Stat(root); err != nil {
			s.unreadable(root, err)
			continue
		}
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				s.unreadable(path, err)
				if entry != nil && entry.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if path != root && hidden(entry.Name()) {
				if entry.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if entry.IsDir() || known[path] {
				return nil
			}
			info, err := os.Stat(path)
			if err != nil {
				s.unreadable(path, err)
				return nil
			}
			if !info.Mode().IsRegular() {
				return nil
			}
			known[path] = true
			s.files = append(s.files, file{path: path, size: info.Size(), modTime: info.ModTime()})
			seen(len(s.files))
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("scan %s: %w", root, err)
		}
	}
	return s, nil
}

func (s *scan) unreadable(path string, err error) {
	s.unread = append(s.unread, path)
	reason := "it cannot be read: " + err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "it is not there; what was indexed from it is kept until it is back or removed from the collection"
	case errors.Is(err, fs.ErrPermission):
		reason = "you are not allowed to read it; change its permissions, then index again"
	}
	s.problems = append(s.problems, domain.FileProblem{Path: path, State: domain.StateFailed, Reason: reason})
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }
