package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/store/codes"
)

// codedTestDim is a length of vectors that are searched by their codes.
const codedTestDim = codedDim

// clustered makes n made-up vectors in groups of fifty.
func clustered(seed uint64, n int) [][]float32 {
	rng := rand.New(rand.NewPCG(seed, 9))
	around := func(from []float32, far float64) []float32 {
		v := make([]float32, codedTestDim)
		for i := range v {
			v[i] = from[i] + float32(far*rng.NormFloat64()/math.Sqrt(codedTestDim))
		}
		return v
	}
	middle := around(make([]float32, codedTestDim), 1)
	var group []float32
	all := make([][]float32, n)
	for i := range all {
		if i%50 == 0 {
			group = around(middle, 0.6)
		}
		all[i] = around(group, 0.5)
	}
	return all
}

// coded makes a collection of so many chunks, of hundred a document, that is searched by codes.
func coded(t testing.TB, n int) (*Store, *Writer, domain.Collection, [][]float32) {
	t.Helper()
	s := open(t, "")
	c := collection(t, s, "large")
	w, err := s.Writer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if err := w.SetStamp(t.Context(), Stamp{Embedder: "made-up", Dim: codedTestDim}); err != nil {
		t.Fatal(err)
	}
	vectors := clustered(1, n)
	var docs []DocumentRows
	for at := 0; at < n; at += 100 {
		docs = append(docs, codedDocument(c, fmt.Sprintf("/%d", at), vectors[at:min(at+100, n)]))
	}
	put(t, w, docs...)
	return s, w, c, vectors
}

func codedDocument(c domain.Collection, path string, vectors [][]float32) DocumentRows {
	d := document(c, path)
	for i, v := range vectors {
		d.Chunks = append(d.Chunks, ChunkRow{Chunk: domain.Chunk{Ordinal: i, Text: "x"}, Vector: v})
	}
	return d
}

const manyVectors = (scannedBlocks + 2) * codes.BlockSize

// byBoth searches by codes and by all vectors.
func byBoth(t *testing.T, s *Store, c domain.Collection, v []float32) (byCodes, all []Scored) {
	t.Helper()
	parts, err := s.codeParts(t.Context(), c.ID, codedTestDim)
	if err != nil || len(parts) == 0 {
		t.Fatal("the collection is not searched by codes", err)
	}
	byCodes, err = s.Nearest(t.Context(), c.ID, v, 40)
	if err != nil {
		t.Fatal(err)
	}
	unit, err := unitVector(v, codedTestDim)
	if err != nil {
		t.Fatal(err)
	}
	if all, err = s.Everything(c.ID).nearestOfAll(t.Context(), vectorBytes(unit), 40); err != nil {
		t.Fatal(err)
	}
	return byCodes, all
}

// In a large collection the codes find what comparing all vectors finds, with the same cosines, also after documents
// were replaced and deleted and vectors came later.
func TestNearestInALargeCollection(t *testing.T) {
	s, w, c, vectors := coded(t, manyVectors)
	late := codedDocument(c, "/late", vectors[300:400])
	for i := range late.Chunks {
		late.Chunks[i].Vector = nil
	}
	put(t, w, codedDocument(c, "/100", clustered(2, 130)), late)
	files, err := s.Files(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(t.Context(), files["/200"].ID, files["/5000"].ID); err != nil {
		t.Fatal(err)
	}
	missing, err := s.MissingVectors(t.Context(), c.ID, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	filled := map[int64][]float32{}
	for i, m := range missing {
		filled[m.ID] = vectors[300+i]
	}
	if err := w.PutVectors(t.Context(), c.ID, filled); err != nil {
		t.Fatal(err)
	}
	check(t, s)
	found, wanted := 0, 0
	for i := 0; i < len(vectors); i += 997 {
		byCodes, all := byBoth(t, s, c, vectors[i])
		have := map[int64]float64{}
		for _, f := range byCodes {
			have[f.ChunkID] = f.Score
		}
		for _, f := range all {
			wanted++
			if score, ok := have[f.ChunkID]; ok {
				found++
				if math.Abs(score-f.Score) > 5e-5 {
					t.Errorf("cosine %v, want %v", score, f.Score)
				}
			}
		}
	}
	if recall := float64(found) / float64(wanted); recall < 0.97 {
		t.Errorf("recall %.3f", recall)
	}
}

// A deleted vector leaves nothing in the tables of the codes.
func TestDeletionTakesTheCodes(t *testing.T) {
	s, w, c, _ := coded(t, 150)
	put(t, w, codedDocument(c, "/twice", clustered(3, 20)), codedDocument(c, "/twice", clustered(4, 30))) // in one call
	check(t, s)
	files, err := s.Files(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := w.Delete(t.Context(), f.ID); err != nil {
			t.Fatal(err)
		}
		check(t, s)
	}
	for _, table := range []string{codesTable(c.ID), roundedTable(c.ID)} {
		var n int
		if err := s.readers.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s has %d rows, %v", table, n, err)
		}
	}
}

// What is wrong with codes is found by Check, and searching does without what it can not read.
func TestDamagedCodes(t *testing.T) {
	s, _, c, vectors := coded(t, manyVectors)
	for name, harm := range map[string]string{
		"codes that are none":     `UPDATE codes_1 SET codes = zeroblob(100) WHERE block = 2`,
		"a block missing":         `DELETE FROM codes_1 WHERE block = 2`,
		"other codes":             `UPDATE codes_1 SET codes = (SELECT codes FROM codes_1 WHERE block = 2) WHERE block = 3`,
		"a rounded vector less":   `DELETE FROM rounded_1 WHERE chunk_id = 5`,
		"another rounded vector":  `UPDATE rounded_1 SET vector = zeroblob(length(vector)) WHERE chunk_id = 5`,
		"a rounded vector, short": `UPDATE rounded_1 SET vector = x'00' WHERE chunk_id > 5000`,
	} {
		t.Run(name, func(t *testing.T) {
			check(t, s)
			tx, err := s.writer.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, keep := range []string{
				"CREATE TABLE kept_codes AS SELECT * FROM codes_1", "CREATE TABLE kept_rounded AS SELECT * FROM rounded_1", harm,
			} {
				if _, err := tx.Exec(keep); err != nil {
					t.Fatal(err)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			if err := s.Check(t.Context()); domain.CodeOf(err) != domain.CodeDamaged {
				t.Errorf("check: %v", err)
			}
			near, err := s.Nearest(t.Context(), c.ID, vectors[7000], 40)
			if err != nil || len(near) != 40 {
				t.Errorf("%d found, %v", len(near), err)
			}
			harmful(t, s, `DELETE FROM codes_1; INSERT INTO codes_1 SELECT * FROM kept_codes; DROP TABLE kept_codes;
				DELETE FROM rounded_1; INSERT INTO rounded_1 SELECT * FROM kept_rounded; DROP TABLE kept_rounded`)
		})
	}
}

// The vectors that an older program stored are searched as they are, and coded by the next Writer.
func TestWriterCodesWhatIsNotCoded(t *testing.T) {
	s, w, c, vectors := coded(t, 3*codes.BlockSize)
	w.Close()
	harmful(t, s, fmt.Sprintf(codesDrop, c.ID))
	check(t, s)
	if near, err := s.Nearest(t.Context(), c.ID, vectors[0], 5); err != nil || len(near) != 5 {
		t.Fatal(near, err)
	}
	again, err := s.Writer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	check(t, s)
	if ok, err := hasTable(t.Context(), s.readers, codesTable(c.ID)); err != nil || !ok {
		t.Error("nothing was coded", err)
	}
}
