package ledger

import (
	"bufio"
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
	if err == nil {
		err = l.fillTexts(ctx, out)
	}
	return out, err
}

// Export writes the lines of a filter as they are in the files, in their order, so that each can still be verified by
// itself, and all of them together where the filter leaves none out. Kept texts are not among them. It says how many
// there are.
func (l *Ledger) Export(ctx context.Context, w io.Writer, filter domain.LedgerFilter) (n int, err error) {
	sendings := map[int64]bool{} // that have an end that matched: the sending itself is older
	err = l.backwards(ctx, func(e domain.LedgerEntry, _ []byte) bool {
		if e.Kind == domain.LedgerEnded && matches(filter, e) {
			sendings[e.Of] = true
		}
		return true
	})
	if err != nil {
		return 0, err
	}
	err = l.forwards(ctx, func(e domain.LedgerEntry, line []byte) error {
		if !matches(filter, e) && !sendings[e.N] {
			return nil
		}
		n++
		_, err := w.Write(line)
		return err
	})
	return n, err
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

// reading opens the file that is written to, nil where there is none, and lists the full ones, as they are at one moment.
func (l *Ledger) reading() (full []part, f *os.File, err error) {
	for {
		full = l.parts()
		f, err = os.Open(l.Path())
		switch {
		case errors.Is(err, os.ErrNotExist):
			f = nil
		case err != nil:
			return nil, nil, fmt.Errorf("ledger: %w", err)
		}
		if len(l.parts()) == len(full) {
			return full, f, nil
		}
		if f != nil { // it became full meanwhile
			_ = f.Close()
		}
	}
}

// forwards gives the entries from the first to the last, with their lines.
func (l *Ledger) forwards(ctx context.Context, each func(e domain.LedgerEntry, line []byte) error) error {
	full, last, err := l.reading()
	if err != nil {
		return err
	}
	if last != nil {
		defer last.Close()
	}
	for _, p := range full {
		f, err := os.Open(p.path)
		if err == nil {
			err = linesOf(ctx, f, each)
			_ = f.Close() // it was only read
		}
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	if last == nil {
		return nil
	}
	return linesOf(ctx, last, each)
}

func linesOf(ctx context.Context, f *os.File, each func(e domain.LedgerEntry, line []byte) error) error {
	r := bufio.NewReaderSize(f, blockSize)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what follows the last line is no entry
		}
		if err == nil {
			err = ctx.Err()
		}
		if e, ok := entryOf(bytes.TrimSuffix(line, []byte("\n"))); ok && err == nil {
			err = each(e, line)
		}
		if err != nil {
			return err
		}
	}
}

// entryOf reads a line; false: it is damaged.
func entryOf(line []byte) (e domain.LedgerEntry, ok bool) {
	body, _, err := sealed(line)
	return e, err == nil && json.Unmarshal(body, &e) == nil
}

// backwards gives the entries from the last to the first, as long as each wants more.
func (l *Ledger) backwards(ctx context.Context, each func(e domain.LedgerEntry, line []byte) bool) error {
	full, last, err := l.reading()
	if err != nil {
		return err
	}
	more := true
	if last != nil {
		more, err = backwardsIn(ctx, last, each)
		_ = last.Close() // it was only read
	}
	for i := len(full) - 1; i >= 0 && more && err == nil; i-- {
		var f *os.File
		if f, err = os.Open(full[i].path); err == nil {
			more, err = backwardsIn(ctx, f, each)
			_ = f.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// backwardsIn says whether more is wanted.
func backwardsIn(ctx context.Context, f *os.File, each func(e domain.LedgerEntry, line []byte) bool) (more bool, err error) {
	at, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return false, err
	}
	var rest []byte // the end of a line that begins before it
	for at > 0 {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n := min(at, blockSize)
		at -= n
		block := make([]byte, n, int(n)+len(rest))
		if _, err := f.ReadAt(block, at); err != nil {
			return false, err
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
			if e, ok := entryOf(lines[i]); ok && !each(e, lines[i]) {
				return false, nil
			}
		}
	}
	return true, nil
}
