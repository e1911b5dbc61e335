package store

import (
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend/domain"
)

var update = flag.Bool("update", false, "write the fixture of the present schema, if there is none yet")

// fixture is a small index of a schema, as a released program left it. It is never made again: what it is
// for is that it stays.
func fixture(schema int) string {
	return filepath.Join("testdata", fmt.Sprintf("schema%d.db.gz", schema))
}

func TestWriteFixture(t *testing.T) {
	if !*update {
		return
	}
	s := open(t, "")
	c := collection(t, s, "press")
	if err := s.AddRoots(t.Context(), "press", "/press"); err != nil {
		t.Fatal(err)
	}
	w := writer(t, s)
	bare := document(c, "/press/c", "lantern without vector")
	bare.Chunks[0].Vector = nil
	unread := document(c, "/press/d").Document
	unread.State, unread.Reason = domain.StateNeedsPassword, "It is encrypted."
	put(t, w, document(c, "/press/a", "lantern light", "فانوس روشن"), document(c, "/press/b", "مصباح مضيء"), bare,
		DocumentRows{Document: unread})
	check(t, s)
	w.Close()
	s.Close()
	db, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(fixture(SchemaVersion), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	z, _ := gzip.NewWriterLevel(out, gzip.BestCompression)
	if _, err := z.Write(db); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// An index of every schema opens, is searched, is brought to this program's analyser and is written to.
func TestEverySchemaOpens(t *testing.T) {
	for schema := 1; schema <= SchemaVersion; schema++ {
		t.Run(fmt.Sprint(schema), func(t *testing.T) {
			s := open(t, unpack(t, fixture(schema)))
			c, err := s.Collection(t.Context(), "press")
			if err != nil {
				t.Fatal(err)
			}
			has(t, "collection", c, domain.Collection{ID: 1, Name: "press", Policy: domain.PolicyAsk, Roots: []string{"/press"}})
			stamp, err := s.Stamp(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			has(t, "stamp", stamp, testStamp)
			has(t, "before", len(texts(t, s, c, "lantern")), 2)
			w, err := s.Writer(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if err := w.RebuildTerms(t.Context(), "test"); err != nil {
				t.Fatal(err)
			}
			check(t, s)
			has(t, "after", texts(t, s, c, "فانوس"), []string{"فانوس روشن"})
			near, err := s.Nearest(t.Context(), c.ID, direction(13), 1)
			if err != nil {
				t.Fatal(err)
			}
			has(t, "vectors", passageTexts(t, s, near), []string{"lantern light"})
			put(t, w, document(c, "/press/a", "new words"))
			check(t, s)
			var version int
			if err := s.readers.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
				t.Fatal(err)
			}
			has(t, "schema", version, SchemaVersion)
		})
	}
}

// unpack puts a fixture where it can be written to.
func unpack(t *testing.T, path string) string {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	db, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "index.db")
	if err := os.WriteFile(out, db, 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}
