// Package onnx runs neural models: one loaded ONNX Runtime library, sessions over model files and
// the tokenizers that feed them. It is the only place where inference crosses into C.
//
// A Runtime owns the cores: every Run of every session takes one of its slots, so that indexing,
// embedding a query and reranking together never use more threads than there are cores.
package onnx

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"fanous/backend/domain"
)

// process guards what a process has only once: the dynamic library. It stays loaded until the
// process ends, because sessions of anyone may still use it.
var process struct {
	sync.Mutex
	runtime *Runtime
}

// Runtime is the loaded ONNX Runtime library. It is safe for concurrent use and needs no closing.
type Runtime struct {
	path    string
	version string
	slots   chan struct{} // a token each for the Runs under way

	prepared   prepared
	tokenizers sharedTokenizers
	preloading sync.Once
	preloaded  error
}

// Load loads the library at path, after checking that it is one this program can use. Loading the
// same path again gives the same Runtime; another path is an error, for a process has room for one.
func Load(path string) (*Runtime, error) {
	if path == "" {
		return nil, Check(path)
	}
	path, err := filepath.Abs(path) // a bare name would make the system search its own folders
	if err != nil {
		return nil, fmt.Errorf("the ONNX Runtime library: %w", err)
	}
	process.Lock()
	defer process.Unlock()
	if rt := process.runtime; rt != nil {
		if rt.path != path {
			return nil, domain.Errorf(domain.CodeLibraryInUse, "start the program again",
				"the ONNX Runtime library %s is already loaded, in place of %s", rt.path, path)
		}
		return rt, nil
	}
	if err := checkLibrary(path); err != nil {
		return nil, err
	}
	tuneHeap()
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return nil, domain.Errorf(domain.CodeLibraryFailed, reinstall, "the ONNX Runtime library %s cannot be used: %w", path, err)
	}
	// Only some builds collect anything; where there is nothing to turn off this fails, harmlessly.
	_ = ort.DisableTelemetry()
	process.runtime = &Runtime{
		path:    path,
		version: ort.GetVersion(),
		slots:   make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	return process.runtime, nil
}

// Version is the library's own, such as "1.32.0".
func (r *Runtime) Version() string { return r.version }

// Path is the absolute path of the library.
func (r *Runtime) Path() string { return r.path }

// Width is how many Runs go on at the same time.
func (r *Runtime) Width() int { return cap(r.slots) }

// Each calls do for 0 to n-1, starting them in that order, as many at a time as there are cores.
// The first error, or the end of ctx, keeps the rest from starting and cancels the context that the
// others were given; Each returns it when all that were started have returned.
func (r *Runtime) Each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	caller := ctx
	ctx, cancel := context.WithCancelCause(caller)
	defer cancel(nil)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		next    int
	)
	for range min(n, r.Width()) {
		workers.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	if ctx.Err() == nil {
		return nil
	}
	// The first error is the cause; those that stopping the others brought about are not.
	if err := context.Cause(ctx); err != context.Cause(caller) {
		return err
	}
	return caller.Err()
}

// acquire takes a place among those of slots; receiving from it gives the place back.
func acquire(ctx context.Context, slots chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err // select would choose at random
	}
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
