package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// hearing is a Shell that hands on what is said of watches, and saves files where it is told.
type hearing struct {
	note
	watches chan Watch
	file    string
}

func (h *hearing) Emit(_ string, data any) {
	if w, ok := data.(Watch); ok {
		h.watches <- w
	}
}

func (h *hearing) ChooseNewFile(string) (string, error) { return h.file, nil }

// collectionsOf starts an app with a collection of one file.
func collectionsOf(t *testing.T, shell Shell) (*CollectionsService, string) {
	t.Helper()
	a := New(shell, openIn(t))
	a.Start()
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "=a.txt"), []byte("lantern"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Services() {
		if s, ok := s.(*CollectionsService); ok {
			if _, err := s.Add("papers", []string{dir}); err != nil {
				t.Fatal(err)
			}
			return s, dir
		}
	}
	t.Fatal("there is no service for collections")
	return nil, ""
}

func TestACollectionIsWatchedAsLongAsItsSettingsSaySo(t *testing.T) {
	shell := &hearing{watches: make(chan Watch, 1000)}
	s, _ := collectionsOf(t, shell)
	if err := s.SetSettings("papers", domain.CollectionSettings{Watch: true}); err != nil {
		t.Fatal(err)
	}
	for w := range shell.watches { // what is there is indexed at once
		if w.Problem != nil {
			t.Fatalf("%+v", w.Problem)
		}
		if w.Changed == 1 && w.State.Watched > 0 {
			break
		}
	}
	if list := s.Watches(); len(list) != 1 || list[0].Collection != "papers" {
		t.Errorf("%+v", list)
	}
	if page, err := s.Files("papers", domain.DocumentFilter{}); err != nil || len(page.Documents) != 1 || page.Documents[0].State != domain.StateIndexed {
		t.Errorf("%+v, %v", page, err)
	}
	if err := s.Rename("papers", "letters"); err != nil {
		t.Fatal(err)
	}
	if list := s.Watches(); len(list) != 1 || list[0].Collection != "letters" {
		t.Errorf("renamed: %+v", list)
	}
	if err := s.SetSettings("letters", domain.CollectionSettings{}); err != nil {
		t.Fatal(err)
	}
	if list := s.Watches(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestAListOfFilesIsWrittenWholeOrNotAtAll(t *testing.T) {
	shell := &hearing{watches: make(chan Watch, 1000), file: filepath.Join(t.TempDir(), "files.csv")}
	s, _ := collectionsOf(t, shell)
	if err := os.WriteFile(shell.file, []byte("what stood there"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Export("nobody's", domain.DocumentFilter{}, false); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(shell.file); err != nil || string(text) != "what stood there" {
		t.Errorf("%s, %v", text, err)
	}
	if path, err := s.Export("papers", domain.DocumentFilter{}, false); err != nil || path != shell.file {
		t.Errorf("%s, %v", path, err)
	}
	if text, err := os.ReadFile(shell.file); err != nil || !strings.HasPrefix(string(text), "path,member,state") {
		t.Errorf("%s, %v", text, err)
	}
	left, err := os.ReadDir(filepath.Dir(shell.file))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	shell.file = ""
	if path, err := s.Export("papers", domain.DocumentFilter{}, true); err != nil || path != "" {
		t.Errorf("a cancelled dialog: %s, %v", path, err)
	}
}
