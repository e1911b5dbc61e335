// Package ledger keeps what left this machine, and what was kept here, in files that only grow; see part.
//
// Each entry has the digest of the one before it, and another file, the head, says how many there are and which is
// the last: whatever is changed, exchanged, taken out or cut off is found, and where. A sending is on the disk before
// its first byte leaves; how it ended is an entry of its own. Several processes write to one ledger.
//
// The digests need no secret, so that anybody can verify a copy. Who can write to the folder and knows the format can
// write the whole ledger anew; only a head that was noted elsewhere shows that.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"fanous/backend/domain"
	"fanous/models"
)

// Files of a ledger's folder.
const (
	entriesName = "entries.jsonl"
	headName    = "head"
	checkedName = "checked.json"
	lockName    = "lock"
)

// lockPatience bounds the wait for other processes, which hold the lock for one write each.
const lockPatience = 2 * time.Second

// ErrFault says that something is wrong with the ledger which nobody has acknowledged, so that nothing may leave.
var ErrFault = errors.New("something is wrong with the ledger, and nobody has acknowledged it")

// Ledger is a ledger in a folder. It is safe for concurrent use.
type Ledger struct {
	dir   string
	texts bool

	mu      sync.Mutex // of writing, within this process
	once    sync.Mutex // of the verification before the first sending
	checked bool

	sending sync.WaitGroup // whose end was not written yet

	full int64 // bytes from which the file that is written to is full
}

// Open names the ledger in a folder; it reads and writes nothing yet. With texts, the texts of what is sent are kept
// beside the chain.
func Open(dir string, texts bool) *Ledger { return &Ledger{dir: dir, texts: texts, full: fullBytes} }

// Close waits for the ends of sendings that were given up, which come at once. The ledger stays usable.
func (l *Ledger) Close() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.sending.Wait()
	}()
	select {
	case <-done:
	case <-time.After(lockPatience):
	}
}

// Path is the file that entries are written to; those that are full are beside it.
func (l *Ledger) Path() string { return filepath.Join(l.dir, entriesName) }

// Request is what is about to leave, or is kept here.
type Request struct {
	Search      string
	Collections []string
	Policy      domain.Policy
	By          string // sending: who lets it leave
	Host, Model string
	Body        []byte // as it is sent; nil for what is kept here
	Query       string
	Passages    []string
	Documents   []string // digests of the bytes of the documents that the passages are from
}

// Outcome is how a sending ended.
type Outcome struct {
	Code   string // "ok", or what went wrong
	Status int    // of the HTTP answer; 0: there was none
}

// Sending writes that a request is about to leave. Where it fails, nothing may leave. ended must be called once: it
// writes how it went.
func (l *Ledger) Sending(ctx context.Context, r Request) (ended func(Outcome) error, err error) {
	if err := l.whole(ctx); err != nil {
		return nil, err
	}
	e := l.entry(domain.LedgerSent, r)
	e.By = r.By
	err = l.writing(ctx, func(f *os.File) error {
		h, err := l.settled(f)
		if err == nil && l.texts {
			err = l.addTexts(h.Entries+1, r)
		}
		if err != nil {
			return err
		}
		return l.write(f, h, &e)
	})
	if err != nil {
		return nil, err
	}
	start := time.Now()
	l.sending.Add(1)
	return func(o Outcome) error {
		defer l.sending.Done()
		end := domain.LedgerEntry{
			Kind: domain.LedgerEnded, Of: e.N, Search: e.Search, Collections: e.Collections, Code: o.Code, Status: o.Status,
			MS: float64(time.Since(start).Microseconds()) / 1000,
		}
		return l.append(context.Background(), &end)
	}, nil
}

// Refused writes that a request was kept here, and why.
func (l *Ledger) Refused(ctx context.Context, r Request, code string) error {
	e := l.entry(domain.LedgerRefused, r)
	e.Code = code
	return l.append(ctx, &e)
}

func (l *Ledger) entry(kind domain.LedgerKind, r Request) domain.LedgerEntry {
	e := domain.LedgerEntry{
		Kind: kind, Search: r.Search, Collections: r.Collections, Policy: r.Policy, Host: r.Host, Model: r.Model,
		Bytes: len(r.Body), Query: Digest([]byte(r.Query)),
	}
	if r.Body != nil {
		e.Body = Digest(r.Body)
	}
	for _, p := range r.Passages {
		e.Passages = append(e.Passages, Digest([]byte(p)))
	}
	return e
}

// append gives the entry its number and puts it on the disk.
func (l *Ledger) append(ctx context.Context, e *domain.LedgerEntry) error {
	return l.writing(ctx, func(f *os.File) error {
		h, err := l.settled(f)
		if err != nil {
			return err
		}
		return l.write(f, h, e)
	})
}

// writing opens the file of the entries for the only one that writes to it meanwhile.
func (l *Ledger) writing(ctx context.Context, do func(*os.File) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	unlock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := l.turn(); err != nil {
		return err
	}
	f, err := os.OpenFile(l.Path(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	defer f.Close()
	return do(f)
}

// write puts an entry after the head's, and then moves the head on.
func (l *Ledger) write(f *os.File, h headFile, e *domain.LedgerEntry) error {
	e.N, e.Prev, e.At = h.Entries+1, h.Hash, time.Now().UTC()
	line, hash, err := seal(*e)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(line, h.size()); err != nil {
		_ = f.Truncate(h.size()) // of a full disk; where this fails, the next append does it
		return fmt.Errorf("ledger: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return l.writeHead(headFile{head{Entries: e.N, Bytes: h.Bytes + int64(len(line)), Hash: hash}, h.Base})
}

// settled is the head that the file continues, after what a crash has left was tidied up.
func (l *Ledger) settled(f *os.File) (headFile, error) {
	info, err := f.Stat()
	if err != nil {
		return headFile{}, fmt.Errorf("ledger: %w", err)
	}
	h, err := l.readHead()
	switch {
	case errors.Is(err, os.ErrNotExist) && info.Size() == 0 && len(l.parts()) == 0:
		if err := models.SyncDir(l.dir); err != nil {
			return headFile{}, fmt.Errorf("ledger: %w", err)
		}
		return headFile{}, l.writeHead(headFile{})
	case err != nil:
		return headFile{}, err
	case info.Size() == h.size():
		return h, nil
	case info.Size() < h.size() || info.Size()-h.size() > maxRest:
		return headFile{}, ErrFault
	}
	rest := make([]byte, info.Size()-h.size())
	if _, err := f.ReadAt(rest, h.size()); err != nil && !errors.Is(err, io.EOF) {
		return headFile{}, fmt.Errorf("ledger: %w", err)
	}
	next, torn := h.after(rest)
	switch {
	case torn:
		return h, f.Truncate(h.size())
	case next.Entries > h.Entries:
		h.head = next
		return h, l.writeHead(h)
	}
	return headFile{}, ErrFault
}

// lock keeps other processes from writing.
func (l *Ledger) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	file := flock.New(filepath.Join(l.dir, lockName))
	if ok, err := file.TryLockContext(ctx, time.Millisecond); !ok {
		return nil, fmt.Errorf("ledger: wait for another process: %w", err)
	}
	return func() { _ = file.Close() }, nil
}
