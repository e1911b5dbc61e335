package pipeline_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/pipeline"
	"fanous/backend/store"
)

// chunkOf gives the chunk that a query finds.
func (f *fixture) chunkOf(query string) domain.Hit {
	f.t.Helper()
	resp := f.search(f.searcher(nil), domain.SearchRequest{Query: query})
	if len(resp.Hits) != 1 {
		f.t.Fatalf("%q finds %d hits", query, len(resp.Hits))
	}
	return resp.Hits[0]
}

func TestCopiesAreOneHitThatNamesAllPaths(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "lantern", "copies/b.txt": "lantern", "copies/c.txt": "lantern"})
	f.run(t.Context(), nil)
	hit := f.chunkOf("lantern")
	f.want("other places", len(hit.Also), 2)
	f.want("passages", f.run(t.Context(), nil).Chunks, 0)
	if err := os.Remove(hit.Path); err != nil {
		t.Fatal(err)
	}
	f.run(t.Context(), nil)
	after := f.chunkOf("lantern")
	f.want("the passage", after.ChunkID, hit.ChunkID)
	f.want("its path", filepath.Base(after.Path), "b.txt")
	f.want("found by the name that it has now", f.chunkOf("b").ChunkID, hit.ChunkID)
}

func TestRenamedAndMovedFilesAreNotReadAgain(t *testing.T) {
	f := newFixture(t, map[string]string{"old/report.txt": "lantern", "old/other.txt": "boat river"})
	f.run(t.Context(), nil)
	before := f.chunkOf("lantern").ChunkID
	f.vector(before, madeUpVector)
	if err := os.Rename(filepath.Join(f.dir, "old"), filepath.Join(f.dir, "new")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(f.dir, "new/report.txt"), filepath.Join(f.dir, "new/budget.txt")); err != nil {
		t.Fatal(err)
	}
	f.ingest.Reader = noReader{t}
	report := f.run(t.Context(), nil)
	f.want("moved", report.Moved, 2)
	f.want("removed", report.Removed, 0)
	hit := f.chunkOf("lantern")
	f.want("the passage", hit.ChunkID, before)
	f.want("its path", hit.Path, filepath.Join(f.dir, "new", "budget.txt"))
	f.want("found by its new name", f.chunkOf("budget").ChunkID, before)
	f.want("and no more by the old", len(f.search(f.searcher(nil), domain.SearchRequest{Query: "report"}).Hits), 0)
	vectors, err := f.store.Vectors(t.Context(), f.collection().ID, []int64{before})
	if err != nil || !slices.Equal(vectors[before], madeUpVector) {
		t.Errorf("its vector is %v (%v), want the one that it had, which no embedder makes", vectors, err)
	}
	if err := f.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// madeUpVector is a unit vector.
var madeUpVector = []float32{0.6, 0, 0.8, 0, 0, 0, 0, 0}

// vector gives a passage a vector, as an embedder would.
func (f *fixture) vector(chunk int64, v []float32) {
	f.t.Helper()
	w, err := f.store.Writer(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	defer w.Close()
	if err := w.SetStamp(f.t.Context(), store.Stamp{Embedder: "made-up", Dim: len(v)}); err != nil {
		f.t.Fatal(err)
	}
	if err := w.PutVectors(f.t.Context(), f.collection().ID, map[int64][]float32{chunk: v}); err != nil {
		f.t.Fatal(err)
	}
}

// noReader fails the test where a file is read.
type noReader struct{ t *testing.T }

func (n noReader) Read(_ context.Context, path string, _ func(extract.Found) error) error {
	n.t.Errorf("%s was read", path)
	return nil
}

func (noReader) Parallel() int { return 1 }

// changing changes a file while it is read, so many times.
type changing struct {
	pipeline.Reader
	times  int
	change func(n int)
}

func (c *changing) Read(ctx context.Context, path string, each func(extract.Found) error) error {
	err := c.Reader.Read(ctx, path, each)
	if c.times > 0 {
		c.times--
		c.change(c.times)
	}
	return err
}

func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	f := newFixture(t, map[string]string{"log.txt": "first"})
	reader := f.ingest.Reader
	grow := func(n int) { f.write("log.txt", "lantern"+strings.Repeat(" word", n+1)) }

	f.ingest.Reader = &changing{reader, 1, grow}
	f.run(t.Context(), nil)
	f.wantNames("log.txt")
	f.chunkOf("lantern") // what it says after the change

	f.write("log.txt", "something else")
	f.ingest.Reader = &changing{reader, 100, grow}
	report := f.run(t.Context(), nil)
	f.want("problems", len(report.Problems), 1)
	f.chunkOf("lantern") // what was there stays

	f.ingest.Reader = reader
	f.write("log.txt", "boat")
	f.run(t.Context(), nil)
	f.chunkOf("boat")
}

func TestAFileThatVanishesWhileItIsRead(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "first", "b.txt": "second"})
	f.ingest.Reader = &changing{f.ingest.Reader, 1, func(int) { os.Remove(filepath.Join(f.dir, "a.txt")) }}
	f.run(t.Context(), nil)
	f.run(t.Context(), nil)
	f.wantNames("b.txt")
}

func TestWhatFailedIsReadAgainOnlyWhenAsked(t *testing.T) {
	f := newFixture(t, map[string]string{"bad.docx": "PK\x03\x04 this is no archive"})
	f.run(t.Context(), nil)
	reader := f.ingest.Reader
	f.ingest.Reader = noReader{t}
	f.run(t.Context(), nil)
	f.ingest.Reader, f.ingest.Retry = reader, true
	f.want("read again", f.run(t.Context(), nil).NotIndexed, 1)
}

func TestAnUnreadableFileHasAState(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("as root every file can be read: a link to nothing stands for it")
	}
	f := newFixture(t, map[string]string{"a.txt": "alpha"})
	if err := os.Symlink(filepath.Join(f.dir, "nowhere"), filepath.Join(f.dir, "broken.txt")); err != nil {
		t.Skip(err)
	}
	f.run(t.Context(), nil)
	f.wantNames("a.txt", "broken.txt (failed)")
	if err := os.Remove(filepath.Join(f.dir, "broken.txt")); err != nil {
		t.Fatal(err)
	}
	f.run(t.Context(), nil)
	f.wantNames("a.txt")
}
