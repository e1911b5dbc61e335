package tree

import (
	"io/fs"
	"os"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// spelling is the same for names that some file systems take for one: letters composed or not, capital or not.
func spelling(path string) string { return strings.ToLower(norm.NFC.String(path)) }

// same says whether the file system takes a path for the file of info.
func same(path string, info fs.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}

// Keep gives the files the names that they are stored under, where the file system takes both for the same file: a
// volume that was written on another system may spell its names in another way. stored lists all names.
func (t *Tree) Keep(stored func(yield func(path string) bool)) {
	found := make(map[string]bool, len(t.Files))
	for _, f := range t.Files {
		found[f.Path] = true
	}
	missing := map[string]string{}
	have := map[string]bool{}
	for path := range stored {
		if have[path] = found[path]; !have[path] {
			missing[spelling(path)] = path
		}
	}
	if len(missing) == 0 {
		return
	}
	for i, f := range t.Files {
		if have[f.Path] {
			continue
		}
		old, ok := missing[spelling(f.Path)]
		if !ok {
			continue
		}
		if info, err := os.Stat(f.Path); err == nil && same(old, info) {
			t.Files[i].Path = old
			delete(missing, spelling(old))
		}
	}
}
