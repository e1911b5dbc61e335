package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fanous/models"
)

// fullBytes is the size from which a file of entries is full: about 24,000 sendings of 40 passages.
const fullBytes = 64 << 20

// part is a file of entries. One that is full gets a name of its own and is never written again; the chain goes on in
// the next.
type part struct {
	path string
	base int64 // bytes of the parts before it
	size int64
}

// partName is the name of a full part: its base, so that names are in order.
func partName(base int64) string { return fmt.Sprintf("entries-%018d.jsonl", base) }

// parts are the full ones, oldest first.
func (l *Ledger) parts() []part {
	files, _ := os.ReadDir(l.dir) // by name
	var out []part
	for _, file := range files {
		digits := strings.TrimSuffix(strings.TrimPrefix(file.Name(), "entries-"), ".jsonl")
		base, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || partName(base) != file.Name() {
			continue
		}
		if info, err := file.Info(); err == nil {
			out = append(out, part{filepath.Join(l.dir, file.Name()), base, info.Size()})
		}
	}
	return out
}

// contiguous says whether each part has the size that the next one's base, or the last the head's, wants.
func contiguous(parts []part, base int64) bool {
	end := int64(0)
	for _, p := range parts {
		if p.base != end {
			return false
		}
		end += p.size
	}
	return end == base
}

// turn gives a file that is full its own name, so that the next entry begins another one. What is not as the head has
// it stays where it is. A crash between the two steps is made good by the next turn.
func (l *Ledger) turn() error {
	h, err := l.readHead()
	if err != nil {
		return nil // whoever writes finds out
	}
	own := filepath.Join(l.dir, partName(h.Base))
	info, err := os.Stat(l.Path())
	switch {
	case err == nil && info.Size() == h.size() && info.Size() >= l.full:
		if err := os.Rename(l.Path(), own); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		if err := models.SyncDir(l.dir); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	case os.IsNotExist(err) && h.size() > 0:
		if info, err := os.Stat(own); err != nil || info.Size() != h.size() {
			return nil // it is gone, which whoever verifies says
		}
	default:
		return nil
	}
	h.Base = h.Bytes
	return l.writeHead(h)
}
