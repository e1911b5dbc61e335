package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fanous/backend/domain"
)

// List gives the entries of a filter, the latest first, each sending with its end where that is known. An entry that is
// damaged is left out: Verify names it.
func (l *Ledger) List(ctx context.Context, filter domain.LedgerFilter) ([]domain.LedgerRecord, error) {
	out, ends := []domain.LedgerRecord{}, map[int64]*domain.LedgerEntry{}
	err := l.backwards(ctx, func(e domain.LedgerEntry, _ []byte) bool {
		if e.Kind == domain.LedgerEnded && filter.Kind != domain.LedgerEnded {
			ends[e.Of] = &e
			return true
		}
		if !matches(filter, e) || filter.Failed && !failed(e, ends[e.N]) {
			return filter.Since.IsZero() || !e.At.Before(filter.Since)
		}
		out = append(out, domain.LedgerRecord{LedgerEntry: e, Ended: ends[e.N]})
		return filter.Limit == 0 || len(out) < filter.Limit
	})
	return out, err
}

// Export writes the lines of a filter as they are in the file, in its order, so that each can still be verified by
// itself, and all of them together where the filter leaves none out. It says how many there are.
func (l *Ledger) Export(ctx context.Context, w io.Writer, filter domain.LedgerFilter) (int, error) {
	var kept [][]byte
	sendings := map[int64]bool{} // that have an end that matched: the sending itself is older
	err := l.backwards(ctx, func(e domain.LedgerEntry, line []byte) bool {
		if matches(filter, e) || sendings[e.N] {
			kept = append(kept, bytes.Clone(line))
			if e.Kind == domain.LedgerEnded {
				sendings[e.Of] = true
			}
		}
		return true
	})
	for i := len(kept) - 1; i >= 0 && err == nil; i-- {
		_, err = w.Write(append(kept[i], '\n'))
	}
	return len(kept), err
}

func matches(f domain.LedgerFilter, e domain.LedgerEntry) bool {
	in := f.Collection == ""
	for _, c := range e.Collections {
		in = in || c == f.Collection
	}
	return in && (f.Before == 0 || e.N < f.Before) && !(e.At.Before(f.Since)) && (f.Until.IsZero() || e.At.Before(f.Until)) &&
		(f.Search == "" || f.Search == e.Search) && (f.Kind == "" || f.Kind == e.Kind) && mentions(e, strings.ToLower(f.Text))
}

// mentions says whether a text in small letters is part of what an entry names.
func mentions(e domain.LedgerEntry, text string) bool {
	for _, name := range append([]string{e.Host, e.Model}, e.Collections...) {
		if strings.Contains(strings.ToLower(name), text) {
			return true
		}
	}
	return false
}

// outcomeOK is the Code of a sending that ended well.
const outcomeOK = "ok"

// failed says whether an entry is a sending that did not end well.
func failed(e domain.LedgerEntry, end *domain.LedgerEntry) bool {
	return e.Kind == domain.LedgerSent && (end == nil || end.Code != outcomeOK)
}

// blockSize is how much of the file is read at once from its end.
const blockSize = 1 << 20

// backwards gives the entries from the last to the first, as long as each wants more.
func (l *Ledger) backwards(ctx context.Context, each func(e domain.LedgerEntry, line []byte) bool) error {
	f, err := os.Open(l.Path())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	defer f.Close()
	at, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	var rest []byte // the end of a line that begins before it
	for at > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(at, blockSize)
		at -= n
		block := make([]byte, n, int(n)+len(rest))
		if _, err := f.ReadAt(block, at); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		block = append(block, rest...)
		first := 0
		if at > 0 {
			if first = bytes.IndexByte(block, '\n') + 1; first == 0 {
				rest = block
				continue
			}
		}
		rest = block[:first]
		lines := bytes.Split(block[first:], []byte("\n"))
		for i := len(lines) - 1; i >= 0; i-- {
			body, _, err := sealed(lines[i])
			var e domain.LedgerEntry
			if err != nil || json.Unmarshal(body, &e) != nil {
				continue
			}
			if !each(e, lines[i]) {
				return nil
			}
		}
	}
	return nil
}
