package tree

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"fanous/backend/domain"
)

// IgnoreFile is the name of the files that say what of their folder, and of those below it, is left out.
const IgnoreFile = ".fanousignore"

// maxIgnoreFile is the size of an IgnoreFile, in bytes, above which it is something else.
const maxIgnoreFile = 1 << 20

// everywhere is ignored in every collection. A pattern with "!" in the settings or an IgnoreFile takes a name back.
var everywhere = []string{
	"node_modules/", "__pycache__/", "lost+found/", "$RECYCLE.BIN/", "System Volume Information/",
	"Thumbs.db", "ehthumbs.db", "desktop.ini", // what a file manager keeps for itself
	"~$*",                                                                                   // locks of office programs
	"*.crdownload", "*.part", "*.partial", "*.download", "*.opdownload", "*.aria2", "*.!ut", // downloads on their way
}

// rules decide which files of one root belong to a collection.
type rules struct {
	include []gitignore.Pattern // none: every file
	ignore  gitignore.Matcher   // for the folder entered last
	folders []folder            // from the root down to it
}

// folder has the patterns that hold in it, those that come later before those that come earlier.
type folder struct {
	path     string
	patterns []gitignore.Pattern
}

func newRules(s domain.CollectionSettings) *rules {
	base := append(parse(everywhere, nil), parse(s.Ignore, nil)...)
	return &rules{include: parse(s.Include, nil), folders: []folder{{patterns: base}}}
}

func parse(lines, within []string) []gitignore.Pattern {
	var list []gitignore.Pattern
	for _, line := range lines {
		if line = trim(line); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, gitignore.ParsePattern(line, within))
		}
	}
	return list
}

// trim takes away what gitignore does not count: the end of a line, and blanks before it that no backslash keeps.
func trim(line string) string {
	line = strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	return line
}

// enter takes the rules of a folder, which a walk visits before what is in it.
func (r *rules) enter(path string, within []string) error {
	own, err := readIgnoreFile(filepath.Join(path, IgnoreFile), within)
	if err != nil {
		return err
	}
	r.leave(filepath.Dir(path))
	above := r.folders[len(r.folders)-1].patterns
	r.folders = append(r.folders, folder{path, append(above[:len(above):len(above)], own...)})
	r.ignore = nil
	return nil
}

// leave forgets the folders that are not on the way to one.
func (r *rules) leave(to string) {
	for n := len(r.folders); n > 1 && r.folders[n-1].path != to; n-- {
		r.folders = r.folders[:n-1]
		r.ignore = nil
	}
}

// ignored says whether a path is left out, given as the way from the root. A folder that is left out is not walked.
func (r *rules) ignored(within []string, isFolder bool) bool {
	if len(r.folders) > 1 {
		root := r.folders[1].path
		r.leave(filepath.Join(append([]string{root}, within[:len(within)-1]...)...))
	}
	if r.ignore == nil {
		r.ignore = gitignore.NewMatcher(r.folders[len(r.folders)-1].patterns)
	}
	return r.ignore.Match(within, isFolder)
}

// included says whether a file is among those that the settings ask for.
func (r *rules) included(within []string) bool {
	return len(r.include) == 0 || gitignore.NewMatcher(r.include).Match(within, false)
}

// readIgnoreFile reads the patterns of a folder. A file that is there and cannot be read is an error: without it more
// would be indexed than somebody wanted.
func readIgnoreFile(path string, within []string) ([]gitignore.Pattern, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", IgnoreFile, err)
	}
	if info.Size() > maxIgnoreFile {
		return nil, fmt.Errorf("its %s is too large (%d bytes)", IgnoreFile, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", IgnoreFile, err)
	}
	var lines []string
	for s := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return parse(lines, within), nil
}
