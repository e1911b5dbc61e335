package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
)

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

func TestPutFindsByTermAndVector(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "lantern light", "boat river"), document(c, "/b", "lantern lantern oil"))
	has(t, "lexical", texts(t, s, c, "lantern"), []string{"lantern lantern oil", "lantern light"})
	near, err := s.Nearest(t.Context(), c.ID, direction(13), 1)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "nearest", passageTexts(t, s, near), []string{"lantern light"})
	if math.Abs(near[0].Score-1) > 1e-6 {
		t.Errorf("cosine with itself: %v", near[0].Score)
	}
	check(t, s)
}

// A call that ends with its context says so, wherever that comes.
func TestPutEndsWithItsContext(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	doc := document(c, "/a", slices.Repeat([]string{"words"}, 500)...)
	rows := make([]termRow, len(doc.Chunks))
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		terms := &analysed{blocks: make(chan chan []termRow)}
		go func() {
			block := make(chan []termRow, 1)
			block <- rows
			terms.blocks <- block
			cancel() // while they are stored
		}()
		if err := w.putAll(ctx, []DocumentRows{doc}, terms); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	files, _ := s.Files(t.Context(), c.ID)
	has(t, "files", len(files), 0)
}

func TestPutReplacesTheDocument(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "old words", "more old words", "third"), document(c, "/b", "other words"))
	before, _ := s.Files(t.Context(), c.ID)
	put(t, w, document(c, "/a", "new phrase"))
	after, err := s.Files(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "id stays", after["/a"].ID, before["/a"].ID)
	has(t, "old", texts(t, s, c, "old"), []string{})
	has(t, "new", texts(t, s, c, "phrase"), []string{"new phrase"})
	has(t, "other", texts(t, s, c, "words"), []string{"other words"})
	near, _ := s.Nearest(t.Context(), c.ID, direction(1), 100)
	has(t, "vectors", len(near), 2)
	sums, err := s.Summaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	has(t, "chunks", sums[0].Chunks, 2)
	has(t, "documents", sums[0].Documents, 2)
	has(t, "states", sums[0].States, map[string]int{"indexed": 2})
	check(t, s)
}

// What one Put stores becomes one segment of the full-text index: each more has to be written and merged.
func TestPutMakesOneSegment(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	list := []DocumentRows{document(c, "/a", "old words")}
	for i := range 20 {
		member := document(c, "/box", fmt.Sprintf("words of member %d", i))
		member.Member = fmt.Sprint(i)
		list = append(list, document(c, fmt.Sprintf("/%d", i), fmt.Sprintf("words of file %d", i)), member)
	}
	list = append(list, document(c, "/box"))
	for i := range list {
		for j := range list[i].Chunks {
			list[i].Chunks[j].Vector = nil
		}
	}
	put(t, w, list...)
	var segments int
	if err := s.readers.QueryRow("SELECT count(DISTINCT segid) FROM " + ftsTable(c.ID) + "_idx").Scan(&segments); err != nil {
		t.Fatal(err)
	}
	has(t, "segments", segments, 1)
}

func TestPutIsAllOrNothing(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	bad := document(c, "/bad", "fine", "not fine")
	bad.Chunks[1].Vector = make([]float32, testDim)
	if err := w.Put(t.Context(), document(c, "/good", "good words"), bad); err == nil {
		t.Fatal("a zero vector was stored")
	}
	files, _ := s.Files(t.Context(), c.ID)
	has(t, "files", len(files), 0)
	has(t, "terms", texts(t, s, c, "good"), []string{})
	check(t, s)
}

