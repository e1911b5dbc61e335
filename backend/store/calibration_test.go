package store

import (
	"path/filepath"
	"testing"

	"fanous/backend/domain"
)

// pairsOf gives the pairs of two rerankers: ID -> search.
func pairsOf(t *testing.T, s *Store, remote, local string) map[int64]int64 {
	t.Helper()
	pairs, err := s.ScorePairs(t.Context(), remote, local)
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64]int64{}
	for _, p := range pairs {
		if p.Remote != float64(p.ID)/1e6 || p.Local != -float64(p.ID) {
			t.Errorf("pair %d came back as %+v", p.ID, p)
		}
		out[p.ID] = p.Search
	}
	return out
}

func addPairs(t *testing.T, s *Store, remote, local string, ids ...int64) {
	t.Helper()
	var pairs []domain.ScorePair
	for _, id := range ids {
		pairs = append(pairs, domain.ScorePair{ID: id, Remote: float64(id) / 1e6, Local: -float64(id)})
	}
	if err := s.AddScorePairs(t.Context(), remote, local, pairs); err != nil {
		t.Fatal(err)
	}
}

func TestScorePairsAreKeptOnceAndBySearch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := open(t, path)
	addPairs(t, s, "r", "a", 1, 2, 2)
	addPairs(t, s, "r", "a", 2, 3)
	addPairs(t, s, "r", "b", 4, -5)
	s = open(t, path)
	has(t, "one local", pairsOf(t, s, "r", "a"), map[int64]int64{1: 1, 2: 1, 3: 2})
	has(t, "the other", pairsOf(t, s, "r", "b"), map[int64]int64{4: 3, -5: 3})
	has(t, "none", pairsOf(t, s, "x", "a"), map[int64]int64{})
	for id, want := range map[int64]bool{1: true, -5: true, 9: false} {
		got, err := s.HasScorePair(t.Context(), id)
		if err != nil || got != want {
			t.Errorf("pair %d: %v, %v", id, got, err)
		}
	}
	models, err := s.ScoredModels(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	has(t, "models", models, [][2]string{{"r", "a"}, {"r", "b"}})
}

func TestScorePairsOfTheOldestSearchesGo(t *testing.T) {
	s := open(t, "")
	batch := func(from int64, n int) (ids []int64) {
		for i := range n {
			ids = append(ids, from+int64(i))
		}
		return ids
	}
	addPairs(t, s, "r", "other", 90_001)
	addPairs(t, s, "r", "a", batch(10_000, 10)...)
	addPairs(t, s, "r", "a", batch(20_000, MaxScorePairs-10)...)
	has(t, "just full", len(pairsOf(t, s, "r", "a")), MaxScorePairs)
	addPairs(t, s, "r", "a", 30_000)
	left := pairsOf(t, s, "r", "a")
	has(t, "the oldest search went whole", len(left), MaxScorePairs-10+1)
	_, stays := left[30_000]
	has(t, "the latest stays", stays, true)
	_, stays = left[10_009]
	has(t, "the oldest stays", stays, false)
	has(t, "others are left alone", pairsOf(t, s, "r", "other"), map[int64]int64{90_001: 1})
}
