package install

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fanous/models"
)

func TestGetFromEverySource(t *testing.T) {
	folder := t.TempDir()
	put(t, filepath.Join(folder, "example", models.GraphFile), graph)
	put(t, filepath.Join(folder, "example", models.TokenizerFile), tokenizer)
	bare := t.TempDir()
	put(t, filepath.Join(bare, models.GraphFile), graph)
	put(t, filepath.Join(bare, models.TokenizerFile), tokenizer)
	nobody := "http://127.0.0.1:1"
	for name, s := range map[string]Sources{
		"the hub":                             {Hub: hub(t).URL},
		"a mirror like the hub":               {Mirrors: []string{hub(t).URL}},
		"a mirror like the hub, with a slash": {Mirrors: []string{hub(t).URL + "/"}},
		"a file server":                       {Mirrors: []string{flat(t).URL}},
		"a folder of models":                  {Mirrors: []string{folder}, Offline: true},
		"the model's folder":                  {Mirrors: []string{bare}, Offline: true},
		"the second mirror":                   {Mirrors: []string{nobody, t.TempDir(), flat(t).URL}, Hub: nobody},
		"the hub, behind a mirror":            {Mirrors: []string{nobody}, Hub: hub(t).URL},
	} {
		t.Run(name, func(t *testing.T) {
			in := installer(t, s)
			if err := in.Get(t.Context(), example()); err != nil {
				t.Fatal(err)
			}
			installed(t, in, example().Manifest)
		})
	}
}

func TestNoSource(t *testing.T) {
	for name, test := range map[string]struct {
		sources Sources
		want    error
	}{
		"nothing is set up":   {Sources{}, ErrNoSource},
		"an empty folder":     {Sources{Mirrors: []string{t.TempDir()}}, ErrNoSource},
		"the switch is on":    {Sources{Hub: "http://127.0.0.1:1", Offline: true}, ErrOffline},
		"an address, offline": {Sources{Mirrors: []string{"http://127.0.0.1:1"}, Offline: true}, ErrOffline},
	} {
		in := installer(t, test.sources)
		if err := in.Get(t.Context(), example()); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		notInstalled(t, in, example().Manifest)
	}
}

// TestTwoAtOnce: one downloads, the other one waits and finds it.
func TestTwoAtOnce(t *testing.T) {
	s := flat(t)
	in := installer(t, Sources{Mirrors: []string{s.URL}})
	var waiting sync.Map
	in.Progress = func(p Progress) { waiting.Store(p.Phase, true) }
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := in.Get(context.Background(), example()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	installed(t, in, example().Manifest)
	if want := len(graph) + len(tokenizer); s.total() != want {
		t.Errorf("%d bytes were sent, not %d", s.total(), want)
	}
}

// TestWhatIsThereIsNotFetched: of a damaged model only the damaged file.
func TestWhatIsThereIsNotFetched(t *testing.T) {
	s := flat(t)
	in := installer(t, Sources{Mirrors: []string{s.URL}})
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	before := s.total()
	if err := in.Get(t.Context(), example()); err != nil || s.total() != before {
		t.Errorf("a whole model: %v, %d bytes more", err, s.total()-before)
	}
	put(t, filepath.Join(in.dir(), "example", models.TokenizerFile), bytes.Replace(tokenizer, []byte("a"), []byte("b"), 1))
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	installed(t, in, example().Manifest)
	if got := s.total() - before; got != len(tokenizer) {
		t.Errorf("%d bytes were fetched for a tokenizer of %d", got, len(tokenizer))
	}
}

// TestAStoppedDownloadIsGoneOnWith, by another installer, and only the rest is transferred.
func TestAStoppedDownloadIsGoneOnWith(t *testing.T) {
	s := flat(t)
	in := installer(t, Sources{Mirrors: []string{s.URL}})
	ctx, cancel := context.WithCancel(t.Context())
	in.Progress = func(p Progress) {
		if p.Phase == Downloading {
			cancel()
		}
	}
	if err := in.Get(ctx, example()); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	notInstalled(t, in, example().Manifest)
	had := in.Partial("example")
	if had == 0 {
		t.Fatal("nothing is left of it")
	}
	s = flat(t) // the first one may still be sending
	again := &Installer{Dirs: in.Dirs, Fetcher: in.Fetcher, Sources: Sources{Mirrors: []string{s.URL}}}
	if err := again.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	installed(t, again, example().Manifest)
	if got, most := s.total(), len(graph)+len(tokenizer)-int(had)+200; got > most { // the part's tag counts as partial
		t.Errorf("%d bytes were sent with %d here", got, had)
	}
}

// TestKilledBetweenTheSteps: what a program that was killed after the download leaves is finished without a network.
func TestKilledBetweenTheSteps(t *testing.T) {
	stage := func(in *Installer) string {
		dir := in.staging("example")
		put(t, filepath.Join(dir, models.GraphFile), graph)
		put(t, filepath.Join(dir, models.TokenizerFile), tokenizer)
		return dir
	}
	for name, left := range map[string]func(in *Installer){
		"verified, not renamed": func(in *Installer) {
			dir := stage(in)
			if err := os.Rename(filepath.Join(dir, models.GraphFile), filepath.Join(dir, models.GraphFile+".part")); err != nil {
				t.Fatal(err)
			}
		},
		"renamed, no manifest": func(in *Installer) { stage(in) },
		"with a manifest, not in its place": func(in *Installer) {
			if err := example().Save(stage(in)); err != nil {
				t.Fatal(err)
			}
		},
		"the old one removed, the new one not in its place": func(in *Installer) {
			if err := example().Save(stage(in)); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(in.dir(), removedDir, "example-1", models.GraphFile), graph)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := flat(t)
			in := installer(t, Sources{Mirrors: []string{s.URL}})
			left(in)
			notInstalled(t, in, example().Manifest)
			if err := in.Get(t.Context(), example()); err != nil {
				t.Fatal(err)
			}
			installed(t, in, example().Manifest)
			if len(s.asked) != 0 {
				t.Errorf("the server was asked for %v", s.asked)
			}
		})
	}
}

