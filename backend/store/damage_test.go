package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
)

func TestOpenNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write := func(path string, b []byte) string {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(file, []byte("not a folder"))
	for name, c := range map[string]struct {
		path string
		code domain.Code
	}{
		"an empty file":          {write(filepath.Join(dir, "empty.db"), nil), ""},
		"not a database":         {write(filepath.Join(dir, "text.db"), []byte("<html>"+filler(1)+filler(2))), domain.CodeDamaged},
		"its folder is a file":   {filepath.Join(file, "index.db"), domain.CodeInternal},
		"the index is a folder":  {dir, domain.CodeInternal},
		"a folder that is to be": {filepath.Join(dir, "deep", "er", "index.db"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.Context(), c.path, Options{})
			if err == nil {
				s.Close()
			}
			if c.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || domain.CodeOf(err) != c.code || domain.HintOf(err) == "" {
				t.Fatalf("have %v (code %s, hint %q)", err, domain.CodeOf(err), domain.HintOf(err))
			}
		})
	}
}

func TestOpenRefusesANewerSchema(t *testing.T) {
	s := open(t, "")
	harmful(t, s, "PRAGMA user_version = 99")
	s.Close()
	_, err := Open(t.Context(), s.path, Options{})
	if err == nil || domain.HintOf(err) == "" {
		t.Fatalf("have %v", err)
	}
}

// harmful runs SQL behind the store's back.
func harmful(t testing.TB, s *Store, query string, args ...any) {
	t.Helper()
	if _, err := s.writer.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// Every kind of damage is found by Check. The terms that do not fit the text pass SQLite's own check.
func TestCheckFindsDamage(t *testing.T) {
	for name, harm := range map[string]string{
		"a term that is not in the text": `INSERT INTO fts_1 (rowid, head, body) VALUES (1, '', 'stray')`,
		"terms of a chunk missing":       `DELETE FROM fts_1 WHERE rowid = 1`,
		"a page of terms lost":           `UPDATE fts_1_data SET block = zeroblob(20) WHERE id > 10`,
		"a vector missing":               `DELETE FROM vec_1 WHERE rowid = 1`,
		"a chunk too few":                `UPDATE documents SET chunks = 3`,
		"an orphan":                      `PRAGMA foreign_keys = off; INSERT INTO chunks SELECT 50, 50, 0, 0, 0, '', 'x', '', '', 0`,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, "")
			c := collection(t, s, "news")
			w := writer(t, s)
			put(t, w, document(c, "/a", "lantern one", "two"))
			check(t, s)
			harmful(t, s, harm)
			err := s.Check(t.Context())
			if domain.CodeOf(err) != domain.CodeDamaged || domain.HintOf(err) == "" {
				t.Fatalf("have %v", err)
			}
		})
	}
}

func TestCheckFindsADamagedPage(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	for i := range 20 {
		put(t, w, document(c, fmt.Sprint("/", i), filler(i)))
	}
	w.Close()
	s.Close()
	b, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(b) / 2; i < len(b)/2+8192; i++ {
		b[i] = 0xA5
	}
	if err := os.WriteFile(s.path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, s.path)
	if err := s.Check(t.Context()); domain.CodeOf(err) != domain.CodeDamaged {
		t.Fatalf("have %v", err)
	}
}

// RebuildTerms is the repair of a damaged index of terms.
func TestRebuildTermsRepairs(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "lantern one", "two"), document(c, "/b", "three"))
	harmful(t, s, `UPDATE fts_1_data SET block = zeroblob(20) WHERE id > 10`)
	if err := w.RebuildTerms(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	check(t, s)
	has(t, "found", texts(t, s, c, "lantern"), []string{"lantern one"})
}

// A disk that is full ends a call with the reason; what was acknowledged before stays, and the next call works.
func TestFullDiskLosesNothing(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "lantern"))
	var pages int
	if err := s.writer.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	harmful(t, s, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	big := document(c, "/big")
	for i := range 200 {
		big.Chunks = append(big.Chunks, document(c, "", filler(i)).Chunks[0])
		big.Chunks[i].Ordinal = i
	}
	err := w.Put(t.Context(), big)
	if err == nil || !strings.Contains(err.Error(), "disk is full") || domain.HintOf(err) == "" {
		t.Fatalf("have %v", err)
	}
	check(t, s)
	has(t, "kept", texts(t, s, c, "lantern"), []string{"lantern"})
	harmful(t, s, "PRAGMA max_page_count = 1000000")
	put(t, w, big)
	check(t, s)
}

// A reader that is held open keeps the log from being cut, but only as long as it is open.
func TestLogIsCutAfterAReader(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	put(t, w, document(c, "/a", "one"))
	tx, err := s.readers.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM chunks").Scan(&n); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		put(t, w, document(c, "/b", filler(i)))
	}
	grown := fileSize(s.path + "-wal")
	if grown == 0 {
		t.Fatal("the log did not grow: this test shows nothing")
	}
	tx.Rollback()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	has(t, "log", fileSize(s.path+"-wal"), int64(0))
}

// A write that waits for another process gives up with the reason, and at once where it is cancelled.
func TestBusyIsNamed(t *testing.T) {
	s := open(t, "")
	collection(t, s, "news")
	other, err := Open(t.Context(), s.path, Options{BusyTimeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := s.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	err = other.SetPolicy(t.Context(), "news", domain.PolicyNever)
	if domain.CodeOf(err) != domain.CodeLocked {
		t.Errorf("have %v", err)
	}
	if _, err := other.Collection(t.Context(), "news"); err != nil {
		t.Errorf("reading beside a writer: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := other.SetPolicy(cancelled, "news", domain.PolicyNever); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	tx.Rollback()
}
