// Package pipeline holds the two flows of Fanous: from files to an index (ingest) and from a query to
// explained results (search).
package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"fanous/backend/chunk"
	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/extract"
	"fanous/backend/language"
	"fanous/backend/store"
)

const (
	// chunkTokens is the size that chunks are packed to; decisions/chunking.md has the measurement.
	chunkTokens = 200
	// batchChunks is how many chunks are stored in one transaction: what is stored is acknowledged.
	batchChunks = 1000
	// embedBatch is how many passages are embedded between two acknowledgements.
	embedBatch = 32
	// tokensPerWord stands in for the tokenizer where no embedder is installed.
	tokensPerWord = 4.0 / 3
)

// Ingest brings collections up to date with their files. The files are only read.
type Ingest struct {
	Store     *store.Store
	Extractor *extract.Extractor
	// Embedder is nil where there is none: documents are then stored for keyword search, and the first
	// run that has one embeds them.
	Embedder *embed.Embedder
	// NoEmbedder is why Embedder is nil, one plain sentence.
	NoEmbedder string
	// Chunker names the cut where it is not the program's own, which follows from the embedder.
	Chunker string
}

// Run indexes what is new or changed in the collection and drops what is gone. It goes through the
// files twice: it reads them all, so that keyword search has them at once, and then embeds what has no
// vector yet. Every batch that was stored stays, however the run ends; a cancelled run is no error.
func (in *Ingest) Run(ctx context.Context, c domain.Collection, progress func(domain.IndexProgress)) (domain.IndexReport, error) {
	if progress == nil {
		progress = func(domain.IndexProgress) {}
	}
	start := time.Now()
	w, err := in.Store.Writer(ctx)
	if err != nil {
		return domain.IndexReport{}, err
	}
	defer w.Close()
	r := &ingestRun{
		Ingest: in, w: w, collection: c, tell: progress,
		report: domain.IndexReport{Collection: c.Name, Problems: []domain.FileProblem{}, Degraded: []string{}},
	}
	err = r.run(ctx)
	r.report.Elapsed = time.Since(start)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		r.report.Canceled, err = true, nil
	}
	r.state.Phase = domain.PhaseDone
	r.tell(r.state)
	return r.report, err
}

// ingestRun is the state of one Run.
type ingestRun struct {
	*Ingest
	w          *store.Writer
	collection domain.Collection
	tell       func(domain.IndexProgress)
	state      domain.IndexProgress
	report     domain.IndexReport
}

func (r *ingestRun) run(ctx context.Context) error {
	rechunk, err := r.stamp(ctx)
	if err != nil {
		return err
	}
	r.state.Phase = domain.PhaseScan
	found, err := walk(ctx, r.collection.Roots, func(n int) {
		r.state.Files = n
		r.tell(r.state)
	})
	if err != nil {
		return err
	}
	r.report.Problems = append(r.report.Problems, found.problems...)
	stored, err := r.Store.Files(ctx, r.collection.ID)
	if err != nil {
		return err
	}
	if err := r.drop(ctx, found, stored); err != nil {
		return err
	}
	todo := r.changed(found.files, stored, rechunk)
	if err := r.read(ctx, todo, stored, rechunk); err != nil {
		return err
	}
	if rechunk {
		if err := r.w.SetStamp(ctx, store.Stamp{Chunker: r.chunker()}); err != nil {
			return err
		}
	}
	return r.embed(ctx)
}

// stamp compares the index with this program and rebuilds what another version made. It says whether
// every document must be cut again.
func (r *ingestRun) stamp(ctx context.Context) (rechunk bool, err error) {
	want := store.Stamp{Analyser: language.Version, Chunker: r.chunker()}
	if r.Embedder != nil {
		want.Embedder, want.Dim = r.Embedder.Digest()+"/"+passageForm, r.Embedder.Dim()
	} else {
		r.report.Degraded = append(r.report.Degraded, r.NoEmbedder+" Keyword search has everything; index again to add semantic search.")
	}
	diff, err := r.Store.CheckStamp(ctx, want)
	if err != nil {
		return false, err
	}
	if diff.Lexical {
		if err := r.w.RebuildTerms(ctx, want.Analyser); err != nil {
			return false, err
		}
	}
	if diff.Vectors {
		if err := r.w.DropVectors(ctx, want.Embedder, want.Dim); err != nil {
			return false, err
		}
	}
	if diff.Chunking {
		want.Chunker = "" // stamped when every document has been cut again
	}
	return diff.Chunking, r.w.SetStamp(ctx, want)
}

