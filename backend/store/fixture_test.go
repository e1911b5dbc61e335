package store

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// testDim is the length of the made-up vectors of these tests.
const testDim = 8

var testStamp = Stamp{Analyser: "test", Chunker: "test", Embedder: "made-up", Dim: testDim}

// open makes a store in a new folder, or opens the one at path.
func open(t testing.TB, path string) *Store {
	t.Helper()
	if path == "" {
		path = filepath.Join(t.TempDir(), "index.db")
	}
	s, err := Open(t.Context(), path, Options{BusyTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func writer(t testing.TB, s *Store) *Writer {
	t.Helper()
	return writerUntil(t, t.Context(), s)
}

func writerUntil(t testing.TB, ctx context.Context, s *Store) *Writer {
	t.Helper()
	w, err := s.Writer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if err := w.SetStamp(t.Context(), testStamp); err != nil {
		t.Fatal(err)
	}
	return w
}

func collection(t testing.TB, s *Store, name string) domain.Collection {
	t.Helper()
	c, err := s.AddCollection(t.Context(), name, domain.PolicyAsk)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// document makes a document whose chunks are the given texts, with a made-up vector each.
func document(c domain.Collection, path string, texts ...string) DocumentRows {
	d := DocumentRows{Document: domain.Document{
		CollectionID: c.ID, Path: path, Format: "text", Title: "Title of " + strings.Trim(path, "/"), Size: 10,
		ModTime: time.Unix(1700000000, 5), Hash: path + strings.Join(texts, ","), State: domain.StateIndexed,
	}}
	for i, text := range texts {
		d.Chunks = append(d.Chunks, ChunkRow{
			Chunk:  domain.Chunk{Ordinal: i, Text: text, Place: domain.Place{Page: i + 1, Heading: "Part", Line: 3, Cells: "A2:D40"}},
			Vector: direction(float64(len(text) + i)),
		})
	}
	return d
}

// direction is a made-up unit vector that turns with the angle.
func direction(angle float64) []float32 {
	v := make([]float32, testDim)
	v[0], v[1] = float32(math.Cos(angle)), float32(math.Sin(angle))
	return v
}

func put(t testing.TB, w *Writer, docs ...DocumentRows) {
	t.Helper()
	if err := w.Put(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
}

func check(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// texts gives the texts of what a query finds by its words.
func texts(t testing.TB, s *Store, c domain.Collection, query string) []string {
	t.Helper()
	return passageTexts(t, s, lexical(t, s, c, query))
}

func lexical(t testing.TB, s *Store, c domain.Collection, query string) []Scored {
	t.Helper()
	found, err := s.Lexical(t.Context(), c.ID, language.ParseQuery(query).Match(nil), 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func passageTexts(t testing.TB, s *Store, found []Scored) []string {
	t.Helper()
	ids := make([]int64, len(found))
	for i, f := range found {
		ids[i] = f.ChunkID
	}
	passages, err := s.Passages(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, p := range passages {
		list = append(list, p.Chunk.Text)
	}
	return list
}

func has(t testing.TB, what string, got, want any) {
	t.Helper()
	if !equal(got, want) {
		t.Fatalf("%s: have %v, want %v", what, got, want)
	}
}