// TestAReplacedModelStaysReadable for who has it open.
func TestAReplacedModelStaysReadable(t *testing.T) {
	in := installer(t, Sources{Mirrors: []string{flat(t).URL}})
	old := bytes.Replace(graph, []byte("right"), []byte("wrong"), -1)
	dir := filepath.Join(in.dir(), "example")
	put(t, filepath.Join(dir, models.GraphFile), old)
	open, err := os.Open(filepath.Join(dir, models.GraphFile))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	installed(t, in, example().Manifest)
	if got, err := io.ReadAll(open); err != nil || !bytes.Equal(got, old) {
		t.Errorf("the open file has other bytes (%v)", err)
	}
	if err := in.Remove(t.Context(), "example"); err != nil {
		t.Error(err)
	}
	notInstalled(t, in, example().Manifest)
	if entries, _ := os.ReadDir(in.dir()); len(entries) != 2 { // .incoming and .locks
		t.Errorf("there are %v", entries)
	}
}

func TestARefusedModelLeavesNothing(t *testing.T) {
	in := installer(t, Sources{Mirrors: []string{flat(t).URL}})
	reason := errors.New("a bi-encoder")
	in.Check = func(_ context.Context, m models.Manifest, dir string) error {
		if saved, err := models.Load(dir); err != nil || saved.Digest() != m.Digest() {
			t.Errorf("there is %+v (%v) of %+v", saved, err, m)
		}
		notInstalled(t, in, example().Manifest)
		return reason
	}
	if err := in.Get(t.Context(), example()); !errors.Is(err, reason) {
		t.Errorf("error %v", err)
	}
	notInstalled(t, in, example().Manifest)
	if in.Partial("example") != 0 {
		t.Error("its files are still there")
	}
}

func TestRemove(t *testing.T) {
	in := installer(t, Sources{})
	if err := in.Remove(t.Context(), "example"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("error %v", err)
	}
	put(t, filepath.Join(in.staging("example"), "model.onnx.part"), graph)
	if err := in.Remove(t.Context(), "example"); err != nil || in.Partial("example") != 0 {
		t.Errorf("a part: %v", err)
	}
}

// TestFilesAreMovedOneByOne where the system does not rename a folder with an open file.
func TestFilesAreMovedOneByOne(t *testing.T) {
	root := t.TempDir()
	dir, aside := filepath.Join(root, "example"), filepath.Join(root, removedDir, "example-1")
	put(t, filepath.Join(dir, models.GraphFile), graph)
	put(t, filepath.Join(dir, models.ManifestFile), []byte("{}"))
	if err := displaceFiles(dir, aside); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is still there")
	}
	Sweep(root, filepath.Join(root, "none"))
	if _, err := os.Stat(filepath.Join(root, removedDir)); err == nil {
		t.Error("the removed files are still there")
	}
	// One that cannot be moved: the place for it is taken by a folder.
	put(t, filepath.Join(dir, models.GraphFile), graph)
	put(t, filepath.Join(dir, models.TokenizerFile), tokenizer)
	put(t, filepath.Join(aside, models.TokenizerFile, "x"), nil)
	if err := displaceFiles(dir, aside); !errors.Is(err, ErrInUse) {
		t.Errorf("error %v", err)
	}
	for _, name := range []string{models.GraphFile, models.TokenizerFile} {
		if !isFile(filepath.Join(dir, name)) {
			t.Errorf("%s has not come back", name)
		}
	}
}
