package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// head says what the ledger must hold.
type head struct {
	Entries int64  `json:"entries"`
	Bytes   int64  `json:"bytes"` // of all files of entries, one after the other
	Hash    string `json:"hash"`  // of the last entry; empty: there is none
}

// headFile is the head as it is kept.
type headFile struct {
	head
	Base int64 `json:"base,omitempty"` // how many of the bytes are in the files that are full
}

// size is that of the file which is being written.
func (h headFile) size() int64 { return h.Bytes - h.Base }

// headSize is what the file of the head is filled up to: less than a sector, so that it is written whole or not at all.
const headSize = 256

// maxRest is more than the longest line that a crash can leave behind the head.
const maxRest = 256 << 20

var errHead = fmt.Errorf("%w: its head is gone or unreadable", ErrFault)

// readHead gives an error that is os.ErrNotExist where there is no head, and ErrFault where it is not readable.
func (l *Ledger) readHead() (headFile, error) {
	data, err := os.ReadFile(filepath.Join(l.dir, headName))
	if errors.Is(err, os.ErrNotExist) {
		return headFile{}, fmt.Errorf("%w (%w)", errHead, err)
	}
	if err != nil {
		return headFile{}, fmt.Errorf("ledger: %w", err)
	}
	var h headFile
	if len(data) != headSize || json.Unmarshal(data, &h) != nil || h.Entries < 0 || h.Base < 0 || h.size() < 0 {
		return headFile{}, errHead
	}
	return h, nil
}

// writeHead writes in place, which needs no room on a full disk. After a power cut the file may hold the head before
// this one; the one entry that it does not know yet continues it, and is taken in.
func (l *Ledger) writeHead(h headFile) error {
	data, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("ledger head: %w", err)
	}
	data = append(data, bytes.Repeat([]byte(" "), headSize-1-len(data))...)
	f, err := os.OpenFile(filepath.Join(l.dir, headName), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("ledger head: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteAt(append(data, '\n'), 0); err != nil {
		return fmt.Errorf("ledger head: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("ledger head: %w", err)
	}
	return nil
}

// after reads what stands behind the head: torn is a line that a crash cut short, which nothing followed and after
// which nothing left; a head with one more entry is one whose own head a crash has prevented. Neither: it is not ours.
func (h head) after(rest []byte) (next head, torn bool) {
	if line, ok := bytes.CutSuffix(rest, []byte("\n")); ok && !bytes.Contains(line, []byte("\n")) {
		if l, err := linkOf(line); err == nil && l.N == h.Entries+1 && l.Prev == h.Hash {
			return head{l.N, h.Bytes + int64(len(rest)), l.hash}, false
		}
	}
	begin := fmt.Appendf(nil, `{"n":%d,"prev":%q,`, h.Entries+1, h.Hash)
	text := bytes.TrimRight(rest, "\x00") // what a file system may show of a write that was cut short
	n := min(len(begin), len(text))
	return h, !bytes.Contains(text, []byte("\n")) && bytes.Equal(begin[:n], text[:n])
}
