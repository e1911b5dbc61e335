package backend_test

import (
	"errors"
	"path/filepath"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/store"
)

// TestARunBeginsWithDeletionsThatWereCutOff: a program that runs only for a moment completes them, too.
func TestARunBeginsWithDeletionsThatWereCutOff(t *testing.T) {
	data, docs := t.TempDir(), t.TempDir()
	write(t, docs, "lantern.txt", "The lantern stood on the quay.")
	b := openOn(t, backend.Config{DataDir: data})
	defer b.Close()
	index := func(collection string) {
		t.Helper()
		if _, err := b.Index(t.Context(), domain.IndexRequest{Collection: collection, Paths: []string{docs}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	index("letters")
	s, err := store.Open(t.Context(), filepath.Join(data, "fanous.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cutOff := errors.New("cut off at its last step")
	if err := s.RemoveCollection(t.Context(), "letters", func(string) error { return cutOff }); !errors.Is(err, cutOff) {
		t.Fatal(err)
	}
	index("other")
	if err := s.GoOn(t.Context(), func(name string) error {
		t.Errorf("%s is left", name)
		return nil
	}); err != nil {
		t.Error(err)
	}
}
