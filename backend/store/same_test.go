package store

import (
	"fmt"
	"slices"
	"testing"

	"fanous/backend/domain"
)

// twin is a document with the bytes of another one, under another path and title.
func twin(of DocumentRows, path, title string) DocumentRows {
	of.Path, of.Title = path, title
	of.Chunks = slices.Clone(of.Chunks)
	return of
}

func member(file, name string, of DocumentRows) DocumentRows {
	of.Path, of.Member = file, name
	return of
}

func idsOf(found []Scored) []int64 {
	var ids []int64
	for _, f := range found {
		ids = append(ids, f.ChunkID)
	}
	slices.Sort(ids)
	return ids
}

func entry(t *testing.T, s *Store, c domain.Collection, path, member string) domain.DocumentEntry {
	t.Helper()
	page, err := s.Documents(t.Context(), c.ID, domain.DocumentFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range page.Documents {
		if e.Path == path && e.Member == member {
			return e
		}
	}
	t.Fatalf("no document %s %s in %+v", path, member, page.Documents)
	return domain.DocumentEntry{}
}

func TestTheSameBytesAreStoredOnce(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	a := document(c, "/a", "lantern light", "boat river")
	put(t, w, a, twin(a, "/b", "Second"), twin(a, "/c", "Third"))
	has(t, "passages", texts(t, s, c, "lantern"), []string{"lantern light"})
	passages, err := s.Passages(t.Context(), idsOf(lexical(t, s, c, "lantern")))
	if err != nil {
		t.Fatal(err)
	}
	has(t, "also", passages[0].Document.Also, []domain.Location{{Path: "/b"}, {Path: "/c"}})
	b := entry(t, s, c, "/b", "")
	has(t, "same", b.Same, &domain.Location{Path: "/a"})
	has(t, "its passages", b.Chunks, 2)
	check(t, s)

	before := idsOf(lexical(t, s, c, "lantern"))
	if err := w.Delete(t.Context(), entry(t, s, c, "/a", "").ID); err != nil {
		t.Fatal(err)
	}
	check(t, s)
	has(t, "the passage stays", idsOf(lexical(t, s, c, "lantern")), before)
	has(t, "it stands under the title of the next", len(texts(t, s, c, "Second")), 2)
	has(t, "and no more under that of the first", texts(t, s, c, "Title"), []string{})
	has(t, "missing vectors", count(t, s, c), 0)
	has(t, "the third follows", entry(t, s, c, "/c", "").Same, &domain.Location{Path: "/b"})

	put(t, w, document(c, "/b", "another text"))
	check(t, s)
	has(t, "what changes leaves its passages", idsOf(lexical(t, s, c, "lantern")), before)
	has(t, "to the last", entry(t, s, c, "/c", "").Chunks, 2)
	if err := w.Delete(t.Context(), entry(t, s, c, "/c", "").ID); err != nil {
		t.Fatal(err)
	}
	has(t, "nothing is left", texts(t, s, c, "lantern"), []string{})
	check(t, s)
}

// A hundred thousand empty files are a folder that people have.
func TestEachCopyIsWrittenOnce(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	first := document(c, "/0", "lantern light")
	docs := []DocumentRows{first}
	for i := range 200 {
		docs = append(docs, twin(first, fmt.Sprint("/copy", i), "Copy"))
	}
	changes := func() (n int) {
		if err := s.writer.QueryRowContext(t.Context(), "SELECT total_changes()").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := changes()
	put(t, w, docs...)
	if n := changes() - before; n > 4*len(docs) {
		t.Errorf("%d rows were written for %d documents", n, len(docs))
	}
}

func count(t *testing.T, s *Store, c domain.Collection) int {
	t.Helper()
	n, err := s.CountMissingVectors(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAFileAndItsMembersAreOneReplacement(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	file := DocumentRows{Document: domain.Document{CollectionID: c.ID, Path: "/box.mbox", Title: "box", Hash: "1", State: domain.StateContainer}}
	one, two := document(c, "1", "lantern one"), document(c, "2", "lantern two")
	put(t, w, member("/box.mbox", "1", one))
	has(t, "until it ends", entry(t, s, c, "/box.mbox", "").State, domain.StateReading)
	check(t, s)
	put(t, w, member("/box.mbox", "2", two), file)
	has(t, "at the end", entry(t, s, c, "/box.mbox", "").State, domain.StateContainer)
	has(t, "found", len(texts(t, s, c, "lantern")), 2)
	before := idsOf(lexical(t, s, c, "two"))

	// The first message is gone, and the second has moved up.
	file.Hash = "2"
	put(t, w, member("/box.mbox", "1", two), file)
	check(t, s)
	has(t, "what moved keeps its passage", idsOf(lexical(t, s, c, "lantern")), before)
	has(t, "no vector is wanted", count(t, s, c), 0)
	page, err := s.Documents(t.Context(), c.ID, domain.DocumentFilter{})
	if err != nil {
		t.Fatal(err)
	}
	has(t, "documents", len(page.Documents), 2)

	if err := w.Delete(t.Context(), entry(t, s, c, "/box.mbox", "").ID); err != nil {
		t.Fatal(err)
	}
	has(t, "members go with their file", texts(t, s, c, "lantern"), []string{})
	check(t, s)
}

func TestANewCutReplacesTheOld(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	a := document(c, "/a", "lantern light")
	a.Cut = "old"
	b := twin(a, "/b", "B")
	put(t, w, a, b)
	a.Cut, a.Chunks = "new", document(c, "", "lantern", "light").Chunks
	put(t, w, a)
	has(t, "the other keeps the old cut", len(texts(t, s, c, "lantern")), 2)
	b.Cut, b.Chunks = a.Cut, a.Chunks
	put(t, w, b)
	has(t, "until it is cut too", len(texts(t, s, c, "lantern")), 1)
	has(t, "and shares again", entry(t, s, c, "/b", "").Same, &domain.Location{Path: "/a"})
	check(t, s)
}

func TestWhatIsReadAnewHoldsForAllThatShareIt(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	scan := document(c, "/scan.pdf")
	scan.State, scan.OCR = domain.StateNoText, domain.OCRWanted
	put(t, w, scan, twin(scan, "/copy.pdf", "Copy"))
	scan.Chunks, scan.State, scan.OCR, scan.Anew = document(c, "", "lantern").Chunks, domain.StateIndexed, domain.OCRDone, true
	put(t, w, scan)
	check(t, s)
	e := entry(t, s, c, "/copy.pdf", "")
	has(t, "the copy", []any{e.State, e.OCR, e.Chunks}, []any{domain.StateIndexed, domain.OCRDone, 1})
	scan.Chunks, scan.State, scan.OCR, scan.Anew = nil, domain.StateNoText, domain.OCRWanted, false
	put(t, w, scan)
	has(t, "the same bytes again", texts(t, s, c, "lantern"), []string{"lantern"})
}

func TestDocumentsAreFilteredAndPaged(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "press")
	w := writer(t, s)
	locked := document(c, "/Ärzte/b")
	locked.State, locked.Reason = domain.StateNeedsPassword, "It is encrypted."
	put(t, w, document(c, "/a", "one"), locked, document(c, "/c", "two"))
	var paths []string
	filter := domain.DocumentFilter{Limit: 1}
	for {
		page, err := s.Documents(t.Context(), c.ID, filter)
		if err != nil {
			t.Fatal(err)
		}
		last := page.Documents[len(page.Documents)-1]
		paths = append(paths, last.Path)
		if filter.After = (domain.Location{Path: last.Path, Member: last.Member}); !page.More {
			break
		}
	}
	has(t, "pages", paths, []string{"/a", "/c", "/Ärzte/b"})
	for _, f := range []domain.DocumentFilter{{States: []domain.DocumentState{domain.StateNeedsPassword}}, {Text: "äRZTE"}} {
		page, err := s.Documents(t.Context(), c.ID, f)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Documents) != 1 || page.Documents[0].Reason != "It is encrypted." {
			t.Errorf("%+v: %+v", f, page.Documents)
		}
	}
}
