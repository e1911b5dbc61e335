package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fanous/backend/domain"
	"fanous/backend/extract/pdfium"
)

// pdfMemory is how many bytes pdfium may take for one PDF.
const pdfMemory = 1 << 30

// pdfReader reads PDF files with pdfium.
type pdfReader struct {
	memory int64
	slots  chan struct{} // one for each PDF that may be read at a time

	mu      sync.Mutex
	library *pdfium.Library // nil: not started
	running int             // files being read, those given up included
}

// start gives pdfium and counts one more file as running.
func (r *pdfReader) start() (*pdfium.Library, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.library == nil {
		var err error
		if r.library, err = pdfium.Load(r.memory); err != nil {
			return nil, fmt.Errorf("the PDF reader did not start: %w", err)
		}
	}
	r.running++
	return r.library, nil
}

func (r *pdfReader) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
}

// held is how many bytes of memory pdfium has for the files that are being read.
func (r *pdfReader) held() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.library == nil {
		return 0
	}
	return r.library.Held()
}

// close frees pdfium. While a file that was given up still runs it is left to the end of the process: its code cannot be
// taken away under it.
func (r *pdfReader) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.library != nil && r.running == 0 {
		r.library.Close()
	}
	r.library = nil
}

// read reads a PDF beside the caller, who is let go as soon as ctx ends: a call into the sandbox
// cannot be stopped. A file that keeps pdfium busy for ever then costs a core and its sandbox until the
// process ends; parsing in a child process is what ends that.
func (r *pdfReader) read(ctx context.Context, src source) (domain.Content, []attachment, error) {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return domain.Content{}, nil, ctx.Err()
	}
	defer func() { <-r.slots }()
	type result struct {
		content  domain.Content
		attached []attachment
		err      error
	}
	finished := make(chan result, 1)
	go func() {
		var res result
		res.err = r.with(ctx, src, func(d *pdfDocument) (err error) {
			res.content, err = d.read()
			res.attached = d.attached
			if d.WantedMore() {
				lacked := fmt.Errorf("reading it takes more memory than the %d MiB that a file may take", r.memory>>20)
				if err != nil {
					return lacked
				}
				res.content.Warnings = append(res.content.Warnings, lacked.Error())
			}
			return err
		})
		finished <- res
	}()
	select {
	case res := <-finished:
		return res.content, res.attached, res.err
	case <-ctx.Done():
		return domain.Content{}, nil, ctx.Err()
	}
}

// with opens a PDF for use; its caller has a slot. A panic in it costs this file only.
func (r *pdfReader) with(ctx context.Context, src source, use func(*pdfDocument) error) (err error) {
	library, err := r.start()
	if err != nil {
		return err
	}
	defer r.done()
	defer func() {
		if p := recover(); p != nil {
			err = damaged(p)
		}
	}()
	opened, err := library.Open(src, src.size)
	switch {
	case errors.Is(err, pdfium.ErrPassword):
		return ErrNeedsPassword
	case errors.Is(err, pdfium.ErrEncryption):
		return fmt.Errorf("%w, or is encrypted in a way that is not known", ErrNeedsPassword)
	case err != nil:
		return fmt.Errorf("the PDF is damaged: %w", err)
	}
	defer opened.Close()
	return use(&pdfDocument{ctx: ctx, Document: opened})
}

// pdfDocument is an open document.
type pdfDocument struct {
	ctx context.Context
	*pdfium.Document

	attached []attachment // files within it that were met so far
	bytes    int          // of all of them
	left     []string     // warnings about those that were left out
}

const (
	// maxPages is how many pages are read of one document.
	maxPages = 100_000
	// maxBadPages is after how many unreadable pages in a row the rest is given up: a damaged
	// file may claim any number of them.
	maxBadPages = 100
)

func (d *pdfDocument) read() (domain.Content, error) {
	count, err := d.PageCount()
	if err != nil {
		return domain.Content{}, fmt.Errorf("the PDF is damaged: %w", err)
	}
	content := domain.Content{Title: d.meta("Title"), Author: d.meta("Author"), Dated: d.dated()}
	var blocks []sizedBlock
	notes := map[int][]note{}
	var unread, empty []int // page numbers
	bad := 0
	for n := 1; n <= min(count, maxPages); n++ {
		if err := d.ctx.Err(); err != nil {
			return domain.Content{}, err
		}
		page, err := d.shown(n)
		if err != nil {
			unread = append(unread, n)
			if bad++; bad == maxBadPages {
				content.Warnings = append(content.Warnings, fmt.Sprintf("the pages from %d on could not be read", n-bad+1))
				unread = unread[:len(unread)-bad]
				break
			}
			continue
		}
		bad = 0
		found := page.blocks(n)
		switch {
		case page.unreliable():
			content.Unreliable = append(content.Unreliable, n)
		case len(found) == 0:
			empty = append(empty, n)
			if page.drawn {
				content.Images = append(content.Images, n)
			}
		}
		blocks = append(blocks, found...)
		if len(page.notes) > 0 {
			notes[n] = page.notes
		}
	}
	if len(blocks) == 0 && len(unread) > 0 {
		return domain.Content{}, errors.New("the PDF is damaged: none of its pages could be read")
	}
	for _, w := range []struct {
		pages []int
		text  string
	}{{content.Unreliable, TextUnreliable}, {empty, "no text"}, {unread, "could not be read"}} {
		content.Warnings = append(content.Warnings, PageWarnings(w.pages, w.text)...)
	}
	d.attach()
	content.Warnings = append(content.Warnings, d.left...)
	content.Blocks = withNotes(withHeadings(dropRunning(blocks, min(count, maxPages))), notes)
	underBookmarks(content.Blocks, d.bookmarks())
	return content, nil
}

// shown reads what a page shows.
func (d *pdfDocument) shown(number int) (pageText, error) {
	page, err := d.Page(number - 1)
	if err != nil {
		return pageText{}, err
	}
	defer page.Close()
	text, err := d.shows(page)
	if err != nil {
		return pageText{}, err
	}
	if objects, err := page.CountObjects(); err == nil {
		text.drawn = objects > 0
	}
	return text, nil
}

// withHeadings makes headings of the blocks whose size says so and puts every block under its own.
func withHeadings(blocks []sizedBlock) []domain.Block {
	levels := headings(blocks)
	plain := make([]domain.Block, len(blocks))
	for i := range blocks {
		plain[i] = blocks[i].Block
	}
	resolveHyphens(plain)
	var out outline
	for i, b := range plain {
		level := slices.Index(levels, round(blocks[i].size)) + 1
		if level > 0 && blocks[i].mayHead {
			out.heading(level, b.Text, b.Place)
		} else {
			out.add(b.Kind, b.Text, b.Place)
		}
	}
	return out.blocks
}

// TextUnreliable is what PageWarnings says of pages whose text is not to be trusted.
const TextUnreliable = "text unreliable"

// PageWarnings says one thing of several pages, in order; runs of pages are put together.
func PageWarnings(pages []int, text string) []string {
	var out []string
	for i := 0; i < len(pages); {
		last := i
		for last+1 < len(pages) && pages[last+1] == pages[last]+1 {
			last++
		}
		if last == i {
			out = append(out, fmt.Sprintf("page %d: %s", pages[i], text))
		} else {
			out = append(out, fmt.Sprintf("pages %d to %d: %s", pages[i], pages[last], text))
		}
		i = last + 1
	}
	return out
}

func (d *pdfDocument) meta(tag string) string {
	text, err := d.Meta(tag)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(text)
}
