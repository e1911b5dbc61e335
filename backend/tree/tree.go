// Package tree knows folders as they are on the disk: which of their files belong to a collection, which names are the
// same file, and when something has changed. It reads no file's content but .fanousignore's.
package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fanous/backend/domain"
)

// File is a file that belongs to a collection.
type File struct {
	Path    string // absolute
	Size    int64
	ModTime time.Time
}

// Tree is what the roots of a collection hold right now.
type Tree struct {
	Files   []File   // each once, in the order of the roots and then by name
	Folders []string // that were read, and those of roots that are files
	// Problems are the files, folders and roots that cannot be read.
	Problems []domain.FileProblem

	// Empty are the roots with nothing in them at all, as a mount point is while its drive is not connected.
	Empty []string

	unread []string // paths of Problems: what is indexed there is kept
	known  map[string][]int
}

// Covers says whether a path is, or stands below, one that cannot be read: it may be there.
func (t *Tree) Covers(path string) bool {
	for _, dir := range t.unread {
		if path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// Walk lists the files below the roots that belong to a collection with these settings. Hidden files and folders are
// left out, a link to a file is followed, a link to a folder (or a junction) is not: it may lead back. seen is told the
// number of files so far; nil: nobody is.
func Walk(ctx context.Context, roots []string, settings domain.CollectionSettings, seen func(int)) (*Tree, error) {
	if seen == nil {
		seen = func(int) {}
	}
	t := &Tree{known: map[string][]int{}}
	for _, root := range roots {
		info, err := os.Stat(root)
		if err != nil {
			t.unreadable(root, err)
			continue
		}
		if !info.IsDir() {
			if t.add(root, info) {
				t.Folders = append(t.Folders, filepath.Dir(root))
			}
			continue
		}
		if isEmpty(root) {
			t.Empty = append(t.Empty, root)
		}
		w := walker{Tree: t, root: root, rules: newRules(settings), ctx: ctx, seen: seen}
		if err := filepath.WalkDir(root, w.visit); err != nil {
			return nil, fmt.Errorf("scan %s: %w", root, err)
		}
	}
	return t, nil
}

// walker walks below one root.
type walker struct {
	*Tree
	root  string
	rules *rules
	ctx   context.Context
	seen  func(int)
}

func (w *walker) visit(path string, entry fs.DirEntry, err error) error {
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	skip := error(nil)
	if entry != nil && entry.IsDir() {
		skip = fs.SkipDir
	}
	if err != nil {
		w.unreadable(path, err)
		return skip
	}
	within := w.within(path)
	if len(within) > 0 && (hidden(entry.Name()) || w.rules.ignored(within, entry.IsDir())) {
		return skip
	}
	if entry.IsDir() {
		if err := w.rules.enter(path, within); err != nil {
			w.unreadable(path, err)
			return fs.SkipDir
		}
		w.Folders = append(w.Folders, path)
		return nil
	}
	if !w.rules.included(within) {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		w.unreadable(path, err)
		return nil
	}
	if info.Mode().IsRegular() && w.add(path, info) {
		w.seen(len(w.Files))
	}
	return nil
}

// within is the way from the root to a path, folder by folder.
func (w *walker) within(path string) []string {
	way, err := filepath.Rel(w.root, path)
	if err != nil || way == "." {
		return nil
	}
	return strings.Split(way, string(filepath.Separator))
}

// add takes a file in, unless it is there already, maybe under another spelling of its name.
func (t *Tree) add(path string, info fs.FileInfo) bool {
	key := spelling(path)
	for _, i := range t.known[key] {
		if t.Files[i].Path == path || same(t.Files[i].Path, info) {
			return false
		}
	}
	t.known[key] = append(t.known[key], len(t.Files))
	t.Files = append(t.Files, File{path, info.Size(), info.ModTime()})
	return true
}

func isEmpty(dir string) bool {
	d, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer d.Close()
	_, err = d.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

func (t *Tree) unreadable(path string, err error) {
	t.unread = append(t.unread, path)
	t.Problems = append(t.Problems, domain.FileProblem{Path: path, State: domain.StateFailed, Reason: Reason(err)})
}

// Reason says in one sentence why a file cannot be read, and what to do.
func Reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there; what was indexed from it is kept until it is back or removed from the collection"
	case errors.Is(err, fs.ErrPermission):
		return "you are not allowed to read it; change its permissions, then index again"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "its path is too long for this system; move it up, or shorten the names of its folders"
	case errors.Is(err, syscall.ELOOP):
		return "it is a link that leads back to itself"
	}
	return "it cannot be read: " + err.Error()
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }
