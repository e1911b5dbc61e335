package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
)

// Stamp says what made the contents of an index. An empty field means that nothing of the kind is in the
// file yet.
type Stamp struct {
	Analyser string // version of the analyser that made the terms
	Chunker  string // version of the chunker that cut the text
	Embedder string // digest of the model that made the vectors
	Dim      int    // length of a vector
}

// Mismatch says where an index was made by something else than the program has now.
type Mismatch struct {
	Have, Want Stamp
	Lexical    bool // another analyser: RebuildTerms, then write again
	Chunking   bool // another chunker: old documents stay searchable, index them again for the new cut
	Vectors    bool // another embedder: its vectors can not be compared; DropVectors and embed again
}

// Any says whether anything differs.
func (m Mismatch) Any() bool { return m.Lexical || m.Chunking || m.Vectors }

// Stamp reads what made the index.
func (s *Store) Stamp(ctx context.Context) (Stamp, error) {
	st, err := readStamp(ctx, s.readers)
	return st, s.explain("read the stamp", err)
}

// CheckStamp compares the index with what the program would write. A field that is empty on either side is
// no mismatch: nothing is there yet, or the program has no embedder at hand.
func (s *Store) CheckStamp(ctx context.Context, want Stamp) (Mismatch, error) {
	have, err := s.Stamp(ctx)
	if err != nil {
		return Mismatch{}, err
	}
	return compare(have, want), nil
}

func compare(have, want Stamp) Mismatch {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return Mismatch{
		Have: have, Want: want,
		Lexical:  differ(have.Analyser, want.Analyser),
		Chunking: differ(have.Chunker, want.Chunker),
		Vectors: differ(have.Embedder, want.Embedder) ||
			have.Dim != 0 && want.Dim != 0 && have.Dim != want.Dim,
	}
}

func readStamp(ctx context.Context, q querier) (Stamp, error) {
	rows, err := q.QueryContext(ctx, "SELECT key, value FROM stamp")
	if err != nil {
		return Stamp{}, err
	}
	defer rows.Close()
	var st Stamp
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return Stamp{}, err
		}
		switch key {
		case "analyser":
			st.Analyser = value
		case "chunker":
			st.Chunker = value
		case "embedder":
			st.Embedder = value
		case "dim":
			if st.Dim, err = strconv.Atoi(value); err != nil {
				return Stamp{}, fmt.Errorf("stamp: dim: %w", err)
			}
		}
	}
	return st, rows.Err()
}

// writeStamp sets the fields that st has and leaves the others.
func writeStamp(ctx context.Context, tx *sql.Tx, st Stamp) error {
	dim := ""
	if st.Dim != 0 {
		dim = strconv.Itoa(st.Dim)
	}
	for key, value := range map[string]string{
		"analyser": st.Analyser, "chunker": st.Chunker, "embedder": st.Embedder, "dim": dim,
	} {
		if value == "" {
			continue
		}
		_, err := tx.ExecContext(ctx,
			"INSERT INTO stamp (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2", key, value)
		if err != nil {
			return fmt.Errorf("stamp %s: %w", key, err)
		}
	}
	return nil
}
