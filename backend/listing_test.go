package backend_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

// withFiles opens a backend without models on a collection of these files, and gives their folder.
func withFiles(t *testing.T, files map[string]string) (*backend.Backend, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, name), []byte(text))
	}
	b := openOn(t, backend.Config{DataDir: t.TempDir()})
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	index(t, b, domain.IndexRequest{Collection: "papers", Paths: []string{dir}})
	return b, dir
}

func index(t *testing.T, b *backend.Backend, req domain.IndexRequest) domain.IndexReport {
	t.Helper()
	report, err := b.Index(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func summary(t *testing.T, b *backend.Backend, name string) domain.CollectionSummary {
	t.Helper()
	list, err := b.Collections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no %s among %+v", name, list)
	return domain.CollectionSummary{}
}

// TestATableOfFilesHoldsNoFormula, whatever a file calls itself and its parts.
func TestATableOfFilesHoldsNoFormula(t *testing.T) {
	b, _ := withFiles(t, map[string]string{"a.md": "# =HYPERLINK(\"http://x.invalid\")\n\nlantern\n", "b.md": "# +1\n\nharbour\n", "c.txt": "plain"})
	var table bytes.Buffer
	if err := b.ListCSV(t.Context(), &table, "papers", domain.DocumentFilter{}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%v, %v", rows, err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r\n") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	if got := rows[1][5]; got != `'=HYPERLINK("http://x.invalid")` {
		t.Errorf("the title is %q", got)
	}
}

func TestAListOfFilesAsJSONHasThemAll(t *testing.T) {
	b, dir := withFiles(t, map[string]string{"a.txt": "lantern", "b.txt": "harbour", "c.docx": "PK\x03\x04 no archive"})
	var lines bytes.Buffer
	if err := b.ListJSON(t.Context(), &lines, "papers", domain.DocumentFilter{States: []domain.DocumentState{domain.StateFailed}}); err != nil {
		t.Fatal(err)
	}
	var d domain.DocumentEntry
	if err := json.Unmarshal(lines.Bytes(), &d); err != nil || d.Path != filepath.Join(dir, "c.docx") || d.Note() == "" {
		t.Errorf("%s: %+v, %v", lines.String(), d, err)
	}
	if found, err := b.Document(t.Context(), d.ID); err != nil || found.Path != d.Path {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := b.Document(t.Context(), d.ID+100); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("a document that is not there: %v", err)
	}
}

func TestCountingChangesNothing(t *testing.T) {
	b, dir := withFiles(t, map[string]string{"a.txt": "lantern", "b.md": "harbour!", "c.md": "light"})
	count, err := b.CountFiles(t.Context(), "papers", domain.CollectionSettings{Include: []string{"*.md"}, Ignore: []string{"c.*"}})
	if err != nil || count != (domain.FileCount{Files: 1, Bytes: 8}) {
		t.Errorf("%+v, %v", count, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if count, err := b.CountFiles(t.Context(), "papers", domain.CollectionSettings{}); err != nil || count.Unreadable != 1 {
		t.Errorf("a folder that is away: %+v, %v", count, err)
	}
	if c := summary(t, b, "papers"); c.Documents != 3 {
		t.Errorf("%+v", c)
	}
}

func TestFilesAreReadAgainThoughTheyHaveNotChanged(t *testing.T) {
	b, dir := withFiles(t, map[string]string{"a.txt": "lantern", "b.txt": "harbour", "c.docx": "PK\x03\x04 no archive"})
	for name, c := range map[string]struct {
		req                        domain.IndexRequest
		indexed, unchanged, failed int
	}{
		"nothing":      {domain.IndexRequest{}, 0, 3, 0},
		"one":          {domain.IndexRequest{Again: []string{filepath.Join(dir, "a.txt")}}, 1, 2, 0},
		"a failed one": {domain.IndexRequest{Again: []string{filepath.Join(dir, "c.docx")}}, 0, 2, 1},
		"all":          {domain.IndexRequest{Rebuild: true}, 2, 0, 1},
	} {
		c.req.Collection = "papers"
		if r := index(t, b, c.req); r.Indexed != c.indexed || r.Unchanged != c.unchanged || r.NotIndexed != c.failed {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestARunOverAllOfACollectionIsDated(t *testing.T) {
	b, dir := withFiles(t, map[string]string{"a.txt": "lantern"})
	first := summary(t, b, "papers").Updated
	if first.IsZero() {
		t.Fatal("the run is not dated")
	}
	if err := b.RenameCollection(t.Context(), "papers", " letters "); err != nil {
		t.Fatal(err)
	}
	if c := summary(t, b, "letters"); !c.Updated.Equal(first) || c.Documents != 1 {
		t.Errorf("renamed: %+v", c)
	}
	index(t, b, domain.IndexRequest{Collection: "other", Paths: []string{dir}})
	if err := b.RenameCollection(t.Context(), "other", "letters"); domain.CodeOf(err) != domain.CodeUsage {
		t.Errorf("two collections of one name: %v", err)
	}
	// What has the number of one that was removed begins without its date.
	if err := b.RemoveCollection(t.Context(), "letters"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddCollection(t.Context(), "new", nil); err != nil {
		t.Fatal(err)
	}
	if c := summary(t, b, "new"); !c.Updated.IsZero() {
		t.Errorf("%+v", c)
	}
}

// TestRunsOfOneProcessTakeTurns, where those of two exclude each other.
func TestRunsOfOneProcessTakeTurns(t *testing.T) {
	b, _ := withFiles(t, map[string]string{"a.txt": "lantern", "b.txt": "harbour"})
	errs := make(chan error)
	for range 4 {
		go func() {
			_, err := b.Index(t.Context(), domain.IndexRequest{Collection: "papers", Rebuild: true}, nil)
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