func TestFilesKeepEveryFieldAndState(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	want := document(c, "/locked.pdf").Document
	want.State, want.Reason, want.Author = domain.StateNeedsPassword, "It is encrypted.", "Someone"
	put(t, w, DocumentRows{Document: want})
	files, err := s.Files(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	got := files["/locked.pdf"]
	want.ID = got.ID
	if !got.ModTime.Equal(want.ModTime) {
		t.Errorf("time: have %v, want %v", got.ModTime, want.ModTime)
	}
	got.ModTime = want.ModTime
	has(t, "document", got, want)

	later := time.Unix(1800000000, 7)
	if err := w.Touch(t.Context(), got.ID, 99, later); err != nil {
		t.Fatal(err)
	}
	files, _ = s.Files(t.Context(), c.ID)
	if got := files["/locked.pdf"]; got.Size != 99 || !got.ModTime.Equal(later) || got.State != want.State {
		t.Errorf("after Touch: %+v", got)
	}
}

func TestCollectionsDoNotSeeEachOther(t *testing.T) {
	s := open(t, "")
	a, b := collection(t, s, "a"), collection(t, s, "b")
	w := writer(t, s)
	put(t, w, document(a, "/same", "lantern one"), document(b, "/same", "lantern two"))
	has(t, "a", texts(t, s, a, "lantern"), []string{"lantern one"})
	has(t, "b", texts(t, s, b, "lantern"), []string{"lantern two"})
	in, err := s.TermFrequency(t.Context(), a.ID, []string{"lantern", "two", "one"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "frequency", in, map[string]int{"lantern": 1, "two": 0, "one": 1})
}

func TestCollectionAdministration(t *testing.T) {
	s := open(t, "")
	ctx := t.Context()
	c, err := s.AddCollection(ctx, "press", domain.PolicyNever, "/b", "/a")
	if err != nil {
		t.Fatal(err)
	}
	has(t, "roots", c.Roots, []string{"/a", "/b"})
	again, err := s.AddCollection(ctx, "press", domain.PolicyAllowed, "/c", "/a")
	if err != nil {
		t.Fatal(err)
	}
	has(t, "same", again, domain.Collection{ID: c.ID, Name: "press", Policy: domain.PolicyNever, Roots: []string{"/a", "/b", "/c"}})
	if err := s.SetPolicy(ctx, "press", domain.PolicyAllowed); err != nil {
		t.Fatal(err)
	}
	if err := s.AddRoots(ctx, "press", "/d"); err != nil {
		t.Fatal(err)
	}
	got, _ := s.Collection(ctx, "press")
	has(t, "policy", got.Policy, domain.PolicyAllowed)
	has(t, "more roots", got.Roots, []string{"/a", "/b", "/c", "/d"})

	for name, err := range map[string]error{
		"collection": second(s.Collection(ctx, "none")),
		"policy":     s.SetPolicy(ctx, "none", domain.PolicyAsk),
		"roots":      s.AddRoots(ctx, "none", "/x"),
		"remove":     s.RemoveCollection(ctx, "none", nil),
	} {
		if domain.CodeOf(err) != domain.CodeNotFound || domain.HintOf(err) == "" {
			t.Errorf("%s of an unknown collection: %v", name, err)
		}
	}
	if err := s.SetPolicy(ctx, "press", "maybe"); domain.CodeOf(err) != domain.CodeUsage {
		t.Errorf("unknown policy: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// A deleted text must be nowhere in the file: not in a table, not in the terms, not on a free page, not in
// the log.
func TestDeletedTextIsNowhere(t *testing.T) {
	for name, remove := range map[string]func(*Store, *Writer, domain.Document) error{
		"Delete": func(s *Store, w *Writer, d domain.Document) error { return w.Delete(t.Context(), d.ID) },
		"Delete every second one": func(s *Store, w *Writer, d domain.Document) error {
			return w.Delete(t.Context(), append(others(t, s, d, 2), d.ID)...)
		},
		"Delete all but a few": func(s *Store, w *Writer, d domain.Document) error {
			return w.Delete(t.Context(), append(others(t, s, d, 1)[5:], d.ID)...)
		},
		"Delete one by one": func(s *Store, w *Writer, d domain.Document) error {
			for _, id := range append(others(t, s, d, 1)[1:], d.ID) {
				if err := w.Delete(t.Context(), id); err != nil {
					return err
				}
			}
			return nil
		},
		"Put": func(s *Store, w *Writer, d domain.Document) error {
			c := domain.Collection{ID: d.CollectionID}
			return w.Put(t.Context(), document(c, d.Path, "harmless"))
		},
		"RemoveCollection": func(s *Store, w *Writer, d domain.Document) error {
			if err := w.Close(); err != nil {
				return err
			}
			return s.RemoveCollection(t.Context(), "secrets", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, "")
			c, other := collection(t, s, "secrets"), collection(t, s, "other")
			w := writer(t, s)
			// Many documents in many segments, so that pages are shared and terms become keys of inner pages.
			secret := document(c, "/secret", "xyzzyplugh "+filler(0), "the xyzzyplughs "+filler(1))
			secret.Title = "zzqqtitle"
			secret.Chunks[0].Place.Heading = "zzqqheading"
			for i := range 40 {
				put(t, w, document(c, "/doc"+filler(i)[:9], filler(2*i), filler(2*i+1)))
				if i == 20 {
					put(t, w, secret)
				}
			}
			put(t, w, document(other, "/x", "unrelated"))
			if err := w.s.truncateLog(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{"xyzzyplugh", "zzqqtitle", "zzqqheading"} {
				if !onDisk(t, s, word) {
					t.Fatalf("%s is not there to begin with", word)
				}
			}
			files, _ := s.Files(t.Context(), c.ID)
			if err := remove(s, w, files["/secret"]); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			check(t, s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			// FTS5 leaves out what a term has in common with the one before it, so look for the ends. The first
			// letters of a term may stay as a key between two pages of terms until those are next merged.
			for _, word := range []string{"xyzzyplugh", "zyplugh", "qtitle", "qheading"} {
				if onDisk(t, s, word) {
					t.Errorf("%s is still on the disk", word)
				}
			}
		})
	}
}

// others are the ids of every nth of the other documents of a collection.
func others(t *testing.T, s *Store, d domain.Document, n int64) (ids []int64) {
	t.Helper()
	files, err := s.Files(t.Context(), d.CollectionID)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.ID != d.ID && f.ID%n == 0 {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// filler is made-up text of about 60 words, different for every n.
func filler(n int) string {
	words := make([]string, 60)
	for i := range words {
		x := uint64(n*60+i+1) * 0x9E3779B97F4A7C15
		words[i] = strings.Repeat(string(rune('a'+x>>59%26)), 2) + string(rune('a'+x>>50%26)) + string(rune('a'+x>>40%26)) + "w" + string(rune('a'+x>>30%26))
	}
	return strings.Join(words, " ")
}

// onDisk says whether the index file or its log holds the word.
func onDisk(t testing.TB, s *Store, word string) bool {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(s.path + suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(word)) {
			return true
		}
	}
	return false
}

func TestDeleteTakesEverythingOfADocument(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	bare := document(c, "/bare", "bare lantern")
	bare.Chunks[0].Vector = nil
	put(t, w, document(c, "/a", "lantern one", "two"), bare, document(c, "/c", "lantern three"))
	files, _ := s.Files(t.Context(), c.ID)
	if err := w.Delete(t.Context(), files["/a"].ID, files["/bare"].ID, 12345); err != nil {
		t.Fatal(err)
	}
	has(t, "terms", texts(t, s, c, "lantern"), []string{"lantern three"})
	missing, err := s.MissingVectors(t.Context(), c.ID, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "missing", len(missing), 0)
	check(t, s)
}

func TestChunkView(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "first", "middle", "last"))
	found := lexical(t, s, c, "middle")
	v, err := s.ChunkView(t.Context(), found[0].ChunkID)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "around", []string{v.Before, v.Chunk.Text, v.After}, []string{"first", "middle", "last"})
	has(t, "place", v.Chunk.Place, domain.Place{Page: 2, Heading: "Part", Line: 3, Cells: "A2:D40"})
	has(t, "document", v.Document.Path, "/a")
	if _, err := s.ChunkView(t.Context(), 999); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("unknown chunk: %v", err)
	}
	put(t, w, document(c, "/a", "first", "middle", "very last"))
	if _, err := s.ChunkView(t.Context(), found[0].ChunkID); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("an old id names a new chunk: %v", err)
	}
}

func TestPassagesKeepTheOrderAsked(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "one", "two", "three"))
	ids := []int64{}
	for _, f := range lexical(t, s, c, "one two three") {
		ids = append(ids, f.ChunkID)
	}
	slices.Sort(ids)
	got, err := s.Passages(t.Context(), []int64{ids[2], 777, ids[0], ids[1]})
	if err != nil {
		t.Fatal(err)
	}
	has(t, "order", []string{got[0].Chunk.Text, got[1].Chunk.Text, got[2].Chunk.Text}, []string{"three", "one", "two"})
}

// Several goroutines write, search and read at once; every search sees whole documents only.
func TestConcurrentUse(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	var all sync.WaitGroup
	for g := range 3 {
		all.Go(func() {
			for i := range 10 {
				if err := w.Put(t.Context(), document(c, fmt.Sprint("/", g, "-", i%4), "lantern "+filler(i), "boat")); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 20 {
				found, err := s.Lexical(t.Context(), c.ID, language.ParseQuery("lantern").Match(nil), 50, 1)
				if err != nil {
					t.Error(err)
				}
				if _, err := s.Nearest(t.Context(), c.ID, direction(1), 5); err != nil {
					t.Error(err)
				}
				if len(found) > 12 {
					t.Errorf("%d documents found of 12", len(found))
				}
			}
		})
	}
	all.Wait()
	has(t, "found", len(lexical(t, s, c, "boat")), 10)
	check(t, s)
}

func TestIndexIsWhereItIsPut(t *testing.T) {
	// Characters that mean something in a URL.
	path := filepath.Join(t.TempDir(), "a b?c#d%20é", "index.db")
	s := open(t, path)
	collection(t, s, "x")
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	if s.Bytes() == 0 {
		t.Error("no size")
	}
}
