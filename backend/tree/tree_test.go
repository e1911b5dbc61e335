package tree

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
)

func filesIn(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func walk(t *testing.T, s domain.CollectionSettings, roots ...string) *Tree {
	t.Helper()
	tree, err := Walk(t.Context(), roots, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// want compares the files that were found below dir, in any order.
func want(t *testing.T, tree *Tree, dir string, names ...string) {
	t.Helper()
	var got []string
	for _, f := range tree.Files {
		rel, err := filepath.Rel(dir, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, filepath.ToSlash(rel))
	}
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("found %q, want %q", got, names)
	}
}

func TestIgnoreFilesFollowGit(t *testing.T) {
	dir := filesIn(t, map[string]string{
		IgnoreFile: "# a comment\n\n*.log\n!keep.log\n/top.txt\nbuild/\ndocs/**/draft.txt\n\\#sharp.txt\nspace.txt  \r\n",
		"a.log":    "", "keep.log": "", "top.txt": "", "sub/top.txt": "", "build/x.txt": "", "sub/build/y.txt": "",
		"docs/draft.txt": "", "docs/a/b/draft.txt": "", "docs/a/final.txt": "", "#sharp.txt": "", "space.txt": "",
		"sub/" + IgnoreFile: "\xef\xbb\xbf!a.log\nown.txt\n/only-here.txt\n",
		"sub/a.log":         "", "sub/own.txt": "", "sub/only-here.txt": "", "sub/deep/only-here.txt": "", "sub/deep/own.txt": "",
		"after/own.txt": "", "after/a.log": "",
	})
	want(t, walk(t, domain.CollectionSettings{}, dir), dir,
		"keep.log", "sub/top.txt", "docs/a/final.txt", "sub/a.log", "sub/deep/only-here.txt", "after/own.txt")
}

func TestPatternsOfACollection(t *testing.T) {
	dir := filesIn(t, map[string]string{
		"a.pdf": "", "b.txt": "", "old/c.pdf": "", "reports/d.docx": "", "node_modules/e.pdf": "", "Thumbs.db": "",
		"~$a.docx": "", "big.pdf.part": "", ".hidden.pdf": "", ".git/x.pdf": "", "desktop.ini": "",
	})
	want(t, walk(t, domain.CollectionSettings{}, dir), dir, "a.pdf", "b.txt", "old/c.pdf", "reports/d.docx")
	s := domain.CollectionSettings{Include: []string{"*.pdf", "reports/"}, Ignore: []string{"old/", "!node_modules/"}}
	want(t, walk(t, s, dir), dir, "a.pdf", "reports/d.docx", "node_modules/e.pdf")
}

func TestAnIgnoreFileThatCannotBeReadKeepsItsFolderAsItIs(t *testing.T) {
	dir := filesIn(t, map[string]string{"a.txt": "", "sub/b.txt": "", "sub/" + IgnoreFile: strings.Repeat("x\n", maxIgnoreFile)})
	tree := walk(t, domain.CollectionSettings{}, dir)
	want(t, tree, dir, "a.txt")
	if len(tree.Problems) != 1 || !tree.Covers(filepath.Join(dir, "sub", "b.txt")) || tree.Covers(filepath.Join(dir, "subway")) {
		t.Errorf("problems: %+v", tree.Problems)
	}
}

func TestLinksThatLeadBack(t *testing.T) {
	dir := filesIn(t, map[string]string{"a.txt": "", "sub/b.txt": ""})
	for link, to := range map[string]string{"up": dir, "sub/round": "../sub", "self.txt": "self.txt", "c.txt": "a.txt"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	tree := walk(t, domain.CollectionSettings{}, dir)
	// A link beside its file is another path of the same content; only names that are spelled alike are one file.
	want(t, tree, dir, "a.txt", "c.txt", "sub/b.txt")
	if len(tree.Problems) != 1 || filepath.Base(tree.Problems[0].Path) != "self.txt" {
		t.Errorf("problems: %+v", tree.Problems)
	}
}

const composed, decomposed = "caf\u00e9.txt", "cafe\u0301.txt"

// A second link with the name spelled in the other form is what a file system looks like that takes both for one.
func TestNamesSpelledInTwoForms(t *testing.T) {
	dir := filesIn(t, map[string]string{composed: "coffee"})
	if err := os.Link(filepath.Join(dir, composed), filepath.Join(dir, decomposed)); err != nil {
		t.Skip(err)
	}
	tree := walk(t, domain.CollectionSettings{}, dir)
	if len(tree.Files) != 1 {
		t.Fatalf("the same file is found %d times", len(tree.Files))
	}
	for _, stored := range []string{composed, decomposed} {
		tree = walk(t, domain.CollectionSettings{}, dir)
		path := filepath.Join(dir, stored)
		tree.Keep(maps.Keys(map[string]bool{path: true}))
		want(t, tree, dir, stored)
	}
	other := filesIn(t, map[string]string{composed: "one", decomposed: "two"})
	want(t, walk(t, domain.CollectionSettings{}, other), other, composed, decomposed)
}

func TestAPathLongerThanTheSystemTakesIsNamed(t *testing.T) {
	dir := filesIn(t, map[string]string{"a.txt": ""})
	t.Chdir(dir)
	for range 60 { // 60 times 100 characters: longer than any system takes in one piece
		name := strings.Repeat("n", 100)
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Skip(err)
		}
		if err := os.Chdir(name); err != nil {
			t.Skip(err)
		}
	}
	defer os.Chdir(dir)
	tree := walk(t, domain.CollectionSettings{}, dir)
	want(t, tree, dir, "a.txt")
	if len(tree.Problems) != 1 || !strings.Contains(tree.Problems[0].Reason, "too long") {
		t.Errorf("problems: %+v", tree.Problems)
	}
}

func TestACancelledWalkEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Walk(ctx, []string{filesIn(t, map[string]string{"a.txt": ""})}, domain.CollectionSettings{}, nil); err == nil {
		t.Error("it went on")
	}
}
