//go:build vecconformance

package vecconformance

import (
	"cmp"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	reference "github.com/asg017/sqlite-vec-go-bindings/cgo"
	_ "github.com/mattn/go-sqlite3" // SQLite in C

	"fanous/backend/domain"
	"fanous/backend/store"
	"fanous/backend/store/storetest"
)

const (
	dim = 384
	// tolerance of a cosine: the two builds add up float32 in another order.
	tolerance = 1e-5
)

// One process must not have a file open in two copies of SQLite at once, for they break each other's locks:
// each has it in turn.
func TestSameFileSameNeighbours(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	src := storetest.New(t, 1)
	collection := write(t, path, src)
	var queries [][]float32
	for range 25 {
		queries = append(queries, src.Vector(dim))
	}
	for _, k := range []int{1, 40, 1000} {
		t.Run(fmt.Sprint("k ", k), func(t *testing.T) {
			ours := ask(t, path, collection, queries, k)
			theirs := askReference(t, path, collection, queries, k)
			for i := range queries {
				if len(ours[i]) != len(theirs[i]) || len(ours[i]) != min(k, 540) {
					t.Fatalf("query %d: %d neighbours, the reference has %d", i, len(ours[i]), len(theirs[i]))
				}
				for j, have := range ours[i] {
					want := theirs[i][j]
					if have.ChunkID != want.ChunkID || math.Abs(have.Score-want.Score) > tolerance {
						t.Fatalf("query %d, neighbour %d: %+v, the reference has %+v", i, j, have, want)
					}
				}
			}
		})
	}
}

// write makes an index of 540 vectors in which some were replaced and some deleted.
func write(t *testing.T, path string, src *storetest.Source) int64 {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, path, store.Options{})
	must(t, err)
	defer s.Close()
	c, err := s.AddCollection(ctx, "c", domain.PolicyAsk)
	must(t, err)
	w, err := s.Writer(ctx)
	must(t, err)
	defer w.Close()
	must(t, w.SetStamp(ctx, store.Stamp{Embedder: "made-up", Dim: dim}))
	put := func(name string, n int) {
		d := store.DocumentRows{Document: domain.Document{CollectionID: c.ID, Path: name, State: domain.StateIndexed}}
		for i := range n {
			d.Chunks = append(d.Chunks, store.ChunkRow{
				Chunk: domain.Chunk{Ordinal: i, Text: src.Text(5)}, Vector: src.Vector(dim),
			})
		}
		must(t, w.Put(ctx, d))
	}
	put("/gone", 300)
	put("/kept", 250)
	put("/replaced", 400)
	put("/replaced", 290)
	files, err := s.Files(ctx, c.ID)
	must(t, err)
	must(t, w.Delete(ctx, files["/gone"].ID))
	return c.ID
}

func ask(t *testing.T, path string, collection int64, queries [][]float32, k int) (lists [][]store.Scored) {
	t.Helper()
	s, err := store.Open(t.Context(), path, store.Options{})
	must(t, err)
	defer s.Close()
	for _, q := range queries {
		list, err := s.Nearest(t.Context(), collection, q, k)
		must(t, err)
		lists = append(lists, list)
	}
	return lists
}

func askReference(t *testing.T, path string, collection int64, queries [][]float32, k int) (lists [][]store.Scored) {
	t.Helper()
	reference.Auto()
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	var version string
	must(t, db.QueryRow("SELECT vec_version()").Scan(&version))
	t.Logf("reference: sqlite-vec %s", version)
	for _, q := range queries {
		blob, err := reference.SerializeFloat32(unit(q))
		must(t, err)
		rows, err := db.Query(fmt.Sprintf(
			"SELECT rowid, distance FROM vec_%d WHERE embedding MATCH ? AND k = ? ORDER BY distance", collection), blob, k)
		must(t, err)
		var list []store.Scored
		for rows.Next() {
			var id int64
			var distance float64
			must(t, rows.Scan(&id, &distance))
			list = append(list, store.Scored{ChunkID: id, Score: 1 - distance*distance/2})
		}
		must(t, rows.Err())
		slices.SortFunc(list, func(a, b store.Scored) int { // equal distances in the store's order
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ChunkID, b.ChunkID))
		})
		lists = append(lists, list)
	}
	return lists
}

func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	u := make([]float32, len(v))
	for i, x := range v {
		u[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return u
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
