package ledger

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fanous/backend/domain"
	"fanous/models"
)

// checked is what the last verification has found, for every process.
type checked struct {
	// Head is that up to which everything was whole or acknowledged. It must be found again.
	Head         head                 `json:"head"`
	Seen         head                 `json:"seen"` // what there was, whole or not
	At           time.Time            `json:"at"`   // when every entry was last read; zero: never
	Faults       []domain.LedgerFault `json:"faults"`
	Acknowledged []domain.LedgerFault `json:"acknowledged"`
}

// fullAgain is how long it is enough to verify what has come since.
const fullAgain = 24 * time.Hour

// State says what is known without reading entries that were verified before.
func (l *Ledger) State(ctx context.Context) (domain.LedgerState, error) {
	c, err := l.catchUp(ctx)
	return l.describe(c, err), err
}

// Verify reads every entry. Its error is that of ctx or of the disk; what is wrong with the ledger is in the state.
func (l *Ledger) Verify(ctx context.Context) (domain.LedgerState, error) {
	c, err := l.verify(ctx)
	return l.describe(c, err), err
}

func (l *Ledger) describe(c checked, err error) domain.LedgerState {
	s := domain.LedgerState{
		Path: l.Path(), Entries: c.Seen.Entries, Bytes: c.Seen.Bytes, Head: c.Seen.Hash, Verified: c.At,
		Faults: append([]domain.LedgerFault{}, c.Faults...), Acknowledged: append([]domain.LedgerFault{}, c.Acknowledged...),
	}
	switch {
	case err != nil:
		s.Problem = "The ledger of what leaves this machine cannot be read (" + err.Error() + "), so nothing is sent."
	case len(s.Faults) > 0:
		s.Problem = "The ledger of what leaves this machine is not whole, so nothing is sent until that is acknowledged."
	}
	return s
}

// whole is an error where nothing may leave. What other processes have verified since counts too.
func (l *Ledger) whole(ctx context.Context) error {
	l.once.Lock()
	defer l.once.Unlock()
	c := l.readChecked()
	if !l.checked {
		var err error
		if c, err = l.catchUp(ctx); err != nil {
			return err
		}
		l.checked = true
	}
	if len(c.Faults) > 0 {
		return ErrFault
	}
	return nil
}

// catchUp verifies what came after the last verification, and everything where that or the last one shows a fault.
func (l *Ledger) catchUp(ctx context.Context) (checked, error) {
	c := l.readChecked()
	if len(c.Faults) > 0 || time.Since(c.At) > fullAgain {
		return l.verify(ctx)
	}
	w, err := l.walk(ctx, c.Head, c.Head)
	if err != nil {
		return checked{}, err
	}
	if len(w.faults) > 0 || !w.whole {
		return l.verify(ctx)
	}
	c.Head, c.Seen = w.head, w.head
	return c, l.writeChecked(ctx, c)
}

func (l *Ledger) verify(ctx context.Context) (checked, error) {
	c := l.readChecked()
	w, err := l.walk(ctx, head{}, c.Head)
	if err != nil {
		return checked{}, err
	}
	c.Seen, c.At, c.Faults, c.Acknowledged = w.head, time.Now().UTC(), nil, w.acknowledged
	for _, f := range w.faults {
		if !slices.Contains(w.acknowledged, f) {
			c.Faults = append(c.Faults, f)
		}
	}
	if len(c.Faults) == 0 {
		c.Head = w.head
	}
	return c, l.writeChecked(ctx, c)
}

func (l *Ledger) readChecked() (c checked) {
	data, err := os.ReadFile(filepath.Join(l.dir, checkedName))
	if err != nil || json.Unmarshal(data, &c) != nil {
		return checked{}
	}
	return c
}

