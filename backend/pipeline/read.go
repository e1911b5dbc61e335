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
	"strings"
	"sync"
	"unicode"

	"fanous/backend/chunk"
	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/reader"
	"fanous/backend/store"
	"fanous/backend/tree"
)

// read extracts, cuts and stores files, several at a time.
func (r *ingestRun) read(ctx context.Context, todo []tree.File, stored map[string]domain.Document) error {
	r.state.Phase, r.state.Files, r.state.Done = domain.PhaseRead, len(todo), 0
	clock := newClock(len(todo))
	work, stop := context.WithCancel(ctx)
	defer stop()
	results, failed := r.extractAll(work, todo, stored)
	storing := storing{run: r}
	defer storing.wait() // nobody writes once the run has ended
	for res := range results {
		if res.doc.Member == "" {
			r.state.Done++
		}
		r.state.Current = res.doc.Path
		r.state.Rate, r.state.Remaining = clock.at(r.state.Done)
		switch {
		case res.touched:
			r.report.Unchanged++
			if err := r.w.Touch(ctx, res.doc.ID, res.doc.Size, res.doc.ModTime); err != nil {
				return err
			}
		case res.kept:
			r.count(res.doc.Document)
		default:
			r.count(res.doc.Document)
			if err := storing.add(ctx, res.doc); err != nil {
				return err
			}
		}
		r.tell(r.state)
	}
	if err := storing.flush(ctx); err != nil {
		return err
	}
	if err := storing.wait(); err != nil {
		return err
	}
	return errors.Join(ctx.Err(), failed())
}

// storing stores documents in batches, one while the next is read.
type storing struct {
	run    *ingestRun
	batch  []store.DocumentRows
	chunks int          // of the batch
	done   <-chan error // of the batch that is being stored; nil: none is
	sent   int          // chunks of that one
}

func (s *storing) add(ctx context.Context, doc store.DocumentRows) error {
	s.batch = append(s.batch, doc)
	if s.chunks += len(doc.Chunks); s.chunks+len(s.batch) < batchChunks { // files without text are acknowledged, too
		return nil
	}
	return s.flush(ctx)
}

// flush begins to store what has been added.
func (s *storing) flush(ctx context.Context) error {
	if err := s.wait(); err != nil || len(s.batch) == 0 {
		return err
	}
	done := make(chan error, 1)
	batch := s.batch
	// What was read is stored even when the run has just been cancelled.
	go func() { done <- s.run.w.Put(context.WithoutCancel(ctx), batch...) }()
	s.done, s.sent = done, s.chunks
	s.batch, s.chunks = nil, 0
	return nil
}

// wait waits until what flush began is stored.
func (s *storing) wait() error {
	if s.done == nil {
		return nil
	}
	err := <-s.done
	s.done = nil
	if err == nil {
		s.run.state.Chunks += s.sent
		s.run.report.Chunks += s.sent
	}
	return err
}

func (r *ingestRun) count(doc domain.Document) {
	switch doc.State {
	case domain.StateIndexed:
		r.report.Indexed++
		return
	case domain.StateContainer:
		return // its members are what can be searched
	}
	r.report.NotIndexed++
	r.report.Problems = append(r.report.Problems, domain.FileProblem{Path: placeOf(doc), State: doc.State, Reason: doc.Reason})
}

// extracted is what came of a file, or of a member of it.
type extracted struct {
	doc     store.DocumentRows
	touched bool // only its size or time changed
	kept    bool // it could not be read this time: what is stored stays
}

// maxWaiting is how much text a document may have that waits for its turn apart from the worker that read it, in bytes:
// with a larger one its worker waits. So what is held does not grow with the size of the files.
const maxWaiting = 1 << 20

// job is a file to read. What comes of it goes into results, which are closed after the last; turn is closed when they
// are taken out.
type job struct {
	tree.File
	results chan extracted
	turn    chan struct{}
	room    []byte // its worker's, for reading
}

func newJob(f tree.File) job {
	return job{File: f, results: make(chan extracted, 2), turn: make(chan struct{})}
}

