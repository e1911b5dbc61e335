// Package pipeline holds the two flows of Fanous: from files to an index (ingest) and from a query to
// explained results (search).
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fanous/backend/chunk"
	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/extract"
	"fanous/backend/language"
	"fanous/backend/store"
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
	// ChunkTokens is the most tokens of a chunk; 0: the program's own choice.
	ChunkTokens int
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

// changed lists the files whose size or time differ from the index, or that could not be opened last time: the others
// that failed, and those in quarantine, would do so again.
func (r *ingestRun) changed(files []file, stored map[string]domain.Document, all bool) []file {
	var todo []file
	for _, f := range files {
		doc, known := stored[f.path]
		if !all && known && doc.Size == f.size && doc.ModTime.Equal(f.modTime) && settled(doc) {
			r.report.Unchanged++
			continue
		}
		todo = append(todo, f)
	}
	return todo
}
