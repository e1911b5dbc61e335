package store

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
)

// asked is a finished search whose hits moved so far; nil is a hit that was not reranked.
func asked(collection, query string, deltas ...*int) domain.HistoryEntry {
	resp := domain.SearchResponse{Query: query, Method: domain.Hybrid, Collection: collection, Stages: []domain.Stage{{Name: "total", MS: 3}}}
	for i, d := range deltas {
		resp.Hits = append(resp.Hits, domain.Hit{Rank: i + 1, ChunkID: int64(i), Text: "the text of a passage", Path: "/secret/path", RerankDelta: d})
	}
	return domain.HistoryEntry{At: time.Unix(1700000000, 5), Collection: collection, Query: query, Trace: domain.TraceOf(resp)}
}

func keep(t *testing.T, s *Store, list ...domain.HistoryEntry) {
	t.Helper()
	keepLatest(t, s, MaxHistory, list...)
}

func keepLatest(t *testing.T, s *Store, n int, list ...domain.HistoryEntry) {
	t.Helper()
	w := s.HistoryWriter(n)
	for _, e := range list {
		w.Put(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func queries(t *testing.T, s *Store, limit int) string {
	t.Helper()
	list, err := s.History(t.Context(), limit)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Query)
	}
	return strings.Join(out, " ")
}

func TestHistoryIsKeptTheLatestFirst(t *testing.T) {
	s := open(t, "")
	collection(t, s, "news")
	want := asked("news", "one", new(2), nil)
	keep(t, s, want, asked("news", "two"), asked("nowhere", "three"), asked("news", "چهار"))
	has(t, "all", queries(t, s, 0), "چهار two one")
	has(t, "the latest", queries(t, s, 2), "چهار two")
	list, _ := s.History(t.Context(), 0)
	got := list[2]
	want.ID, want.Trace.Degraded, want.Trace.Rerank.Steps = got.ID, got.Trace.Degraded, got.Trace.Rerank.Steps
	has(t, "entry", fmt.Sprintf("%+v", got.Trace.Stages), fmt.Sprintf("%+v", want.Trace.Stages))
	has(t, "time", got.At.UnixNano(), want.At.UnixNano())
	has(t, "delta", *got.Trace.Hits[0].RerankDelta, 2)
	has(t, "no delta", got.Trace.Hits[1].RerankDelta == nil, true)
	if err := s.ClearHistory(t.Context()); err != nil {
		t.Fatal(err)
	}
	has(t, "cleared", queries(t, s, 0), "")
}

func TestHistoryHasNoTextAndGoesWithItsCollection(t *testing.T) {
	s := open(t, "")
	collection(t, s, "news")
	collection(t, s, "other")
	keep(t, s, asked("news", "a-query-to-forget", new(1)), asked("other", "stays"))
	if err := s.RemoveCollection(t.Context(), "news", nil); err != nil {
		t.Fatal(err)
	}
	has(t, "left", queries(t, s, 0), "stays")
	raw, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw, []byte("stays")) {
		t.Error("the file has nothing, so this test shows nothing")
	}
	for _, gone := range []string{"a-query-to-forget", "the text of a passage", "/secret/path"} {
		if bytes.Contains(raw, []byte(gone)) {
			t.Errorf("the file has %q", gone)
		}
	}
}

func TestHistoryIsBounded(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	_, err := s.writer.ExecContext(t.Context(), `
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO history (at, collection_id, query, trace) SELECT i, ?, 'old ' || i, '{}' FROM n`, MaxHistory, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, s, asked("news", "new"), asked("news", "newer"))
	list, err := s.History(t.Context(), 2*MaxHistory)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "kept", len(list), MaxHistory)
	has(t, "latest", list[0].Query, "newer")
	has(t, "oldest", list[len(list)-1].Query, "old 3")
}

func TestHistoryIsAsLongAsItIsSaidTo(t *testing.T) {
	s := open(t, "")
	collection(t, s, "news")
	keep(t, s, asked("news", "one"), asked("news", "two"), asked("news", "three"))
	keepLatest(t, s, 2, asked("news", "four"))
	has(t, "left", queries(t, s, 0), "four three")
}

func TestMovementCountsTheHitsThatMoved(t *testing.T) {
	s := open(t, "")
	collection(t, s, "news")
	var all []*int
	for _, d := range []int{-40, -20, -19, -4, -2, -1, 0, 0, 1, 2, 4, 5, 19, 20, 300} {
		all = append(all, &d)
	}
	keep(t, s, asked("news", "one", all...), asked("news", "two", nil, new(1)), asked("news", "three"))
	m, err := s.Movement(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%d searches, %d hits:", m.Searches, m.Hits)
	end := func(n *int) string {
		if n == nil {
			return ""
		}
		return fmt.Sprint(*n)
	}
	for _, b := range m.Buckets {
		got += fmt.Sprintf(" %s..%s:%d", end(b.From), end(b.To), b.Count)
	}
	has(t, "movement", got, "3 searches, 16 hits: ..-20:2 -19..-10:1 -9..-5:0 -4..-2:2 -1..-1:1 0..0:2 1..1:2 2..4:2 5..9:1 10..19:1 20..:2")
}