// writeChecked writes nothing where there is no ledger yet.
func (l *Ledger) writeChecked(ctx context.Context, c checked) error {
	if c.Seen.Entries == 0 && len(c.Faults) == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	unlock, err := l.lock(ctx)
	if errors.Is(err, os.ErrPermission) { // it is only read here; whoever writes finds out for themselves
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	err = models.WriteJSON(filepath.Join(l.dir, checkedName), c)
	if errors.Is(err, os.ErrPermission) {
		return nil
	}
	return err
}

// Acknowledge writes an entry that names all that is wrong, after which sending goes on, and gives the state.
func (l *Ledger) Acknowledge(ctx context.Context) (domain.LedgerState, error) {
	c, err := l.verify(ctx)
	if err != nil {
		return domain.LedgerState{}, err
	}
	if len(c.Faults) == 0 {
		return l.describe(c, nil), nil
	}
	e := domain.LedgerEntry{Kind: domain.LedgerAcknowledged, Faults: c.Faults}
	if err := l.goOn(ctx, c.Seen, &e); err != nil {
		return domain.LedgerState{}, err
	}
	return l.Verify(ctx)
}

// goOn writes an entry after whatever the last file holds; its number comes after all that there were.
func (l *Ledger) goOn(ctx context.Context, after head, e *domain.LedgerEntry) error {
	return l.writing(ctx, func(f *os.File) (err error) {
		h := headFile{after, l.base()}
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); size > 0 && err == nil && last[0] != '\n' {
			if _, err := f.WriteAt([]byte("\n"), size); err != nil { // what is there stays, on a line of its own
				return fmt.Errorf("ledger: %w", err)
			}
			size++
		}
		h.Bytes = h.Base + size
		return l.write(f, h, e)
	})
}

// base is how many bytes are in the full parts, as the head has it or, without a head, as they are.
func (l *Ledger) base() int64 {
	if h, err := l.readHead(); err == nil {
		return h.Base
	}
	if parts := l.parts(); len(parts) > 0 {
		last := parts[len(parts)-1]
		return last.base + last.size
	}
	return 0
}

// walk reads the entries after from, to the end; the anchor must be among them or be from.
func (l *Ledger) walk(ctx context.Context, from, anchor head) (*walk, error) {
	w := &walk{head: from, anchor: anchor}
	s, err := l.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	w.noHead, w.whole = s.noHead, contiguous(s.parts, s.base)
	var rest []byte
	for i, p := range s.parts {
		end := s.base
		if i+1 < len(s.parts) {
			end = s.parts[i+1].base
		}
		if end <= from.Bytes {
			continue
		}
		f, err := os.Open(p.path)
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		rest, err = w.lines(ctx, io.NewSectionReader(f, max(from.Bytes-p.base, 0), p.size))
		_ = f.Close() // it was only read
		if err != nil {
			return nil, err
		}
		if len(rest) > 0 { // a full part ends with a line
			w.settle()
			w.stray(rest)
			rest = nil
		}
	}
	if s.file != nil {
		at := max(from.Bytes-s.base, 0)
		if rest, err = w.lines(ctx, io.NewSectionReader(s.file, at, max(s.size-at, 0))); err != nil {
			return nil, err
		}
	}
	w.end(s.head, rest)
	return w, ctx.Err()
}

// lines goes through whole lines and gives what follows the last.
func (w *walk) lines(ctx context.Context, from io.Reader) (rest []byte, err error) {
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return line, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		w.line(line[:len(line)-1])
	}
}

// snapshot is what the ledger holds while nobody writes.
type snapshot struct {
	parts  []part
	file   *os.File // that is written to; nil: there is none
	size   int64    // of it
	head   head
	base   int64
	noHead bool
}

func (s snapshot) close() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
	}
}

func (l *Ledger) snapshot(ctx context.Context) (s snapshot, err error) {
	if _, err := os.Stat(l.dir); errors.Is(err, os.ErrNotExist) {
		return s, nil
	} else if err != nil {
		return s, fmt.Errorf("ledger: %w", err)
	}
	if unlock, err := l.lock(ctx); err == nil {
		defer unlock()
	} else if !errors.Is(err, os.ErrPermission) {
		return s, err
	}
	h, fault := l.readHead()
	if fault != nil && !errors.Is(fault, ErrFault) {
		return s, fault
	}
	s.parts, s.head, s.base, s.noHead = l.parts(), h.head, l.base(), fault != nil
	if s.file, err = os.Open(l.Path()); errors.Is(err, os.ErrNotExist) {
		s.file = nil
		if len(s.parts) > 0 && fault == nil && contiguous(s.parts, h.Bytes) {
			s.base = h.Bytes // a crash has kept the head from knowing that a part is full
		}
	} else if err != nil {
		return s, fmt.Errorf("ledger: %w", err)
	} else if s.size, err = s.file.Seek(0, io.SeekEnd); err != nil {
		return s, fmt.Errorf("ledger: %w", err)
	}
	if s.size == 0 && len(s.parts) == 0 && errors.Is(fault, os.ErrNotExist) { // nothing, or a process ended before its first entry
		s.noHead = false
	}
	return s, nil
}
