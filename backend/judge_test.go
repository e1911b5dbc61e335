package backend_test

import (
	"os"
	"path/filepath"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/eval"
)

// TestJudgedPassagesAreMeasured: what is judged stays with the passage through an edit and another index, is measured on the
// collection itself, and goes with it.
func TestJudgedPassagesAreMeasured(t *testing.T) {
	data, files := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("hall.txt", "The lantern hangs in the hall.")
	write("boat.txt", "A lantern on the boat, a lantern at the pier.")
	open := func() *backend.Backend {
		t.Helper()
		b, err := backend.Open(t.Context(), backend.Config{DataDir: data, SearchSettings: backend.SearchSettings{Candidates: 10, Top: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{files}}, nil); err != nil {
			t.Fatal(err)
		}
		return b
	}
	ask := func(b *backend.Backend) map[string]int64 {
		t.Helper()
		r, err := b.Search(t.Context(), domain.SearchRequest{Query: "lantern", Method: domain.BM25, Rerank: domain.RerankOff}, nil)
		if err != nil {
			t.Fatal(err)
		}
		chunks := map[string]int64{}
		for _, h := range r.Hits {
			chunks[filepath.Base(h.Path)] = h.ChunkID
		}
		return chunks
	}
	judge := func(b *backend.Backend, chunk int64, grade domain.Grade) {
		t.Helper()
		if err := b.Judge(t.Context(), domain.DefaultCollection, "lantern", chunk, &grade); err != nil {
			t.Fatal(err)
		}
	}
	b := open()
	chunks := ask(b)
	judge(b, chunks["hall.txt"], domain.GradeRelevant)
	judge(b, chunks["boat.txt"], domain.GradeNot)
	wrong := domain.Grade(3)
	for name, err := range map[string]error{
		"no query":      b.Judge(t.Context(), domain.DefaultCollection, " ", chunks["hall.txt"], nil),
		"no such grade": b.Judge(t.Context(), domain.DefaultCollection, "q", chunks["hall.txt"], &wrong),
	} {
		if domain.CodeOf(err) != domain.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
	result, err := b.EvaluateJudged(t.Context(), domain.DefaultCollection, false, eval.Options{Stages: []string{eval.StageBM25, eval.StageCohere}})
	if err != nil || len(result.Report.Stages) != 1 || result.Report.Stages[0].Metrics[eval.MRR] != 0.5 || result.Report.Documents != 2 {
		t.Fatalf("%+v, %v", result.Report, err)
	}

	// The judged file is edited, the index thrown away, and the collection has another name: the judgement of the document
	// stays, that of the passage is withdrawn with its text.
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	write("hall.txt", "The lantern hangs in the great hall.")
	for _, name := range []string{"fanous.db", "fanous.db-wal", "fanous.db-shm"} {
		if err := os.RemoveAll(filepath.Join(data, name)); err != nil {
			t.Fatal(err)
		}
	}
	b = open()
	defer b.Close()
	chunks = ask(b)
	grades, err := b.Grades(t.Context(), domain.DefaultCollection, " lantern", []int64{chunks["hall.txt"], chunks["boat.txt"]})
	if _, edited := grades[chunks["hall.txt"]]; err != nil || edited || len(grades) != 1 || grades[chunks["boat.txt"]] != domain.GradeNot {
		t.Errorf("%v, %v", grades, err)
	}
	set, err := b.Judged(t.Context(), domain.DefaultCollection)
	if err != nil || set.Usable != 1 || set.Gone != 0 || set.Queries[0].Passages[0].Path != filepath.Join(files, "hall.txt") {
		t.Errorf("%+v, %v", set, err)
	}
	if err := b.RenameCollection(t.Context(), domain.DefaultCollection, "other"); err != nil {
		t.Fatal(err)
	}
	if set, err = b.Judged(t.Context(), "other"); err != nil || set.Judgements != 2 {
		t.Errorf("%+v, %v", set, err)
	}

	// A folder of judgements takes them along.
	exported := filepath.Join(t.TempDir(), "set")
	if err := b.ExportJudged(t.Context(), "other", exported); err != nil {
		t.Fatal(err)
	}
	if err := b.ForgetJudged(t.Context(), "other", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := b.EvaluateJudged(t.Context(), "other", false, eval.Options{}); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("nothing is judged: %v", err)
	}
	report, err := b.ImportJudged(t.Context(), "other", exported)
	if err != nil || report != (domain.JudgedImport{Queries: 1, Judgements: 2}) {
		t.Errorf("%+v, %v", report, err)
	}
	if err := b.RemoveCollection(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadFile(filepath.Join(data, "judgements.jsonl")); err != nil || len(left) != 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}
