package onnx

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/models"
)

const starterDigest = "0123456789abcdef0123456789abcdef"

// starterCopy is the starter model in a folder of the test's own, which is opened with its prepared forms kept in kept.
func starterCopy(t *testing.T) (rt *Runtime, graph, kept string) {
	t.Helper()
	rt, err := Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*-starter-q4", models.GraphFile))
	if err != nil || len(found) != 1 {
		t.Fatal("FANOUS_MODELS has no starter model (go tool mage test sets it)", err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	graph = filepath.Join(t.TempDir(), models.GraphFile)
	if err := os.WriteFile(graph, data, 0o600); err != nil {
		t.Fatal(err)
	}
	kept = filepath.Join(t.TempDir(), "prepared")
	rt.KeepPrepared(kept)
	t.Cleanup(func() { rt.KeepPrepared("") })
	return rt, graph, kept
}

// output is what the model says of a few tokens.
func output(t *testing.T, rt *Runtime, graph, digest string) []float32 {
	t.Helper()
	s, err := rt.Open(graph, OpenOptions{Digest: digest})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out, err := s.Run(t.Context(), []int64{0, 70, 4711, 2})
	if err != nil {
		t.Fatal(err)
	}
	return out.Data
}

// forms are the folders in kept; each must have a form that is whole.
func forms(t *testing.T, kept string) []string {
	t.Helper()
	entries, err := os.ReadDir(kept)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		o, err := readOrigin(filepath.Join(kept, e.Name()))
		if err != nil || !intact(filepath.Join(kept, e.Name()), o.Model, o.Of) {
			t.Errorf("%s is not whole: %v", e.Name(), err)
		}
	}
	return names
}

func TestPreparedForm(t *testing.T) {
	rt, graph, kept := starterCopy(t)
	want := output(t, rt, graph, "")
	if _, err := os.Stat(kept); err == nil {
		t.Error("a model without a digest was prepared")
	}
	if got := output(t, rt, graph, starterDigest); !slices.Equal(got, want) {
		t.Error("the prepared form computes something else")
	}
	names := forms(t, kept)
	if len(names) != 1 || !strings.Contains(names[0], starterDigest[:16]) || !strings.Contains(names[0], rt.Version()) {
		t.Fatalf("forms %q", names)
	}
	data := filepath.Join(kept, names[0], preparedData)
	made, err := os.Stat(data)
	if err != nil {
		t.Fatal(err)
	}
	remade := func() bool {
		now, err := os.Stat(data)
		changed := err != nil || !os.SameFile(made, now)
		made = now
		return changed
	}
	if output(t, rt, graph, starterDigest); remade() {
		t.Error("it was made twice")
	}
	for name, spoil := range map[string]func() error{
		"cut short":           func() error { return os.Truncate(data, 1000) },
		"another model there": func() error { return os.Chtimes(graph, time.Time{}, time.Now().Add(-time.Hour)) },
		"without its origin":  func() error { return os.Remove(filepath.Join(kept, names[0], originFile)) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if got := output(t, rt, graph, starterDigest); !slices.Equal(got, want) || !remade() || !slices.Equal(forms(t, kept), names) {
			t.Errorf("%s: it was not made again", name)
		}
	}
	output(t, rt, graph, "another model entirely")
	if n := len(forms(t, kept)); n != 2 {
		t.Errorf("%d forms of two models", n)
	}
}

// TestPreparedFormIsOnlyASaving: a model opens wherever its form cannot be.
func TestPreparedFormIsOnlyASaving(t *testing.T) {
	t.Run("no room for a folder", func(t *testing.T) {
		rt, graph, kept := starterCopy(t)
		if err := os.WriteFile(kept, nil, 0o600); err != nil { // root may write anywhere, but not below a file
			t.Fatal(err)
		}
		output(t, rt, graph, starterDigest)
	})
	t.Run("a form that only looks whole", func(t *testing.T) {
		rt, graph, kept := starterCopy(t)
		output(t, rt, graph, starterDigest)
		folder := filepath.Join(kept, forms(t, kept)[0])
		mark, err := os.Stat(filepath.Join(folder, preparedGraph))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, preparedGraph), bytes.Repeat([]byte{0xff}, int(mark.Size())), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(folder, preparedGraph), time.Time{}, mark.ModTime()); err != nil {
			t.Fatal(err)
		}
		output(t, rt, graph, starterDigest)
		if _, err := os.Stat(folder); err == nil {
			t.Error("it is still there")
		}
	})
}

func TestPrune(t *testing.T) {
	rt, graph, kept := starterCopy(t)
	output(t, rt, graph, starterDigest)
	form := forms(t, kept)[0]
	part := filepath.Join(kept, unfinished+"1")
	if err := os.Mkdir(part, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(kept, "nothing in it"), 0o700); err != nil {
		t.Fatal(err)
	}
	left := func(now time.Time) (names []string) {
		prune(kept, now)
		entries, err := os.ReadDir(kept)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	now := time.Now()
	if names := left(now); !slices.Equal(names, []string{form, filepath.Base(part)}) {
		t.Errorf("at once: %q", names)
	}
	if names := left(now.Add(staleUnfinished + time.Hour)); !slices.Equal(names, []string{form}) {
		t.Errorf("a day later: %q", names)
	}
	if err := os.Rename(graph, graph+".gone"); err != nil {
		t.Fatal(err)
	}
	if names := left(now); len(names) != 0 {
		t.Errorf("without its model: %q", names)
	}
	if err := os.Rename(graph+".gone", graph); err != nil {
		t.Fatal(err)
	}
	output(t, rt, graph, starterDigest)
	if names := left(now.Add(unusedPrepared + time.Hour)); len(names) != 0 {
		t.Errorf("unused for long: %q", names)
	}
	prune(filepath.Join(kept, "not there"), now)
}

func TestTokenizersAreShared(t *testing.T) {
	rt, graph, _ := starterCopy(t)
	found, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*-starter-q4", models.TokenizerFile))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	padded := filepath.Join(filepath.Dir(graph), models.TokenizerFile)
	at := bytes.Index(data, []byte(`"padding": null`))
	if at < 0 {
		t.Fatal("this tokenizer.json pads already")
	}
	data = bytes.Replace(data, []byte(`"padding": null`), []byte(`"padding": {"strategy":{"Fixed":16},"direction":"Right","pad_to_multiple_of":null,"pad_id":1,"pad_type_id":0,"pad_token":"<pad>"}`), 1)
	if err := os.WriteFile(padded, data, 0o600); err != nil {
		t.Fatal(err)
	}
	one, err := rt.Tokenizer(found[0])
	if err != nil {
		t.Fatal(err)
	}
	two, err := rt.Tokenizer(padded)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(rt.tokenizers.loaded); n != 1 {
		t.Errorf("%d tokenizers for one vocabulary", n)
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if err := one.Close(); err != nil { // and once more
		t.Fatal(err)
	}
	if _, err := one.Encode("lantern", 0); err == nil {
		t.Error("a closed one encodes")
	}
	if e, err := two.Encode("lantern", 0); err != nil || len(e.IDs) == 0 || two.Rarity(e.IDs[0]) == 0 {
		t.Errorf("the other one: %v, %v", e.IDs, err)
	}
	if err := two.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(rt.tokenizers.loaded); n != 0 {
		t.Errorf("%d are left", n)
	}
}
