package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	parallel int

	mu    sync.Mutex
	pool  pdfium.Pool // nil: not started
	cache wazero.CompilationCache
}

func (r *pdfReader) start() (pdfium.Pool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pool != nil {
		return r.pool, nil
	}
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(maxPDFMemory).
		WithCloseOnContextDone(true)
	if r.cacheDir != "" && r.cache == nil {
		cache, err := wazero.NewCompilationCacheWithDir(r.cacheDir)
		if err != nil {
			return nil, fmt.Errorf("the folder for the compiled PDF reader cannot be used: %w", err)
		}
		r.cache = cache
	}
	if r.cache != nil {
		config = config.WithCompilationCache(r.cache)
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxIdle:       r.parallel,
		MaxTotal:      r.parallel,
		FSConfig:      wazero.NewFSConfig(),
		RuntimeConfig: config,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("the PDF reader did not start: %w", err)
	}
	r.pool = pool
	return pool, nil
}

func (r *pdfReader) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	if r.pool != nil {
		err = r.pool.Close()
		r.pool = nil
	}
	if r.cache != nil {
		err = errors.Join(err, r.cache.Close(context.Background()))
		r.cache = nil
	}
	return err
}

func (r *pdfReader) read(ctx context.Context, src source) (domain.Content, error) {
	pool, err := r.start()
	if err != nil {
		return domain.Content{}, err
	}
	engine, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return domain.Content{}, fmt.Errorf("the PDF reader did not start: %w", err)
	}
	defer engine.Close()
	opened, err := engine.OpenDocument(&requests.OpenDocument{FileReader: src.File, FileReaderSize: src.size})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return domain.Content{}, ErrNeedsPassword
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return domain.Content{}, fmt.Errorf("%w, or is encrypted in a way that is not known", ErrNeedsPassword)
	case err != nil:
		return domain.Content{}, fmt.Errorf("the PDF is damaged: %w", err)
	}
	d := pdfDocument{ctx: ctx, engine: engine, ref: opened.Document}
	return d.read()
}

type pdfDocument struct {
	ctx    context.Context
	engine pdfium.Pdfium
	ref    references.FPDF_DOCUMENT
}

func (d *pdfDocument) read() (domain.Content, error) {
	count, err := d.engine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.ref})
	if err != nil {
		return domain.Content{}, fmt.Errorf("the PDF is damaged: %w", err)
	}
	content := domain.Content{Title: d.meta("Title"), Author: d.meta("Author")}
	for i := range count.PageCount {
		if err := d.ctx.Err(); err != nil {
			return domain.Content{}, err
		}
		page, err := d.engine.GetPageText(&requests.GetPageText{Page: requests.Page{
			ByIndex: &requests.PageByIndex{Document: d.ref, Index: i}}})
		if err != nil {
			content.Warnings = append(content.Warnings, fmt.Sprintf("page %d could not be read", i+1))
			continue
		}
		if text := strings.TrimSpace(strings.ReplaceAll(page.Text, "\r\n", "\n")); text != "" {
			content.Blocks = append(content.Blocks, domain.Block{Text: text, Place: domain.Place{Page: i + 1}})
		}
	}
	return content, nil
}

func (d *pdfDocument) meta(tag string) string {
	m, err := d.engine.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: d.ref, Tag: tag})
	if err != nil {
		return ""
	}
	return strings.TrimSpace(m.Value)
}
