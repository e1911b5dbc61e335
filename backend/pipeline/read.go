package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"fanous/backend/chunk"
	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/store"
)

// read extracts, cuts and stores files, several at a time.
func (r *ingestRun) read(ctx context.Context, todo []file, stored map[string]domain.Document, all bool) error {
	r.state.Phase, r.state.Files, r.state.Done = domain.PhaseRead, len(todo), 0
	clock := newClock(len(todo))
	work, stop := context.WithCancel(ctx)
	defer stop()
	results := r.extractAll(work, todo, stored, all)
	var batch []store.DocumentRows
	chunks := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		// What was read is stored even when the run has just been cancelled.
		if err := r.w.Put(context.WithoutCancel(ctx), batch...); err != nil {
			return err
		}
		r.state.Chunks += chunks
		r.report.Chunks += chunks
		batch, chunks = batch[:0], 0
		return nil
	}
	for res := range results {
		r.state.Done++
		r.state.Current = res.doc.Path
		r.state.Rate, r.state.Remaining = clock.at(r.state.Done)
		if res.touched {
			r.report.Unchanged++
			if err := r.w.Touch(ctx, res.doc.ID, res.doc.Size, res.doc.ModTime); err != nil {
				return err
			}
		} else {
			r.count(res.doc.Document)
			batch = append(batch, res.doc)
			if chunks += len(res.doc.Chunks); chunks >= batchChunks {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		r.tell(r.state)
	}
	if err := flush(); err != nil {
		return err
	}
	return ctx.Err()
}

func (r *ingestRun) count(doc domain.Document) {
	if doc.State == domain.StateIndexed {
		r.report.Indexed++
		return
	}
	r.report.NotIndexed++
	r.report.Problems = append(r.report.Problems, domain.FileProblem{Path: doc.Path, State: doc.State, Reason: doc.Reason})
}

// extracted is one file's way through extraction.
type extracted struct {
	doc     store.DocumentRows
	touched bool // only its size or time changed
}

// extractAll works on as many files at once as there are cores and gives the results in the order of the
// files, so that the same folder always makes the same index. It closes the channel when all are done or
// ctx ends.
func (r *ingestRun) extractAll(ctx context.Context, todo []file, stored map[string]domain.Document, all bool) <-chan extracted {
	type job struct {
		file
		result chan extracted
	}
	cores := runtime.GOMAXPROCS(0)
	jobs := make(chan job)
	queue := make(chan job, 4*cores) // how far the others go on while one file takes long
	out := make(chan extracted)
	var workers sync.WaitGroup
	for range cores {
		workers.Go(func() {
			for j := range jobs {
				old, known := stored[j.path]
				j.result <- r.extract(ctx, j.file, old, known && !all)
			}
		})
	}
	go func() {
		defer close(queue)
		defer close(jobs)
		for _, f := range todo {
			j := job{f, make(chan extracted, 1)}
			for _, to := range []chan job{queue, jobs} {
				select {
				case to <- j:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	go func() {
		defer close(out)
		defer workers.Wait() // nobody reads a file once the channel is closed
		for j := range queue {
			var res extracted
			select {
			case res = <-j.result:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				return // a file that was given up is no failed file
			}
			select {
			case out <- res:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (r *ingestRun) extract(ctx context.Context, f file, old domain.Document, mayTouch bool) extracted {
	doc := domain.Document{
		CollectionID: r.collection.ID, Path: f.path, Title: titleOf(f.path),
		Size: f.size, ModTime: f.modTime, State: domain.StateIndexed,
	}
	var err error
	if doc.Hash, err = hashFile(f.path); err != nil {
		doc.State, doc.Reason = stateOf(err)
		return extracted{doc: store.DocumentRows{Document: doc}}
	}
	if mayTouch && doc.Hash == old.Hash && old.State != domain.StateFailed {
		doc.ID = old.ID
		return extracted{doc: store.DocumentRows{Document: doc}, touched: true}
	}
	content, err := r.Extractor.Extract(ctx, f.path)
	doc.Format, doc.Author = content.Format, content.Author
	if content.Title != "" {
		doc.Title = content.Title
	}
	if err != nil {
		doc.State, doc.Reason = stateOf(err)
		return extracted{doc: store.DocumentRows{Document: doc}}
	}
	doc.Reason = strings.Join(content.Warnings, "; ")
	return extracted{doc: r.cut(doc, content)}
}

// cut makes the chunks of a document.
func (r *ingestRun) cut(doc domain.Document, content domain.Content) store.DocumentRows {
	rows := store.DocumentRows{Document: doc}
	for _, c := range chunk.Split(content.Blocks, chunk.Options{MaxTokens: r.chunkTokens(), Count: r.countTokens()}) {
		rows.Chunks = append(rows.Chunks, store.ChunkRow{Chunk: c})
	}
	if len(rows.Chunks) == 0 {
		rows.State, rows.Reason = stateOf(extract.ErrNoText)
	}
	return rows
}

func (r *ingestRun) chunkTokens() int {
	if r.ChunkTokens > 0 {
		return r.ChunkTokens
	}
	return defaultChunkTokens
}

func (r *ingestRun) countTokens() func(string) int {
	if r.Embedder != nil {
		return r.Embedder.CountTokens
	}
	return func(text string) int {
		return int(math.Ceil(float64(len(strings.Fields(text))) * tokensPerWord))
	}
}

func titleOf(path string) string {
	base := filepath.Base(path)
	if title := strings.TrimSuffix(base, filepath.Ext(base)); title != "" {
		return title
	}
	return base
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// stateOf says where a file with this error ends, and why.
func stateOf(err error) (domain.DocumentState, string) {
	state := domain.StateFailed
	switch {
	case errors.Is(err, extract.ErrNoText):
		state = domain.StateNoText
	case errors.Is(err, extract.ErrNeedsPassword):
		state = domain.StateNeedsPassword
	case errors.Is(err, extract.ErrUnsupported):
		state = domain.StateUnsupported
	}
	return state, err.Error()
}
