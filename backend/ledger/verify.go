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
	if len(w.faults) > 0 {
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

// goOn writes an entry after whatever the file holds; its number comes after all that there were.
func (l *Ledger) goOn(ctx context.Context, after head, e *domain.LedgerEntry) error {
	return l.writing(ctx, func(f *os.File) (err error) {
		if after.Bytes, err = f.Seek(0, io.SeekEnd); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, after.Bytes-1); after.Bytes > 0 && err == nil && last[0] != '\n' {
			if _, err := f.WriteAt([]byte("\n"), after.Bytes); err != nil { // what is there stays, on a line of its own
				return fmt.Errorf("ledger: %w", err)
			}
			after.Bytes++
		}
		return l.write(f, after, e)
	})
}

// walk reads the entries after from, to the end; the anchor must be among them or be from.
func (l *Ledger) walk(ctx context.Context, from, anchor head) (*walk, error) {
	w := &walk{head: from, anchor: anchor}
	f, h, size, err := l.snapshot(ctx)
	switch {
	case errors.Is(err, os.ErrNotExist) && f == nil && h == head{}:
		w.end(h, nil)
		return w, nil
	case errors.Is(err, ErrFault):
		w.noHead = true
	case err != nil:
		return nil, err
	}
	if f != nil {
		defer f.Close()
		r := bufio.NewReaderSize(io.NewSectionReader(f, from.Bytes, max(size-from.Bytes, 0)), 1<<20)
		for {
			line, err := r.ReadBytes('\n')
			if errors.Is(err, io.EOF) {
				w.end(h, line)
				return w, ctx.Err()
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
	w.end(h, nil)
	return w, nil
}

// snapshot opens the file and says what it holds while nobody writes. A file that is missing is nil. The error is
// ErrFault where there is no head.
func (l *Ledger) snapshot(ctx context.Context) (f *os.File, h head, size int64, err error) {
	if _, err := os.Stat(l.dir); err != nil {
		return nil, head{}, 0, err
	}
	if unlock, err := l.lock(ctx); err == nil {
		defer unlock()
	} else if !errors.Is(err, os.ErrPermission) {
		return nil, head{}, 0, err
	}
	h, fault := l.readHead()
	if f, err = os.Open(l.Path()); errors.Is(err, os.ErrNotExist) {
		if errors.Is(fault, os.ErrNotExist) {
			return nil, head{}, 0, os.ErrNotExist
		}
		return nil, h, 0, fault
	} else if err != nil {
		return nil, h, 0, fmt.Errorf("ledger: %w", err)
	}
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		return f, h, 0, fmt.Errorf("ledger: %w", err)
	}
	if size == 0 && errors.Is(fault, os.ErrNotExist) { // a process ended before it wrote its first entry
		fault = nil
	}
	return f, h, size, fault
}
