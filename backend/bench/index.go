package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/extract"
	"fanous/backend/language"
	"fanous/backend/pipeline"
	"fanous/backend/retrieve"
	"fanous/backend/store"
	"fanous/backend/store/madeup"
	"fanous/models"
	"fanous/models/fetch"
)

// bytesPerChunk is about what a made-up chunk and its vector take in an index.
const bytesPerChunk = 6 << 10

// embedding measures the installed embedder.
func (r *run) embedding(ctx context.Context) error {
	e, err := r.embedder()
	if err != nil {
		return err
	}
	if e == nil {
		r.skip("Embedding was not measured: no embedder is installed.")
		return nil
	}
	defer e.Close()
	for _, tokens := range []int{64, 200} {
		r.step("%s, texts of %d tokens", e.Name(), tokens)
		text := strings.Repeat(texts[0], tokens/20+2)
		text = text[:len(text)*tokens/max(1, e.CountTokens(text))]
		batch := slices.Repeat([]string{text}, 4*r.rt.Width())
		if _, err := e.Query(ctx, text); err != nil { // the first is slower
			return err
		}
		start, n := time.Now(), 0
		for n == 0 || time.Since(start) < r.least() {
			if _, err := e.Passages(ctx, batch); err != nil {
				return err
			}
			n += len(batch)
		}
		r.report.Embedding = append(r.report.Embedding, domain.BenchEmbedding{
			Model: e.Name(), Tokens: tokens, Texts: float64(n) / time.Since(start).Seconds(),
		})
	}
	return nil
}

// least is how long a speed is measured for, so that it is of some certainty.
func (r *run) least() time.Duration {
	if r.Quick {
		return r.scale.least / 6
	}
	return r.scale.least
}

// embedder opens the installed embedder; nil: there is none.
func (r *run) embedder() (*embed.Embedder, error) {
	dir := r.installed(models.Embedder, "")
	if r.rt == nil || dir == "" {
		return nil, nil
	}
	e, err := embed.Open(r.rt, dir)
	if err != nil {
		r.skip("The embedder cannot be used: %v.", err)
		return nil, nil
	}
	return e, nil
}

// indexing measures indexing made-up text files.
func (r *run) indexing(ctx context.Context) (err error) {
	files, words := 100, 1500
	if r.Quick {
		files, words = 8, 600
	}
	r.step("indexing %d text files", files)
	folder := filepath.Join(r.dir, "files")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	source := madeup.NewSource(1)
	for i := range files {
		path := filepath.Join(folder, fmt.Sprintf("%03d.txt", i))
		if err := os.WriteFile(path, []byte(source.Document(i).Text(words)), 0o644); err != nil {
			return err
		}
	}
	e, err := r.embedder()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, filepath.Join(r.dir, "files.db"), store.Options{})
	if err != nil {
		return err
	}
	extractor := extract.New(extract.Options{})
	defer extractor.Close()
	defer func() { err = errors.Join(err, s.Close()) }()
	if e != nil {
		defer e.Close()
	}
	c, err := s.AddCollection(ctx, "files", domain.PolicyNever, folder)
	if err != nil {
		return err
	}
	ingest := pipeline.Ingest{Store: s, Reader: extractor, Embedder: e, NoEmbedder: "no embedder is installed"}
	report, err := ingest.Run(ctx, c, nil)
	if err != nil || report.Canceled {
		return errors.Join(err, ctx.Err())
	}
	r.report.Indexing = &domain.BenchIndexing{
		Files: report.Indexed, Chunks: report.Chunks, Seconds: report.Elapsed.Seconds(),
		Rate: float64(report.Chunks) / report.Elapsed.Seconds(), Vectors: e != nil,
	}
	return nil
}

// retrieval measures hybrid retrieval in made-up collections.
func (r *run) retrieval(ctx context.Context) error {
	sizes := r.scale.chunks
	if r.Quick {
		sizes = sizes[:1]
	}
	for _, chunks := range sizes {
		if took := r.filling(chunks); took > r.scale.fill {
			r.skip("Retrieval was not measured with %d chunks: filling the collection would take about %s.", chunks, took.Round(time.Second))
			continue
		}
		if free, err := fetch.FreeBytes(r.dir); err == nil && free < 2*int64(chunks)*bytesPerChunk {
			r.skip("Retrieval was not measured with %d chunks: the disk has %d GB free.", chunks, free>>30)
			continue
		}
		if err := r.retrieveFrom(ctx, chunks); err != nil {
			return err
		}
	}
	return nil
}

// filling is how long it would take to fill a collection, by the one before; 0: there was none.
func (r *run) filling(chunks int) time.Duration {
	n := len(r.report.Retrieval)
	if n == 0 {
		return 0
	}
	before := r.report.Retrieval[n-1]
	return time.Duration(before.Fill * float64(chunks) / float64(before.Chunks) * float64(time.Second))
}

func (r *run) retrieveFrom(ctx context.Context, chunks int) (err error) {
	step := fmt.Sprintf("retrieval from %d chunks", chunks)
	path := filepath.Join(r.dir, fmt.Sprintf("retrieval-%d.db", chunks))
	s, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, s.Close())
		for _, suffix := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(path + suffix) // before the next one is made
		}
	}()
	made := madeup.Collection{Chunks: chunks, Seed: 1}
	start := time.Now()
	c, err := made.Fill(ctx, s, "made up", func(n int) { r.tell(domain.BenchProgress{Step: step + ": filling", Done: n, Of: chunks}) })
	if err != nil {
		return err
	}
	fill := time.Since(start)
	r.step("%s", step)
	source, retriever := madeup.NewSource(made.Seed), retrieve.New(s)
	var times []float64
	for i := range 60 {
		text, vector := source.Query(i*7919%max(1, chunks/40), 4+i%9)
		start := time.Now()
		_, err := retriever.Retrieve(ctx, retrieve.Request{
			CollectionID: c.ID, Query: language.ParseQuery(text), Method: domain.Hybrid, K: domain.DefaultCandidates,
			Embed: func(context.Context) ([]float32, error) { return vector, nil },
		})
		if err != nil {
			return err
		}
		if i >= 10 { // the first fill the caches
			times = append(times, float64(time.Since(start).Microseconds())/1000)
		}
	}
	slices.Sort(times)
	r.report.Retrieval = append(r.report.Retrieval, domain.BenchRetrieval{
		Chunks: chunks, P50: times[len(times)/2], P95: times[len(times)*95/100], Fill: fill.Seconds(),
	})
	return nil
}
