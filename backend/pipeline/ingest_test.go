package pipeline_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/pipeline"
	"fanous/backend/store"
)

// fixture is a folder of files and an index over it, without an embedder.
type fixture struct {
	t      *testing.T
	dir    string
	store  *store.Store
	ingest pipeline.Ingest
}

func newFixture(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := extract.New(extract.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		x.Close()
	})
	f := &fixture{t: t, dir: t.TempDir(), store: s}
	f.ingest = pipeline.Ingest{Store: s, Reader: x, NoEmbedder: "The embedder is not installed."}
	for name, text := range files {
		f.write(name, text)
	}
	return f
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) collection(roots ...string) domain.Collection {
	f.t.Helper()
	if len(roots) == 0 {
		roots = []string{f.dir}
	}
	c, err := f.store.AddCollection(f.t.Context(), "default", domain.PolicyAsk, roots...)
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *fixture) run(ctx context.Context, progress func(domain.IndexProgress)) domain.IndexReport {
	f.t.Helper()
	report, err := f.ingest.Run(ctx, f.collection(), progress)
	if err != nil {
		f.t.Fatal(err)
	}
	return report
}

// names lists the documents of the index by base name, with their states where they are not indexed.
func (f *fixture) names() []string {
	f.t.Helper()
	files, err := f.store.Files(f.t.Context(), f.collection().ID)
	if err != nil {
		f.t.Fatal(err)
	}
	var out []string
	for path, doc := range files {
		name := filepath.Base(path)
		if doc.State != domain.StateIndexed {
			name += " (" + string(doc.State) + ")"
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (f *fixture) want(what string, got, want any) {
	f.t.Helper()
	if got != want {
		f.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (f *fixture) wantNames(want ...string) {
	f.t.Helper()
	if got := f.names(); !slices.Equal(got, want) {
		f.t.Errorf("documents: got %q, want %q", got, want)
	}
}

func TestSecondRunTouchesOnlyWhatChanged(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "alpha", "b.txt": "beta", "sub/c.md": "# gamma\n\ntext"})
	first := f.run(t.Context(), nil)
	f.want("indexed", first.Indexed, 3)

	f.write("b.txt", "beta has changed")
	f.write("d.txt", "delta")
	second := f.run(t.Context(), nil)
	f.want("indexed", second.Indexed, 2)
	f.want("unchanged", second.Unchanged, 1+1)
	f.wantNames("a.txt", "b.txt", "c.md", "d.txt")
}

func TestSameContentWithANewTimeIsUnchanged(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "alpha"})
	f.run(t.Context(), nil)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(f.dir, "a.txt"), later, later); err != nil {
		t.Fatal(err)
	}
	report := f.run(t.Context(), nil)
	f.want("indexed", report.Indexed, 0)
	f.want("unchanged", report.Unchanged, 1)
	files, err := f.store.Files(t.Context(), f.collection().ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := files[filepath.Join(f.dir, "a.txt")].ModTime; !got.Equal(later) {
		t.Errorf("the time in the index is %v, not the file's %v", got, later)
	}
}

func TestWhatIsGoneIsDropped(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "alpha", "b.txt": "beta"})
	f.run(t.Context(), nil)
	if err := os.Remove(filepath.Join(f.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	dropped := 0
	report := f.run(t.Context(), func(p domain.IndexProgress) {
		if p.Phase == domain.PhaseDrop {
			dropped = p.Files
		}
	})
	f.want("removed", report.Removed, 1)
	f.want("files that are told of", dropped, 1)
	f.wantNames("b.txt")
}

func TestAFolderThatIsAwayKeepsItsDocuments(t *testing.T) {
	f := newFixture(t, map[string]string{"drive/a.txt": "alpha"})
	drive := filepath.Join(f.dir, "drive")
	c := f.collection(drive)
	if _, err := f.ingest.Run(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(drive, drive+"-away"); err != nil {
		t.Fatal(err)
	}
	report, err := f.ingest.Run(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.want("removed", report.Removed, 0)
	f.want("problems", len(report.Problems), 1)
	files, err := f.store.Files(t.Context(), c.ID)
	if err != nil || len(files) != 2 || files[filepath.Join(drive, "a.txt")].State != domain.StateIndexed || files[drive].Reason == "" {
		t.Errorf("the index has %+v (%v), want the document of the absent folder, and that it is absent", files, err)
	}
	if err := os.Rename(drive+"-away", drive); err != nil {
		t.Fatal(err)
	}
	f.run(t.Context(), nil)
	f.wantNames("a.txt")
}

func TestAnEmptyMountPointKeepsItsDocuments(t *testing.T) {
	f := newFixture(t, map[string]string{"drive/a.txt": "alpha", "other/b.txt": "beta"})
	drive, other := filepath.Join(f.dir, "drive"), filepath.Join(f.dir, "other")
	c := f.collection(drive, other)
	run := func() domain.IndexReport {
		report, err := f.ingest.Run(t.Context(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	run()
	for from, to := range map[string]string{filepath.Join(drive, "a.txt"): filepath.Join(f.dir, "a.txt"), filepath.Join(other, "b.txt"): filepath.Join(drive, "b.txt")} {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	report := run()
	f.want("removed where there are other files", report.Removed, 1)
	f.want("moved out of what is now empty", report.Moved, 1)
	f.want("problems", len(report.Problems), 0)
	if err := os.Rename(filepath.Join(drive, "b.txt"), filepath.Join(f.dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		report = run()
		f.want("removed", report.Removed, 0)
		f.want("problems", len(report.Problems), 1)
	}
	files, err := f.store.Files(t.Context(), c.ID)
	if err != nil || files[filepath.Join(drive, "b.txt")].State != domain.StateIndexed || files[drive].Reason == "" {
		t.Errorf("the index has %+v (%v), want the document of the empty folder, and that it is empty", files, err)
	}
}

func TestOneBadFileIsReportedAndTheRestGoesOn(t *testing.T) {
	f := newFixture(t, map[string]string{
		"good.txt":  "alpha",
		"bad.docx":  "PK\x03\x04 this is no archive",
		"empty.txt": "",
		"movie.bin": "\x00\x01\x02\x03\x00\xff\xfe\x00\x00binary",
	})
	report := f.run(t.Context(), nil)
	f.want("indexed", report.Indexed, 1)
	f.want("not indexed", report.NotIndexed, 3)
	for _, p := range report.Problems {
		if p.Reason == "" {
			t.Errorf("%s has no reason", p.Path)
		}
	}
	f.wantNames("bad.docx (failed)", "empty.txt (no text)", "good.txt", "movie.bin (unsupported)")
}

func TestHiddenFilesAndLinkedFoldersAreLeftOut(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "alpha", ".secret.txt": "hidden", ".git/config.txt": "hidden", "sub/b.txt": "beta"})
	if runtime.GOOS != "windows" { // where making a link needs a right
		for link, target := range map[string]string{"loop": f.dir, "sub/up": f.dir, "linked.txt": filepath.Join(f.dir, "a.txt")} {
			if err := os.Symlink(target, filepath.Join(f.dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.run(t.Context(), nil)
	f.wantNames("a.txt", "b.txt", "linked.txt")
}

func TestCancelKeepsWhatWasStoredAndTheNextRunGoesOn(t *testing.T) {
	files := map[string]string{}
	for _, name := range strings.Fields("a b c d e f g h i j k l") {
		files[name+".txt"] = "text of " + name
	}
	f := newFixture(t, files)
	ctx, cancel := context.WithCancel(t.Context())
	report := f.run(ctx, func(p domain.IndexProgress) {
		if p.Phase == domain.PhaseRead && p.Done == 3 {
			cancel()
		}
	})
	if !report.Canceled {
		t.Error("the report does not say that the run was cancelled")
	}
	stored := len(f.names())
	if stored < 3 || stored == len(files) {
		t.Fatalf("%d of %d documents are stored, want the 3 that were read at the cancel and few more", stored, len(files))
	}
	second := f.run(t.Context(), nil)
	f.want("unchanged", second.Unchanged, stored)
	f.want("indexed", second.Indexed, len(files)-stored)
}

func TestProgressTellsTheTruth(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "alpha", "b.txt": "beta", "c.txt": "gamma"})
	var phases []string
	var last domain.IndexProgress
	f.run(t.Context(), func(p domain.IndexProgress) {
		if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
			phases = append(phases, p.Phase)
		}
		last = p
	})
	if want := []string{domain.PhaseScan, domain.PhaseRead, domain.PhaseDone}; !slices.Equal(phases, want) {
		t.Errorf("phases %q, want %q", phases, want)
	}
	f.want("files", last.Files, 3)
	f.want("done", last.Done, 3)
	f.want("chunks", last.Chunks, 3)
}

// TestANewCutIsStampedOnlyWhenItIsWhole holds that a run cancelled while it cuts documents again does not
// leave the rest with the old cut for ever.
func TestANewCutIsStampedOnlyWhenItIsWhole(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "alpha", "b.txt": "beta", "c.txt": "gamma", "d.txt": "delta", "e.txt": "epsilon"})
	f.ingest.Chunker = "old"
	f.run(t.Context(), nil)
	f.ingest.Chunker = "new"
	ctx, cancel := context.WithCancel(t.Context())
	f.run(ctx, func(p domain.IndexProgress) {
		if p.Phase == domain.PhaseRead {
			cancel()
		}
	})
	if stamp, err := f.store.Stamp(t.Context()); err != nil || stamp.Chunker != "old" {
		t.Fatalf("after a cancelled run the stamp is %+v (%v)", stamp, err)
	}
	report := f.run(t.Context(), nil)
	if report.Indexed == 0 || report.Indexed+report.Unchanged != 5 {
		t.Errorf("%d were cut again, %d had been", report.Indexed, report.Unchanged)
	}
	if stamp, _ := f.store.Stamp(t.Context()); stamp.Chunker != "new" {
		t.Errorf("after a whole run the stamp is %+v", stamp)
	}
	f.want("cut again without need", f.run(t.Context(), nil).Indexed, 0)
}

// TestTheSameFolderMakesTheSameIndex holds that files read at the same time are stored in their own order:
// equal scores are in the order of chunk ids.
func TestTheSameFolderMakesTheSameIndex(t *testing.T) {
	files, want := map[string]string{}, []string{}
	for i := range 60 {
		name := fmt.Sprintf("%02d.txt", i)
		files[name] = strings.Repeat("word ", 1+(i*7919)%4000) // some take longer than others
		want = append(want, name)
	}
	f := newFixture(t, files)
	f.run(t.Context(), nil)
	stored, err := f.store.Files(t.Context(), f.collection().ID)
	if err != nil {
		t.Fatal(err)
	}
	got := slices.SortedFunc(maps.Values(stored), func(a, b domain.Document) int { return cmp.Compare(a.ID, b.ID) })
	for i, doc := range got {
		if filepath.Base(doc.Path) != want[i] {
			t.Fatalf("document %d is %s, want %s", i, filepath.Base(doc.Path), want[i])
		}
	}
}

func TestOverlappingFoldersGiveAFileOnce(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "alpha", "sub/b.txt": "beta"})
	c := f.collection(f.dir, filepath.Join(f.dir, "sub"))
	report, err := f.ingest.Run(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.want("indexed", report.Indexed, 2)
}
