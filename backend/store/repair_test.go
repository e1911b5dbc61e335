package store

import (
	"os"
	"slices"
	"testing"

	"fanous/backend/domain"
)

// TestRepair: what is least goes, the index is whole afterwards, and no collection is lost or more open than it was.
func TestRepair(t *testing.T) {
	restricted := domain.Collection{Name: "news", Policy: domain.PolicyNever, Roots: []string{"/case"}, Settings: domain.CollectionSettings{Ignore: []string{"*.tmp"}}}
	for name, c := range map[string]struct {
		harm   string
		repair domain.Repair
		lost   bool
		found  []string // by "lantern", right after the repair
	}{
		"none":                           {"", domain.RepairNone, false, []string{"lantern one"}},
		"a page of terms":                {`UPDATE fts_1_data SET block = zeroblob(20) WHERE id > 10`, domain.RepairTerms, false, []string{"lantern one"}},
		"a term that is not in the text": {`INSERT INTO fts_1 (rowid, head, body) VALUES (1, '', 'stray')`, domain.RepairTerms, false, []string{"lantern one"}},
		"a vector missing":               {`DELETE FROM vec_1 WHERE rowid = 1`, domain.RepairVectors, false, []string{"lantern one"}},
		"a chunk too few":                {`UPDATE documents SET chunks = 3`, domain.RepairAnew, false, []string{}},
		"an unknown policy":              {`UPDATE documents SET chunks = 3; UPDATE collections SET policy = 'open'`, domain.RepairAnew, true, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, "")
			id := collection(t, s, "news")
			w := writer(t, s)
			put(t, w, document(id, "/case/a", "lantern one", "two"))
			if err := s.SetPolicy(t.Context(), "news", restricted.Policy); err != nil {
				t.Fatal(err)
			}
			if err := s.SetSettings(t.Context(), "news", restricted.Settings); err != nil {
				t.Fatal(err)
			}
			if err := s.AddRoots(t.Context(), "news", restricted.Roots...); err != nil {
				t.Fatal(err)
			}
			if c.harm != "" {
				harmful(t, s, c.harm)
			}
			w.Close()
			s.Close()
			if err := os.WriteFile(s.path+".new", []byte("left by a repair that was killed"), 0o600); err != nil {
				t.Fatal(err)
			}
			report, err := Repair(t.Context(), s.path, "test")
			if err != nil || report.Repair != c.repair || report.Lost != c.lost || (report.Found == "") != (c.repair == domain.RepairNone) {
				t.Fatalf("%+v, %v", report, err)
			}
			s = open(t, s.path)
			check(t, s)
			have, err := s.Collection(t.Context(), "news")
			if err != nil || have.Policy != restricted.Policy || !slices.Equal(have.Roots, restricted.Roots) || !slices.Equal(have.Settings.Ignore, restricted.Settings.Ignore) {
				t.Errorf("%+v, %v", have, err)
			}
			has(t, "found", texts(t, s, have, "lantern"), c.found)
			if again, err := Repair(t.Context(), s.path, "test"); err != nil || again.Repair != domain.RepairNone {
				t.Errorf("again: %+v, %v", again, err)
			}
		})
	}
}

// TestRepairOfWhatIsNoIndex: nothing is left of it but its place.
func TestRepairOfWhatIsNoIndex(t *testing.T) {
	path := t.TempDir() + "/text.db"
	if err := os.WriteFile(path, []byte("<html>"+filler(1)+filler(2)), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Repair(t.Context(), path, "test")
	if err != nil || report.Repair != domain.RepairAnew || !report.Lost || len(report.Collections) > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	check(t, open(t, path))
}

// TestRepairRefusesWhileSomebodyWrites: an index that another process fills is neither repaired nor replaced.
func TestRepairRefusesWhileSomebodyWrites(t *testing.T) {
	s := open(t, "")
	put(t, writer(t, s), document(collection(t, s, "news"), "/a", "lantern"))
	for _, harm := range []string{`UPDATE documents SET chunks = 3`, `DROP TABLE documents`} {
		harmful(t, s, "PRAGMA foreign_keys = off; "+harm)
		if _, err := Repair(t.Context(), s.path, "test"); err == nil || domain.CodeOf(err) != domain.CodeLocked {
			t.Errorf("after %s: %v", harm, err)
		}
	}
}

// TestDoubtedText: text that fits no terms is taken from the file again; what is as the file has it keeps its chunks and vectors.
func TestDoubtedText(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "news")
	w := writer(t, s)
	docs := []DocumentRows{document(c, "/a", "lantern one", "two"), document(c, "/b", "three"), document(c, "/copy", "three")}
	docs[2].Hash = docs[1].Hash
	put(t, w, docs...)
	harmful(t, s, `UPDATE chunks SET text = 'lantern odd' WHERE id = 1`)
	w.Close()
	s.Close()
	if report, err := Repair(t.Context(), s.path, "test"); err != nil || report.Repair != domain.RepairTerms {
		t.Fatalf("%+v, %v", report, err)
	}
	s = open(t, s.path)
	has(t, "before", texts(t, s, c, "lantern"), []string{"lantern odd"})
	for i := range docs {
		for j := range docs[i].Chunks {
			docs[i].Chunks[j].Vector = nil // as a run has them that has embedded nothing yet
		}
	}
	w = writer(t, s)
	put(t, w, docs...)
	put(t, w, docs...)
	check(t, s)
	has(t, "after", texts(t, s, c, "lantern"), []string{"lantern one"})
	missing, err := s.MissingVectors(t.Context(), c.ID, 0, 10)
	if err != nil || len(missing) != 2 || missing[0].Text != "lantern one" || missing[1].Text != "two" {
		t.Errorf("to be embedded again: %+v, %v", missing, err)
	}
}
