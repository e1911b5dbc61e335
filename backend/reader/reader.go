// Package reader reads files in processes of its own, so that a file on which a parser spins, takes too much memory or
// ends its process costs that file and nothing else. Such a process is this very program: it runs an extract.Extractor
// on one file after another, has no network, and what it says is not trusted.
//
// decisions/reading-apart.md says what a child may do on which system.
package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
)

// Options of a Reader.
type Options struct {
	Program  string // a program that calls Child before anything else
	Children int    // how many files are read at a time; 0: one
	Awaited  bool   // somebody waits for each file: children step back behind no program
	Limits   Limits // fields that are zero get those of DefaultLimits
}

// Limits bound what a file may cost. Time is that of the child: while the caller of Read has the turn, none passes.
type Limits struct {
	Stall time.Duration // until the next part of a document comes, and more for a large file
	Total time.Duration // until the file is read, and more for a large file

	Memory   int64 // bytes of a child
	Document int64 // bytes that one document may come to
	Output   int64 // bytes that all documents of a file may come to, beside twice its size
	Members  int
}

// DefaultLimits are for files as people have them, on a slow machine that does other work too.
func DefaultLimits() Limits {
	return Limits{
		Stall: time.Minute, Total: 10 * time.Minute,
		Memory: 2 << 30, Document: 320 << 20, Output: 1 << 30, Members: 1_000_000,
	}
}

// slowest is how many bytes a second of a large file are read at the least.
const slowest = 1 << 20

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	return Limits{
		Stall: cmp.Or(l.Stall, d.Stall), Total: cmp.Or(l.Total, d.Total), Memory: cmp.Or(l.Memory, d.Memory),
		Document: cmp.Or(l.Document, d.Document), Output: cmp.Or(l.Output, d.Output), Members: cmp.Or(l.Members, d.Members),
	}
}

// forSize gives the limits of a file of so many bytes.
func (l Limits) forSize(bytes int64) Limits {
	more := time.Duration(bytes/slowest) * time.Second
	l.Stall += more
	l.Total += 2 * more
	l.Output += 2 * bytes
	return l
}

// Lost is the error of a file whose reading had to be ended, or ended its process. The same file may well do so again.
type Lost struct{ Reason string } // one sentence

func (l *Lost) Error() string { return l.Reason }

// idleTime is how long a child without work stays.
const idleTime = 20 * time.Second

// Reader reads files in child processes, which it starts when they are needed. It is safe for concurrent use.
type Reader struct {
	options Options
	slots   chan struct{} // one for each file that may be read at a time
	large   sync.Mutex    // held while a large document comes in: one at a time

	mu     sync.Mutex
	idle   []*process // the one that rests shortest is the last
	closed bool
}

// New makes a Reader. It starts nothing yet.
func New(opt Options) *Reader {
	opt.Limits = opt.Limits.orDefault()
	return &Reader{options: opt, slots: make(chan struct{}, max(opt.Children, 1))}
}

// Close ends the children. No Read may be under way or come later.
func (r *Reader) Close() error {
	r.mu.Lock()
	idle := r.idle
	r.idle, r.closed = nil, true
	r.mu.Unlock()
	for _, p := range idle {
		p.end()
	}
	return nil
}

// Read reads a file as extract.Extractor.Read does, in a child. Its error is a *Lost where the child was lost with the
// file; the documents that each got before are whole.
func (r *Reader) Read(ctx context.Context, path string, each func(extract.Found) error) error {
	return r.with(ctx, path, func(p *process, limit Limits) error { return p.read(ctx, path, limit, each) })
}

// Pages draws pages of a file as extract.Extractor.Pages does, in a child. Its error is a *Lost where the child was lost
// with the file; the pages that each got before are whole.
func (r *Reader) Pages(ctx context.Context, path, member string, pages []int, size extract.Raster, each func(extract.Drawn) error) error {
	return r.with(ctx, path, func(p *process, limit Limits) error {
		limit.Total += time.Duration(len(pages)) * limit.Stall / pagesAtOnce
		limit.Output += int64(len(pages)) * bytesOfPage(size)
		return p.draw(ctx, path, drawing{Member: member, Pages: pages, Raster: size}, limit, each)
	})
}

// with gives use a child, and the limits of a file.
func (r *Reader) with(ctx context.Context, path string, use func(*process, Limits) error) error {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.slots }()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p, err := r.take(ctx)
	if err != nil {
		return err
	}
	var size int64
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	err = use(p, r.options.Limits.forSize(size))
	r.giveBack(p, err)
	return err
}

// Parallel is how many files are read at a time.
func (r *Reader) Parallel() int { return cap(r.slots) }

// take gives a child that waits for a file.
func (r *Reader) take(ctx context.Context) (*process, error) {
	for {
		p := r.rested()
		if p == nil {
			break
		}
		if p.wake() {
			return p, nil
		}
	}
	p, err := start(ctx, r.options, &r.large)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, domain.Errorf(domain.CodeInternal, "start Fanous again; if that does not help, install it again",
			"the program that reads files did not start: %w", err)
	}
	return p, nil
}

func (r *Reader) rested() *process {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.idle) - 1
	if last < 0 {
		return nil
	}
	p := r.idle[last]
	r.idle = r.idle[:last]
	return p
}

// giveBack keeps a child for the next file, or ends one that is in the middle of something or has had its time.
func (r *Reader) giveBack(p *process, err error) {
	if _, said := err.(*undrawn); err != nil && !said || p.spent {
		p.end()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		p.end()
		return
	}
	r.idle = append(r.idle, p)
	p.rest(func() { r.retire(p) })
}

// retire ends a child that has rested too long.
func (r *Reader) retire(p *process) {
	r.mu.Lock()
	at := slices.Index(r.idle, p)
	if at >= 0 {
		r.idle = slices.Delete(r.idle, at, at+1)
	}
	r.mu.Unlock()
	if at >= 0 {
		p.end()
	}
}

var (
	errDocument = errors.New("one document in it is larger than what is read of one")
	errOutput   = errors.New("there is more in it than what is read of a file of its size")
	errMembers  = errors.New("there are more documents in it than are read of one file")
)

// tooMuch gives the limit on what is said that an error comes from; nil: none.
func tooMuch(err error) error {
	for _, limit := range []error{errDocument, errOutput, errMembers} {
		if errors.Is(err, limit) {
			return limit
		}
	}
	return nil
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
