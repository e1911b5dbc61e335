package project

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/build/tool/cache"
	"fanous/build/tool/step"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMirror(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "bin", "models")
	write(t, filepath.Join(from, "small", "model.onnx"), "weights")
	write(t, filepath.Join(from, "small", "tokenizer.json"), "{}")
	write(t, filepath.Join(to, "old", "model.onnx"), "an old model")
	write(t, filepath.Join(to, "small", "model.onnx"), "other weights")
	write(t, filepath.Join(to, "small", "stray"), "")
	for range 2 {
		if err := mirror(from, to); err != nil {
			t.Fatal(err)
		}
		if differences, err := compareTrees(from, to); err != nil || len(differences) > 0 {
			t.Fatalf("differences %q, error %v", differences, err)
		}
	}
	if exists(filepath.Join(to, "old")) {
		t.Error("an old model's folder is left")
	}
}

func TestCopyFileKeepsModeAndTime(t *testing.T) {
	folder := t.TempDir()
	source, target := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	write(t, source, "content")
	if err := os.Chmod(source, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(source, target); err != nil {
		t.Fatal(err)
	}
	if !same(source, target) {
		t.Error("the copy does not count as the same")
	}
	info, err := os.Stat(target)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v", info.Mode())
	}
	write(t, source, "content, but longer")
	if same(source, target) {
		t.Error("a changed file counts as the same")
	}
}

func TestCompareTrees(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	write(t, filepath.Join(a, "same"), "x")
	write(t, filepath.Join(b, "same"), "x")
	write(t, filepath.Join(a, "deep", "changed"), "x")
	write(t, filepath.Join(b, "deep", "changed"), "y")
	write(t, filepath.Join(a, "gone"), "x")
	write(t, filepath.Join(b, "new"), "x")
	got, err := compareTrees(a, b)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if want := []string{"deep/changed", "gone", "new"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := compareTrees(filepath.Join(a, "nowhere"), b); err == nil {
		t.Error("a missing folder is no error")
	}
}

func TestUnformatted(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "fine.go"), "package p\n")
	write(t, filepath.Join(root, "node_modules", "x.go"), "package   p\n")
	if err := unformatted(root); err != nil {
		t.Errorf("got %v for formatted source", err)
	}
	write(t, filepath.Join(root, "deep", "bad.go"), "package   p\n")
	if err := unformatted(root); err == nil || !strings.Contains(err.Error(), "deep/bad.go") {
		t.Errorf("got %v, want the name of the file", err)
	}
}

func TestBenchmarked(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a", "a_test.go"), "package a\n\nfunc TestA() {}\n")
	if _, err := benchmarked(root); err == nil {
		t.Error("no error where there is no benchmark")
	}
	write(t, filepath.Join(root, "b", "b.go"), "package b\n\nfunc BenchmarkIsNotOne() {}\n")
	write(t, filepath.Join(root, "b", "c", "one_test.go"), "package c\n\nfunc BenchmarkC() {}\n")
	write(t, filepath.Join(root, "b", "c", "two_test.go"), "package c\n\nfunc BenchmarkD() {}\n")
	got, err := benchmarked(root)
	if want := []string{"./b/c"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q and %v, want %q", got, err, want)
	}
}

func TestShowcase(t *testing.T) {
	cases := []struct {
		name, content string
		want          []string
		wantErr       bool
	}{
		{"one a line", "# what it shows\nزلزله\n\n  earthquake survivors \n", []string{"زلزله", "earthquake survivors"}, false},
		{"none", "# nothing yet\n", nil, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := &Project{root: t.TempDir()}
			write(t, p.path("build", "sample", "showcase.txt"), c.content)
			got, err := p.showcase()
			if (err != nil) != c.wantErr || !slices.Equal(got, c.want) {
				t.Errorf("got %q and %v, want %q", got, err, c.want)
			}
		})
	}
	if _, err := (&Project{root: t.TempDir()}).showcase(); err == nil {
		t.Error("a missing file is no error")
	}
}

// The go command splits CGO_LDFLAGS at spaces outside quotes.
func TestVariablesQuoteAFolderWithASpace(t *testing.T) {
	t.Setenv("CGO_LDFLAGS", "-L/other")
	c, err := cache.At(filepath.Join(t.TempDir(), "a cache"), step.To(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	folder := c.Path("native")
	made := Artifacts{Rust: folder, Runtime: c.Path("lib"), Models: c.Path("models")}
	variables := made.Variables()
	index := slices.IndexFunc(variables, func(v string) bool { return strings.HasPrefix(v, "CGO_LDFLAGS=") })
	if want := "CGO_LDFLAGS='-L" + folder + "' -L/other"; variables[index] != want {
		t.Errorf("got %q, want %q", variables[index], want)
	}
}
