package extract

import (
	"fmt"
	"hash/maphash"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxNameBytes is how long the name of one member may be, in bytes of UTF-8.
	maxNameBytes = 200
	// maxNameParts is how many folders deep a path within an archive is kept.
	maxNameParts = 32
)

// memberNames keeps the paths of members apart: an archive may have two files of one name. It knows them by
// their hashes, for a mailbox may have a million.
type memberNames struct {
	seed maphash.Seed
	seen map[uint64]int // how often a path was asked for
}

func newMemberNames() memberNames {
	return memberNames{seed: maphash.MakeSeed(), seen: map[uint64]int{}}
}

// unique gives the path of a member called name in parent; the second of that path is "name (2).ext".
func (n memberNames) unique(parent, name string) string {
	if parent != "" {
		name = parent + "/" + name
	}
	for {
		key := maphash.String(n.seed, name)
		n.seen[key]++
		count := n.seen[key]
		if count == 1 {
			return name
		}
		ext := path.Ext(name)
		name = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), count, ext)
	}
}

// entryPath makes the name of a file in an archive a path that leads nowhere but down; "" for one that names
// nothing.
func entryPath(name string) string {
	if !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, `\`, "/") // some programs of Windows
	}
	var parts []string
	for _, part := range strings.Split(name, "/") {
		if part = cleanName(part); part != "" && !(len(parts) == 0 && isDrive(part)) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts[max(0, len(parts)-maxNameParts):], "/")
}

// flatName makes what a message calls an attachment, or its subject, one name; alias stands for one that
// says nothing.
func flatName(name, alias string) string {
	var parts []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part = cleanName(part); part != "" && !(len(parts) == 0 && isDrive(part)) {
			parts = append(parts, part)
		}
	}
	if name = shorten(strings.Join(parts, "_")); name == "" {
		return alias
	}
	return name
}

// cleanName gives one name without what would steer a terminal or turn its letters around; "" for ".", ".."
// and what has no letters.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\':
			return '_'
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, string(utf8.RuneError)))
	if name = strings.TrimSpace(name); name == "." || name == ".." {
		return ""
	}
	return shorten(name)
}

// shorten cuts the middle out of a name that is too long; its start and its extension stay.
func shorten(name string) string {
	if len(name) <= maxNameBytes {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > 20 {
		ext = ""
	}
	return strings.ToValidUTF8(name[:maxNameBytes-len(ext)-len("…")], "") + "…" + ext
}

func isDrive(name string) bool { return len(name) == 2 && name[1] == ':' }
