package backend_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

// TestWhatIsDeletedIsNowhere: a word of a text, a title, a query's answer or a path is in no file of the data folder
// once its document was deleted and indexed, or its collection removed.
func TestWhatIsDeletedIsNowhere(t *testing.T) {
	const inText, inTitle, inPath = "canaryintext", "canaryintitle", "canaryinpath"
	for name, remove := range map[string]func(t *testing.T, b *backend.Backend, file string){
		"the document": func(t *testing.T, b *backend.Backend, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Index(t.Context(), domain.IndexRequest{}, nil); err != nil {
				t.Fatal(err)
			}
		},
		"the collection": func(t *testing.T, b *backend.Backend, _ string) {
			if err := b.RemoveCollection(t.Context(), domain.DefaultCollection); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			data, files := t.TempDir(), t.TempDir()
			file := filepath.Join(files, inPath+".md")
			for path, text := range map[string]string{
				file:                              "# " + inTitle + "\n\nThe lantern " + inText + " hangs in the hall.\n",
				filepath.Join(files, "stays.txt"): "Another lantern stays here.",
			} {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b, err := backend.Open(t.Context(), backend.Config{
				DataDir: data, RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{os.Getenv("FANOUS_MODELS")},
				SearchSettings: backend.SearchSettings{History: true, Candidates: 10, Top: 5},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{files}}, nil); err != nil {
				t.Fatal(err)
			}
			for _, query := range []string{"lantern", "hall"} {
				if r, err := b.Search(t.Context(), domain.SearchRequest{Query: query}, nil); err != nil || len(r.Hits) == 0 {
					t.Fatalf("%+v, %v", r, err)
				}
			}
			if len(holding(t, data, inText, inTitle, inPath)) == 0 {
				t.Fatal("nothing is found before it is deleted either")
			}
			remove(t, b, file)
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			for _, found := range holding(t, data, inText, inTitle, inPath) {
				t.Error(found)
			}
		})
	}
}

// holding lists the files below a folder that hold one of the words, in any case, in UTF-8 or UTF-16.
func holding(t *testing.T, dir string, words ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content = append(bytes.ToLower(content), []byte(path)...)
		for _, word := range words {
			wide := strings.Join(strings.Split(word, ""), "\x00")
			if bytes.Contains(content, []byte(word)) || bytes.Contains(content, []byte(wide)) {
				found = append(found, word+" is in "+strings.TrimPrefix(path, dir))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
