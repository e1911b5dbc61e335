package judgements

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fanous/backend/domain"
)

func document(path, hash string) domain.Document {
	return domain.Document{ID: int64(len(path)), Path: path, Hash: hash, Title: "T " + path}
}

func book(t *testing.T) (*Book, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "judgements.jsonl")
	return Open(path), path
}

func put(t *testing.T, b *Book, js ...Judgement) {
	t.Helper()
	if err := b.Put(js...); err != nil {
		t.Fatal(err)
	}
}

func of(t *testing.T, b *Book, collection string) []Judgement {
	t.Helper()
	all, err := b.Of(collection)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheLatestJudgementOfAPassageCounts(t *testing.T) {
	b, path := book(t)
	doc, text := document("/a/secretname.txt", "hash"), domain.Chunk{Text: "a secrettext", Ordinal: 3}
	put(t, b, Of("c", " two   words ", domain.GradeNot, doc, text), Of("c", "other", domain.GradePartly, doc, text), Of("d", "two words", domain.GradeNot, doc, text))
	put(t, b, Of("c", "two words", domain.GradeRelevant, doc, text))
	all := of(t, b, "c")
	if len(all) != 2 || all[0].Query != "other" || all[1].Grade != domain.GradeRelevant || all[1].Ordinal != 3 {
		t.Errorf("%+v", all)
	}
	if other := of(t, b, "d"); len(other) != 1 || other[0].Grade != domain.GradeNot {
		t.Errorf("another collection has %+v", other)
	}
	content, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(content), "secret") {
		t.Errorf("a word of the document is in %s, %v", content, err)
	}

	if err := b.Withdraw(Of("c", "other", 0, doc, text)); err != nil || len(of(t, b, "c")) != 1 {
		t.Errorf("not withdrawn: %v", err)
	}
	if err := b.Rename("c", "e"); err != nil || len(of(t, b, "c")) != 0 || len(of(t, b, "e")) != 1 {
		t.Errorf("not renamed: %v", err)
	}
	if err := b.Forget("e", ""); err != nil || len(of(t, b, "e")) != 0 || len(of(t, b, "d")) != 1 {
		t.Errorf("not forgotten: %v", err)
	}
}

// A document is known by its bytes where it was moved, by its path where it was edited, and as one with both.
func TestADocumentIsFoundAgain(t *testing.T) {
	c := domain.Chunk{Text: "text"}
	all := []Judgement{
		Of("c", "q", domain.GradePartly, document("/a", "one"), c),
		Of("c", "q", domain.GradeRelevant, document("/a", "edited"), domain.Chunk{Text: "edited"}),
		Of("c", "q", domain.GradeRelevant, document("/b", "two"), c),
		Of("c", "other", domain.GradeRelevant, document("/gone", "gone"), c),
		Of("c", "none", domain.GradeNot, document("/a", "one"), c),
	}
	documents := DocumentsOf([]domain.Document{document("/moved", "two"), document("/a", "edited again"), document("/new", "new")})
	names := NamesOf(all)
	grades := Grades(all, documents)
	for path, want := range map[string]int{"/moved two": 2, "/a edited again": 2, "/new new": 0} {
		at, hash, _ := strings.Cut(path, " ")
		if got := grades["q"][names.Document(document(at, hash))]; got != want {
			t.Errorf("%s has grade %d, want %d", path, got, want)
		}
	}
	if len(grades["q"]) != 2 || len(grades["other"]) != 0 {
		t.Errorf("grades %v", grades)
	}
	set := SetOf("c", all, documents)
	if set.Judgements != 5 || set.Usable != 1 || set.Gone != 1 || len(set.Queries) != 3 {
		t.Errorf("%+v", set)
	}
}

// A document that was judged, moved, and judged again is one.
func TestADocumentHasOneName(t *testing.T) {
	c := domain.Chunk{Text: "text"}
	names := NamesOf([]Judgement{
		Of("c", "q", domain.GradePartly, document("/a", "one"), c), Of("c", "q", domain.GradePartly, document("/moved", "one"), c),
		Of("c", "q", domain.GradePartly, document("/moved", "edited"), c),
	})
	want := names.Document(document("/a", "one"))
	for _, d := range []domain.Document{document("/moved", "edited"), document("/moved", "anything"), document("/a", "another edit"), document("/new", "edited")} {
		if got := names.Document(d); got != want {
			t.Errorf("%s %s is %q, want %q", d.Path, d.Hash, got, want)
		}
	}
}

func TestExportedJudgementsComeBack(t *testing.T) {
	doc, c := document("/a/one.txt", "one"), domain.Chunk{Text: "متن «یک»", Ordinal: 2}
	all := []Judgement{Of("c", "پرسش", domain.GradeRelevant, doc, c), Of("c", "two", domain.GradeNot, doc, c), Of("c", "two", domain.GradePartly, document("/gone", "x"), c)}
	dir := filepath.Join(t.TempDir(), "set")
	text := func(j Judgement) (Row, bool) { return Row{Title: doc.Title, Text: c.Text}, j.Content == "one" }
	if err := Export(dir, all, text); err != nil {
		t.Fatal(err)
	}
	if err := Export(dir, all, text); domain.CodeOf(err) != domain.CodeUsage {
		t.Errorf("a folder that is not empty: %v", err)
	}
	rows, err := Rows(dir)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%v, %v", rows, err)
	}
	moved := DocumentsOf([]domain.Document{document("/b/other.txt", "one"), document("/c/named.txt", "two")})
	for id := range rows {
		j, found := Imported("d", "پرسش", 2, id, rows, moved)
		if !found || j.Text != all[0].Text || j.Ordinal != 2 || j.Content != "one" || j.Place != Place("/b/other.txt", "") {
			t.Errorf("%+v, %v", j, found)
		}
	}
	if j, found := Imported("d", "q", 9, "named.txt", nil, moved); !found || j.Content != "two" || j.Grade != domain.GradeRelevant || j.Text != "" {
		t.Errorf("by its name: %+v, %v", j, found)
	}
	if _, found := Imported("d", "q", 1, "nobody.txt", nil, moved); found {
		t.Error("a file that is not there was found")
	}
}

func TestWritersDoNotLoseEachOthersJudgements(t *testing.T) {
	_, path := book(t)
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() { // each as another process would
			if err := Open(path).Put(Of("c", strings.Repeat("q", i+1), 1, document("/a", "a"), domain.Chunk{})); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	if all := of(t, Open(path), "c"); len(all) != 8 {
		t.Errorf("%d of 8 are there", len(all))
	}
}

func TestADamagedFileIsNotWrittenOver(t *testing.T) {
	b, path := book(t)
	if err := os.WriteFile(path, []byte("{\"query\": \"a\"}\nnonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(Judgement{}); domain.CodeOf(err) != domain.CodeDamaged || !strings.Contains(domain.HintOf(err), "line 2") {
		t.Errorf("%v, %s", err, domain.HintOf(err))
	}
	if content, _ := os.ReadFile(path); !strings.Contains(string(content), "nonsense") {
		t.Error("it was written over")
	}
}
