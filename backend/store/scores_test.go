package store

import (
	"path/filepath"
	"testing"
	"time"

	"fanous/backend/domain"
)

// key is a made-up digest.
func key(n byte) (k [32]byte) { k[0], k[31] = n, 1; return k }

// kept puts scores, waits until they are written, and gives what is kept under the keys 0 to 9.
func kept(t *testing.T, s *Store, limit int, at time.Time, scores ...domain.KeptScore) map[byte]float64 {
	t.Helper()
	c := s.openScores(limit, func() time.Time { return at })
	c.Put(scores)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return stored(t, s)
}

func stored(t *testing.T, s *Store) map[byte]float64 {
	t.Helper()
	c := s.openScores(scoreLimit, func() time.Time { return time.Unix(0, 0) })
	defer c.Close()
	var keys [][32]byte
	for n := range byte(10) {
		keys = append(keys, key(n))
	}
	out := map[byte]float64{}
	for k, raw := range c.Get(t.Context(), keys) {
		out[k[0]] = raw
	}
	return out
}

func chunkIDs(t *testing.T, s *Store, c domain.Collection, query string) (ids []int64) {
	t.Helper()
	for _, f := range lexical(t, s, c, query) {
		ids = append(ids, f.ChunkID)
	}
	return ids
}

func TestScoresOutliveTheStoreAndGoWithTheirChunk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	s := open(t, path)
	c := collection(t, s, "news")
	w := writer(t, s) // nobody needs it to be closed
	put(t, w, document(c, "/a", "lantern light"), document(c, "/b", "boat"))
	a, b := chunkIDs(t, s, c, "lantern")[0], chunkIDs(t, s, c, "boat")[0]

	now := time.Unix(1_700_000_000, 0)
	has(t, "kept", kept(t, s, scoreLimit, now,
		domain.KeptScore{Key: key(1), ChunkID: a, Raw: -1.5},
		domain.KeptScore{Key: key(2), ChunkID: b, Raw: 0.25},
		domain.KeptScore{Key: key(3), ChunkID: 999, Raw: 7}, // of a chunk that is gone
	), map[byte]float64{1: -1.5, 2: 0.25})
	has(t, "put again", kept(t, s, scoreLimit, now, domain.KeptScore{Key: key(2), ChunkID: b, Raw: 0.5}), map[byte]float64{1: -1.5, 2: 0.5})

	put(t, w, document(c, "/a", "lantern oil")) // cut anew
	has(t, "after the document changed", stored(t, s), map[byte]float64{2: 0.5})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	has(t, "after opening again", stored(t, again), map[byte]float64{2: 0.5})
	if err := again.RemoveCollection(t.Context(), "news", nil); err != nil {
		t.Fatal(err)
	}
	has(t, "after the collection went", stored(t, again), map[byte]float64{})
	check(t, again)
}

func TestScoresAreBoundedByLastUse(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	put(t, writer(t, s), document(c, "/a", "lantern"))
	chunk := chunkIDs(t, s, c, "lantern")[0]
	const limit = 4
	day := func(n int) time.Time { return time.Unix(int64(n)*86400+10, 0) }
	for n := range byte(limit) {
		kept(t, s, limit, day(int(n)), domain.KeptScore{Key: key(n), ChunkID: chunk, Raw: float64(n)})
	}
	has(t, "full", len(stored(t, s)), limit)

	used := s.openScores(limit, func() time.Time { return day(9) })
	used.Get(t.Context(), [][32]byte{key(0)}) // the oldest, looked at again
	if err := used.Close(); err != nil {
		t.Fatal(err)
	}
	has(t, "one more", kept(t, s, limit, day(10), domain.KeptScore{Key: key(4), ChunkID: chunk, Raw: 4}),
		map[byte]float64{0: 0, 2: 2, 3: 3, 4: 4})
}

// TestScoresNeverWaitForAnIndexing: while another writer is in a transaction, scores are read, and those put are
// given up rather than waited for.
func TestScoresNeverWaitForAnIndexing(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	put(t, writer(t, s), document(c, "/a", "lantern"))
	chunk := chunkIDs(t, s, c, "lantern")[0]
	now := time.Unix(1_700_000_000, 0)
	kept(t, s, scoreLimit, now, domain.KeptScore{Key: key(1), ChunkID: chunk, Raw: 1})

	tx, err := s.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	scores := s.openScores(scoreLimit, func() time.Time { return now })
	for n := range byte(3 * scoreQueue) { // more than may wait
		scores.Put([]domain.KeptScore{{Key: key(n), ChunkID: chunk, Raw: 2}})
	}
	has(t, "read meanwhile", scores.Get(t.Context(), [][32]byte{key(1)}), map[[32]byte]float64{key(1): 1})
	if err := scores.Close(); err != nil {
		t.Fatal(err)
	}
	scores.Put([]domain.KeptScore{{Key: key(5), ChunkID: chunk, Raw: 2}}) // after the end: nothing
	if err := scores.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	has(t, "afterwards", stored(t, s), map[byte]float64{1: 1})
}
