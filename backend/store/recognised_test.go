package store

import (
	"strings"
	"testing"
)

// TestRecognisedPages: they are kept page by page, and go with their document, or with the content that they are of.
func TestRecognisedPages(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	one, two := document(c, "/a.pdf", "a"), document(c, "/b.pdf", "b")
	two.Hash = one.Hash // a copy
	put(t, w, one, two)
	list, err := s.Files(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	first, second := list["/a.pdf"].ID, list["/b.pdf"].ID
	keep := func(id int64, page int, maker, words string) {
		t.Helper()
		if err := w.KeepPage(t.Context(), id, page, maker, []byte(words)); err != nil {
			t.Fatal(err)
		}
	}
	words := func(id int64, page int) string {
		t.Helper()
		got, err := s.KeptPage(t.Context(), id, page)
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	keep(first, 1, "old", "one")
	keep(first, 1, "new", strings.Repeat("lantern ", 1000))
	keep(first, 2, "old", "two")
	has(t, "replaced", words(first, 1), strings.Repeat("lantern ", 1000))
	pages, err := s.KeptPages(t.Context(), first, "new")
	if err != nil {
		t.Fatal(err)
	}
	has(t, "of the maker", pages, map[int]bool{1: true})

	// The same content read anew keeps them; a deleted document leaves them to its copy.
	again := one
	again.Anew = true
	put(t, w, again)
	has(t, "read anew", words(first, 2), "two")
	put(t, w, two)
	if err := w.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	has(t, "gone", words(first, 2), "")
	has(t, "with the copy", words(second, 2), "two")

	// Other content, then no document.
	two.Hash = "other"
	put(t, w, two)
	has(t, "other content", words(second, 2), "")
	keep(second, 3, "new", "three")
	if err := w.Delete(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	has(t, "deleted", words(second, 3), "")
	check(t, s)
}

// TestRecognisedWordsOfADeletedDocumentAreNowhere, packed as they are kept.
func TestRecognisedWordsOfADeletedDocumentAreNowhere(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "scans")
	w := writer(t, s)
	put(t, w, document(c, "/scan", "a page"), document(c, "/other", "another page"))
	id := entry(t, s, c, "/scan", "").ID
	if err := w.KeepPage(t.Context(), id, 1, "made-up", []byte(filler(1)+filler(2))); err != nil {
		t.Fatal(err)
	}
	var packed []byte
	if err := s.readers.QueryRowContext(t.Context(), "SELECT words FROM recognised").Scan(&packed); err != nil {
		t.Fatal(err)
	}
	middle := string(packed[len(packed)/2:][:40])
	if !onDisk(t, s, middle) {
		t.Fatal("it is not there to begin with")
	}
	if err := w.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if onDisk(t, s, middle) {
		t.Error("it is still on the disk")
	}
}