// chunker names the cut: chunks of another name are made again.
func (r *ingestRun) chunker() string {
	if r.Chunker != "" {
		return r.Chunker
	}
	if r.Embedder == nil {
		return "" // a stand-in count is no reason to cut anything again
	}
	return fmt.Sprintf("%s/%d tokens", chunk.Version, chunkTokens)
}

// drop removes the documents whose files are gone. What stands below a folder that cannot be read now
// is kept: an unplugged drive is not a deletion.
func (r *ingestRun) drop(ctx context.Context, found *scan, stored map[string]domain.Document) error {
	present := make(map[string]bool, len(found.files))
	for _, f := range found.files {
		present[f.path] = true
	}
	var gone []int64
	for path, doc := range stored {
		if !present[path] && !found.covers(path) {
			gone = append(gone, doc.ID)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if err := r.w.Delete(ctx, gone...); err != nil {
		return err
	}
	r.report.Removed = len(gone)
	return nil
}

// changed lists the files whose size or time differ from the index, or that failed last time.
func (r *ingestRun) changed(files []file, stored map[string]domain.Document, all bool) []file {
	var todo []file
	for _, f := range files {
		doc, known := stored[f.path]
		if !all && known && doc.Size == f.size && doc.ModTime.Equal(f.modTime) && doc.State != domain.StateFailed {
			r.report.Unchanged++
			continue
		}
		todo = append(todo, f)
	}
	return todo
}

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
		if res.err != nil {
			return res.err
		}
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
	touched bool  // only its size or time changed
	err     error // ends the run; what is wrong with one file is in its document instead
}

// extractAll works on as many files at once as there are cores and closes the channel when all are done
// or ctx ends.
func (r *ingestRun) extractAll(ctx context.Context, todo []file, stored map[string]domain.Document, all bool) <-chan extracted {
	jobs := make(chan file)
	out := make(chan extracted)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for f := range jobs {
				old, known := stored[f.path]
				res := r.extract(ctx, f, old, known && !all)
				if ctx.Err() != nil {
					return
				}
				select {
				case out <- res:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		defer close(out)
		defer workers.Wait()
		defer close(jobs)
		for _, f := range todo {
			select {
			case jobs <- f:
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
	for _, c := range chunk.Split(content.Blocks, chunk.Options{MaxTokens: chunkTokens, Count: r.countTokens()}) {
		rows.Chunks = append(rows.Chunks, store.ChunkRow{Chunk: c})
	}
	if len(rows.Chunks) == 0 {
		rows.State, rows.Reason = stateOf(extract.ErrNoText)
	}
	return rows
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

// embed gives a vector to every passage that has none.
func (r *ingestRun) embed(ctx context.Context) error {
	if r.Embedder == nil {
		return nil
	}
	missing, err := r.Store.CountMissingVectors(ctx, r.collection.ID)
	if err != nil || missing == 0 {
		return err
	}
	r.state.Phase, r.state.ToEmbed, r.state.Current = domain.PhaseEmbed, missing, ""
	r.state.Rate, r.state.Remaining = 0, 0
	r.tell(r.state)
	clock := newClock(missing)
	for after := int64(0); ; {
		missing, err := r.Store.MissingVectors(ctx, r.collection.ID, after, embedBatch)
		if err != nil || len(missing) == 0 {
			return err
		}
		ids := make([]int64, len(missing))
		for i, c := range missing {
			ids[i] = c.ID
		}
		passages, err := r.Store.Passages(ctx, ids)
		if err != nil {
			return err
		}
		texts := make([]string, len(passages))
		for i, p := range passages {
			texts[i] = passageText(p)
		}
		vectors, err := r.Embedder.Passages(ctx, texts)
		if err != nil {
			return err
		}
		byID := make(map[int64][]float32, len(passages))
		for i, p := range passages {
			byID[p.Chunk.ID] = vectors[i]
		}
		if err := r.w.PutVectors(context.WithoutCancel(ctx), r.collection.ID, byID); err != nil {
			return err
		}
		after = ids[len(ids)-1]
		r.state.Embedded += len(passages)
		r.state.Rate, r.state.Remaining = clock.at(r.state.Embedded)
		r.tell(r.state)
	}
}

// clock turns work done into a rate and the time left.
type clock struct {
	start time.Time
	total int
}

func newClock(total int) clock { return clock{time.Now(), total} }

// at gives units a second since the start and the time left; 0 where nothing can be said yet.
func (c clock) at(done int) (rate float64, remaining time.Duration) {
	elapsed := time.Since(c.start).Seconds()
	if done == 0 || elapsed == 0 {
		return 0, 0
	}
	rate = float64(done) / elapsed
	return rate, time.Duration(float64(c.total-done) / rate * float64(time.Second))
}
