package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"fanous/backend/domain"
)

// maxPDFMemory is how much memory one PDF may take inside the WebAssembly sandbox, in its pages
// of 64 KiB: 1 GiB.
const maxPDFMemory = 1 << 30 >> 16

// pdfReader is pdfium inside a WebAssembly sandbox that sees neither files nor network.
type pdfReader struct {
	cacheDir string
	slots    chan struct{} // one for each PDF that may be read at a time

	sandboxes sandboxes
	memories  memories

	mu      sync.Mutex
	pool    pdfium.Pool // nil: not started
	cache   wazero.CompilationCache
	running int // files being read, those given up included
}

// start gives the sandboxes and counts one more file as running.
func (r *pdfReader) start() (pdfium.Pool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pool == nil {
		var err error
		if r.pool, err = r.newPool(); err != nil {
			return nil, fmt.Errorf("the PDF reader did not start: %w", err)
		}
	}
	r.running++
	return r.pool, nil
}

func (r *pdfReader) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
}

// newPool compiles pdfium, or takes it from the cache. A damaged cache is made anew; one that
// cannot be used only costs its time.
func (r *pdfReader) newPool() (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(maxPDFMemory)
	if r.cacheDir == "" {
		return r.initPDFium(config)
	}
	for range 2 {
		cache, err := wazero.NewCompilationCacheWithDir(r.cacheDir)
		if err != nil {
			break
		}
		pool, err := r.initPDFium(config.WithCompilationCache(cache))
		if err == nil {
			r.cache = cache
			return pool, nil
		}
		cache.Close(context.Background())
		written, err := os.ReadDir(r.cacheDir)
		if err != nil {
			break
		}
		for _, folder := range written { // one for each version of it
			if strings.HasPrefix(folder.Name(), "wazero-") {
				os.RemoveAll(filepath.Join(r.cacheDir, folder.Name()))
			}
		}
	}
	return r.initPDFium(config)
}

func (r *pdfReader) initPDFium(config wazero.RuntimeConfig) (pdfium.Pool, error) {
	return webassembly.Init(webassembly.Config{
		Context:       r.memories.allocating(r.sandboxes.listening(context.Background())),
		MaxTotal:      -1, // slots is the limit; a sandbox that never comes back must not take one
		FSConfig:      wazero.NewFSConfig(),
		RuntimeConfig: config,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
}

// close frees the sandboxes. While a file that was given up still runs they are left to the end
// of the process: its code cannot be taken away under it.
func (r *pdfReader) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	pool, cache := r.pool, r.cache
	r.pool, r.cache = nil, nil
	if pool == nil || r.running > 0 {
		return nil
	}
	err := pool.Close()
	if cache != nil {
		err = errors.Join(err, cache.Close(context.Background()))
	}
	return err
}

// read reads a PDF beside the caller, who is let go as soon as ctx ends: a call into the sandbox
// cannot be stopped (wazero's own way of stopping makes every call ten times slower). A file that
// keeps pdfium busy for ever then costs a core and its sandbox until the process ends; parsing in
// a child process is what ends that.
func (r *pdfReader) read(ctx context.Context, src source) (domain.Content, error) {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return domain.Content{}, ctx.Err()
	}
	defer func() { <-r.slots }()
	type result struct {
		content domain.Content
		err     error
	}
	finished := make(chan result, 1)
	go func() {
		var res result
		res.err = r.with(ctx, src, func(d *pdfDocument) (err error) {
			res.content, err = d.read()
			return err
		})
		finished <- res
	}()
	select {
	case res := <-finished:
		return res.content, res.err
	case <-ctx.Done():
		return domain.Content{}, ctx.Err()
	}
}

// with opens a PDF for use; its caller has a slot. A panic in it costs this file only.
func (r *pdfReader) with(ctx context.Context, src source, use func(*pdfDocument) error) (err error) {
	pool, err := r.start()
	if err != nil {
		return err
	}
	defer r.done()
	defer func() {
		if p := recover(); p != nil {
			err = damaged(p)
		}
	}()
	engine, module, err := r.sandboxes.open(ctx, pool)
	if err != nil {
		return fmt.Errorf("the PDF reader did not start: %w", err)
	}
	defer engine.Close()
	defer r.sandboxes.forget(module)
	opened, err := engine.OpenDocument(&requests.OpenDocument{FileReader: io.NewSectionReader(src, 0, src.size), FileReaderSize: src.size})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return ErrNeedsPassword
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return fmt.Errorf("%w, or is encrypted in a way that is not known", ErrNeedsPassword)
	case err != nil:
		return fmt.Errorf("the PDF is damaged: %w", err)
	}
	return use(&pdfDocument{ctx: ctx, engine: engine, ref: opened.Document, sandboxes: &r.sandboxes, module: module})
}

// pdfDocument is an open document.
type pdfDocument struct {
	ctx    context.Context
	engine pdfium.Pdfium
	ref    references.FPDF_DOCUMENT

	sandboxes *sandboxes
	module    api.Module
	calls     *textCalls // nil: no page's text was read yet
}

const (
	// maxPages is how many pages are read of one document.
	maxPages = 100_000
	// maxBadPages is after how many unreadable pages in a row the rest is given up: a damaged
	// file may claim any number of them.
	maxBadPages = 100
)

func (d *pdfDocument) read() (domain.Content, error) {
	count, err := d.engine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.ref})
	if err != nil {
		return domain.Content{}, fmt.Errorf("the PDF is damaged: %w", err)
	}
	content := domain.Content{Title: d.meta("Title"), Author: d.meta("Author"), Dated: d.dated()}
	var blocks []sizedBlock
	notes := map[int][]note{}
	var unread, empty []int // page numbers
	bad := 0
	for n := 1; n <= min(count.PageCount, maxPages); n++ {
		if err := d.ctx.Err(); err != nil {
			return domain.Content{}, err
		}
		page, err := d.page(n)
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
	content.Blocks = withNotes(withHeadings(dropRunning(blocks, min(count.PageCount, maxPages))), notes)
	underBookmarks(content.Blocks, d.bookmarks())
	return content, nil
}

func (d *pdfDocument) page(number int) (pageText, error) {
	page, err := d.engine.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.ref, Index: number - 1})
	if err != nil {
		return pageText{}, err
	}
	defer d.engine.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: page.Page})
	reference := requests.Page{ByReference: &page.Page}
	text, err := d.shows(reference)
	if err != nil {
		return pageText{}, err
	}
	if objects, err := d.engine.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: reference}); err == nil {
		text.drawn = objects.Count > 0
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
	m, err := d.engine.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: d.ref, Tag: tag})
	if err != nil {
		return ""
	}
	return strings.TrimSpace(m.Value)
}