// give hands on a document when there is room for it.
func (j job) give(ctx context.Context, e extracted) error {
	text := 0
	for i := range e.doc.Chunks {
		text += len(e.doc.Chunks[i].Text)
	}
	if text > maxWaiting {
		select {
		case <-j.turn:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case j.results <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// extractAll works on several files at once and gives what comes of them in the order of the files,
// of each file its members first, so that the same folder always makes the same index. It closes the channel when all
// are done or ctx ends, after which failed says whether and why they could not be.
func (r *ingestRun) extractAll(ctx context.Context, todo []tree.File, stored map[string]domain.Document) (results <-chan extracted, failed func() error) {
	ctx, stop := context.WithCancelCause(ctx)
	// No more than the Reader reads at once: a later file that waits for its turn would keep the earlier one from being read.
	parallel := r.Reader.Parallel()
	jobs := make(chan job)
	queue := make(chan job, 4*parallel) // how far the others go on while one file takes long
	out := make(chan extracted)
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			room := make([]byte, hashRoom)
			for j := range jobs {
				j.room = room
				if err := r.extract(ctx, j, stored[j.Path]); err != nil {
					stop(err)
					return
				}
				close(j.results)
			}
		})
	}
	go func() {
		defer close(queue)
		defer close(jobs)
		for _, f := range todo {
			j := newJob(f)
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
			close(j.turn)
			if !j.drain(ctx, out) {
				return
			}
		}
		stop(nil)
	}()
	return out, func() error {
		if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
}

// drain hands on what comes of a file, and says whether that was all. A file that was given up is no failed file.
func (j job) drain(ctx context.Context, out chan<- extracted) bool {
	for ctx.Err() == nil {
		var e extracted
		var more bool
		select {
		case e, more = <-j.results:
		case <-ctx.Done():
			return false
		}
		if !more {
			return true
		}
		select {
		case out <- e:
		case <-ctx.Done():
		}
	}
	return false
}

// settled says that reading a file again would change nothing: it was opened and read to its end, whatever came of it.
func settled(doc domain.Document) bool { return doc.Hash != "" && doc.State != domain.StateReading }

// maxAttempts is how often a file may take its reader with it before it is put into quarantine.
const maxAttempts = 2

// extract reads a file and gives its members, and last the file itself. old is what is stored of it. Its error says that
// no file can be read.
func (r *ingestRun) extract(ctx context.Context, j job, old domain.Document) error {
	for range maxChanges {
		e, err := r.extractOnce(ctx, j, old)
		if err != nil {
			return err
		}
		if unopened := e.doc.Hash == ""; unopened && settled(old) {
			e.kept = true // what is indexed is more than nothing
		}
		now, err := os.Stat(j.Path)
		if err != nil || now.Size() == j.Size && now.ModTime().Equal(j.ModTime) {
			return j.give(ctx, e)
		}
		j.Size, j.ModTime = now.Size(), now.ModTime()
	}
	// Half of one version and half of another is worse than what is there.
	return j.give(ctx, extracted{kept: old.ID != 0, doc: store.DocumentRows{Document: domain.Document{
		CollectionID: r.collection.ID, Path: j.Path, Title: titleOf(j.Path), State: domain.StateFailed,
		Reason: "it changes while it is read; it is read again at the next indexing",
	}}})
}

// maxChanges is how often a file that changes while it is read is read in one run.
const maxChanges = 3

// extractOnce reads a file and gives its members.
func (r *ingestRun) extractOnce(ctx context.Context, j job, old domain.Document) (extracted, error) {
	doc := domain.Document{
		CollectionID: r.collection.ID, Path: j.Path, Title: titleOf(j.Path),
		Size: j.Size, ModTime: j.ModTime, State: domain.StateIndexed, Cut: r.chunker(),
	}
	var err error
	if doc.Hash, err = hashFile(j.Path, j.room); err != nil {
		doc.State, doc.Reason = domain.StateFailed, tree.Reason(err)
		return extracted{doc: store.DocumentRows{Document: doc}}, nil
	}
	if doc.Hash == old.Hash && settled(old) && !r.again(old) {
		doc.ID = old.ID
		return extracted{doc: store.DocumentRows{Document: doc}, touched: true}, nil
	}
	for doc.Attempts = 0; ; {
		rows := store.DocumentRows{Document: doc}
		err := r.Reader.Read(ctx, j.Path, func(f extract.Found) error {
			if f.Member == "" { // comes last into the index: with it the members of before go
				rows = r.rows(doc, f)
				return nil
			}
			return j.give(ctx, extracted{doc: r.rows(doc, f)})
		})
		var lost *reader.Lost
		switch {
		case errors.As(err, &lost) && doc.Attempts+1 < maxAttempts:
			doc.Attempts++ // once more: it may have been the machine and not the file
			continue
		case errors.As(err, &lost):
			rows = store.DocumentRows{Document: doc}
			rows.Attempts++
			rows.State, rows.Reason = domain.StateQuarantined, lost.Reason
		case err != nil:
			return extracted{}, err
		}
		return extracted{doc: rows}, nil
	}
}

// rows makes what is stored of a document that was found in the file of doc.
func (r *ingestRun) rows(doc domain.Document, f extract.Found) store.DocumentRows {
	if f.Member != "" {
		doc.Member, doc.Title = f.Member, titleOf(f.Member)
		doc.Size, doc.Hash, doc.ModTime = f.Size, f.Hash, f.ModTime
	}
	c := doubted(f.Content)
	doc.State, doc.Reason = f.State, f.Reason
	doc.Format, doc.Author, doc.Dated, doc.Warnings = c.Format, c.Author, c.Dated, c.Warnings
	if c.Title != "" {
		doc.Title = c.Title
	}
	if len(c.Unreliable)+len(c.Images) > 0 {
		doc.OCR = domain.OCRWanted
	}
	if f.State != domain.StateIndexed {
		return store.DocumentRows{Document: doc}
	}
	return r.cut(doc, c)
}

// cut makes the chunks of a document.
func (r *ingestRun) cut(doc domain.Document, content domain.Content) store.DocumentRows {
	rows := store.DocumentRows{Document: doc}
	chunks := chunk.Split(content.Blocks, chunk.Options{MaxTokens: r.chunkTokens(), Count: r.countTokens()})
	rows.Chunks = make([]store.ChunkRow, len(chunks))
	for i, c := range chunks {
		rows.Chunks[i].Chunk = c
	}
	if len(rows.Chunks) == 0 {
		rows.State, rows.Reason = extract.StateOf(extract.ErrNoText)
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
		words, within := 0, false
		for _, r := range text {
			space := unicode.IsSpace(r)
			if !space && !within {
				words++
			}
			within = !space
		}
		return int(math.Ceil(float64(words) * tokensPerWord))
	}
}

// placeOf names a document for people.
func placeOf(doc domain.Document) string {
	return domain.Location{Path: doc.Path, Member: doc.Member}.String()
}

func titleOf(path string) string {
	base := filepath.Base(path)
	if title := strings.TrimSuffix(base, filepath.Ext(base)); title != "" {
		return title
	}
	return base
}

// hashRoom is how much of a file is read at a time for its digest, in bytes.
const hashRoom = 64 << 10

// hashFile gives the digest of a file, which it reads through room.
func hashFile(path string, room []byte) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	// A file that is asked to write itself makes room of its own.
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, room); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
