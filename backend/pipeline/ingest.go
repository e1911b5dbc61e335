// Package pipeline holds the two flows of Fanous: from files to an index (ingest) and from a query to
// explained results (search).
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"fanous/backend/chunk"
	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/extract"
	"fanous/backend/language"
	"fanous/backend/store"
	"fanous/backend/tree"
)

const (
	// defaultChunkTokens is the size that chunks are packed to; decisions/chunking.md has the measurement.
	defaultChunkTokens = 200
	// batchChunks is how many chunks are stored in one transaction: what is stored is acknowledged.
	batchChunks = 1000
	// embedBatch is how many passages are embedded between two acknowledgements.
	embedBatch = 32
	// tokensPerWord stands in for the tokenizer where no embedder is installed.
	tokensPerWord = 4.0 / 3
)

// Reader reads files: reader.Reader in children, extract.Extractor in this process. See extract.Extractor.Read for what
// both promise; only the error of one that can lose a child may be a *reader.Lost.
type Reader interface {
	Read(ctx context.Context, path string, each func(extract.Found) error) error
	// Parallel is how many files it reads at a time; one more would wait for one of them.
	Parallel() int
}

// Ingest brings collections up to date with their files. The files are only read.
type Ingest struct {
	Store  *store.Store
	Reader Reader
	// Embedder is nil where there is none: documents are then stored for keyword search, and the first
	// run that has one embeds them.
	Embedder *embed.Embedder
	// NoEmbedder is why Embedder is nil, one plain sentence.
	NoEmbedder string
	// OCR reads the text in pictures; nil: they wait for a run that has one.
	OCR *Recognition
	// NoOCR is why OCR is nil, one plain sentence; empty: because somebody wants it so, of which nothing is said.
	NoOCR string
	// ChunkTokens is the most tokens of a chunk; 0: the program's own choice.
	ChunkTokens int
	// Retry has files read again that failed or are in quarantine, though they have not changed.
	Retry bool
	// Again are files that are read again though they have not changed; Rebuild has all of them read again.
	Again   []string
	Rebuild bool
	// Hold is called before work that can wait, a batch at a time, and returns when it may be done. It says why it waits,
	// with one plain sentence. nil: nothing waits.
	Hold func(ctx context.Context, waiting func(reason string)) error
	// Chunker names the cut where it is not the program's own, which follows from the embedder.
	Chunker string
}

// Run indexes what is new or changed in the collection and drops what is gone. It goes through the
// files more than once: it reads them all, so that keyword search has them at once, then embeds what has no
// vector yet, and at last reads what their pictures say, and embeds that. Every batch that was stored stays,
// however the run ends; a cancelled run is no error.
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
	if err = r.run(ctx); err == nil {
		err = w.MarkUpdated(ctx, c.ID, time.Now())
	}
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
	found, err := tree.Walk(ctx, r.collection.Roots, r.collection.Settings, func(n int) {
		r.state.Files = n
		r.tell(r.state)
	})
	if err != nil {
		return err
	}
	r.report.Folders = found.Folders
	stored, err := r.Store.Files(ctx, r.collection.ID)
	if err != nil {
		return err
	}
	found.Keep(maps.Keys(stored))
	if err := r.reconcile(ctx, found, stored); err != nil {
		return err
	}
	if err := r.read(ctx, r.changed(found.Files, stored), stored); err != nil {
		return err
	}
	if rechunk {
		if err := r.w.SetStamp(ctx, store.Stamp{Chunker: r.chunker()}); err != nil {
			return err
		}
	}
	if err := r.embed(ctx); err != nil {
		return err
	}
	more, err := r.recognise(ctx)
	if err != nil || !more {
		return err
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

// chunker names how text is read and cut: chunks of another name are made again.
func (r *ingestRun) chunker() string {
	if r.Chunker != "" {
		return r.Chunker
	}
	if r.Embedder == nil {
		return "" // a stand-in count is no reason to cut anything again
	}
	return fmt.Sprintf("%s/%s/%d tokens", extract.Version, chunk.Version, r.chunkTokens())
}

// changed lists the files whose size or time differ from the index, that could not be opened last time, or that are to be
// read again: the others that failed, and those in quarantine, would do so again.
func (r *ingestRun) changed(files []tree.File, stored map[string]domain.Document) []tree.File {
	var todo []tree.File
	for _, f := range files {
		doc, known := stored[f.Path]
		if known && doc.Size == f.Size && doc.ModTime.Equal(f.ModTime) && settled(doc) && !r.again(doc) {
			r.report.Unchanged++
			continue
		}
		todo = append(todo, f)
	}
	return todo
}

// again says whether a document is read again though its file has not changed: another program cut it, or somebody asks
// for another try. What ended its reader is tried again only where somebody asks.
func (r *ingestRun) again(doc domain.Document) bool {
	if r.Rebuild || slices.Contains(r.Again, doc.Path) {
		return true
	}
	if doc.State == domain.StateQuarantined {
		return r.Retry
	}
	return r.Retry && doc.State == domain.StateFailed || doc.Cut != "" && r.chunker() != "" && doc.Cut != r.chunker()
}
