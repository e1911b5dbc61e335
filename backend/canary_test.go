package backend_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"fanous/backend"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/language"
)

// canary is a word that a file has and nothing else, as it is written and as it is folded.
type canary struct{ written, folded string }

func newCanary(t *testing.T, written string) canary {
	t.Helper()
	terms := language.Terms(written)
	if len(terms) == 0 || terms[0].Text == written {
		t.Fatalf("%s is folded to %+v", written, terms)
	}
	return canary{written, terms[0].Text}
}

// tail is what FTS5 writes of the word where it stands after others that begin as it does.
func (c canary) tail() string {
	return strings.TrimPrefix(c.folded, c.folded[:max(0, utf8.RuneCountInString(c.folded)-5)])
}

// TestWhatIsDeletedIsNowhere: a word of a text, a title, a member's name, a path, of a query or of a judgement is in no
// file of the data folder once its document was deleted and indexed, or its collection removed: not in the index, its
// log, the history, kept scores, judgements, kept drills, the ledger and its texts, backups, temporary files.
func TestWhatIsDeletedIsNowhere(t *testing.T) {
	for name, remove := range map[string]func(t *testing.T, b *backend.Backend, files []string){
		"the documents": func(t *testing.T, b *backend.Backend, files []string) {
			for _, file := range files {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			report, err := b.Index(t.Context(), domain.IndexRequest{Collection: "papers"}, nil)
			if err != nil || report.Removed != len(files) {
				t.Fatal(report, err)
			}
		},
		"the collection": func(t *testing.T, b *backend.Backend, _ []string) {
			if err := b.RemoveCollection(t.Context(), "papers"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			data, temporary, papers := t.TempDir(), t.TempDir(), t.TempDir()
			t.Setenv("TMPDIR", temporary)
			english, persian := newCanary(t, "Wuzhkestrels"), newCanary(t, "قَناریِ‌طلایی")
			title, member, path, query := newCanary(t, "Vyxoquwezs"), newCanary(t, "Qapmjubovs"), newCanary(t, "Jodfkyxavs"), newCanary(t, "Yuqazhivols")
			files := []string{filepath.Join(papers, path.written+".md"), filepath.Join(papers, "mail.eml")}
			put(t, files[0], []byte("# "+title.written+"\n\nThe lantern "+english.written+" hangs in the hall, "+persian.written+".\n"))
			put(t, files[1], []byte("From: a@b.invalid\nSubject: lantern\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nlantern\n"+
				"--x\nContent-Type: text/plain; name="+member.written+".txt\nContent-Disposition: attachment; filename="+member.written+".txt\n\nlantern "+english.written+"\n--x--\n"))
			put(t, filepath.Join(papers, "stays.txt"), []byte("Another lantern stays here."))
			var others strings.Builder // so many passages that terms are taken out one by one, from pages that they share
			for i := range 150 {
				fmt.Fprintf(&others, "# Part %d\n\nabout wuzhkey, vyxen and jodhpur number %d\n\n", i, i)
			}
			put(t, filepath.Join(papers, "others.md"), []byte(others.String()))
			server := coheretest.Start()
			defer server.Close()
			b, err := backend.Open(t.Context(), backend.Config{
				DataDir: data, RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{os.Getenv("FANOUS_MODELS")},
				CohereKey: coheretest.Key, CohereURL: server.URL, CohereModel: "rerank-v3.5", CohereMaxTokens: 4096,
				SearchSettings: backend.SearchSettings{History: true, HistoryLength: 100, Candidates: 10, Top: 5, LedgerTexts: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Index(t.Context(), domain.IndexRequest{Collection: "papers", Paths: []string{papers}}, nil); err != nil {
				t.Fatal(err)
			}
			for _, req := range []domain.SearchRequest{
				{Query: "lantern hall " + query.written, Send: true}, {Query: english.written}, {Query: persian.written, Rerank: domain.RerankLocal},
			} {
				req.Collection = "papers"
				r, err := b.Search(t.Context(), req, nil)
				if err != nil || len(r.Hits) == 0 {
					t.Fatalf("%+v, %v", r, err)
				}
				if err := b.Judge(t.Context(), "papers", req.Query, r.Hits[0].ChunkID, new(domain.GradeRelevant)); err != nil {
					t.Fatal(err)
				}
			}
			if len(server.Calls()) != 1 {
				t.Fatalf("%d requests", len(server.Calls()))
			}
			if _, err := b.DrillOn(t.Context(), domain.DrillRequest{}, plenty, plenty); err != nil {
				t.Fatal(err)
			}
			evaluated(t, b, "papers", data)
			canaries := []canary{english, persian, title, member, path, query}
			if name == "the collection" { // a search that somebody named is theirs as long as there is something to search
				saved := newCanary(t, "Kyzwulmops")
				if err := b.SaveSearch(domain.SavedSearch{Name: saved.written, Query: saved.written, Collection: "papers"}); err != nil {
					t.Fatal(err)
				}
				canaries = append(canaries, saved)
			}
			for _, c := range canaries {
				if len(holding(t, c.written, data, temporary)) == 0 {
					t.Fatalf("%s is nowhere before it is deleted either", c.written)
				}
			}
			remove(t, b, files)
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			for _, c := range canaries {
				for _, word := range []string{c.written, c.folded, c.tail()} {
					for _, found := range holding(t, word, data, temporary) {
						t.Error(found)
					}
				}
			}
		})
	}
}

// evaluated keeps an evaluation of a collection and leaves one that was cut off. Neither has a text, of a query either.
func evaluated(t *testing.T, b *backend.Backend, collection, data string) {
	t.Helper()
	if _, err := b.Measure(t.Context(), domain.MeasureRequest{Collection: collection}, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := eval.Options{Stages: []string{eval.StageHybrid}, Progress: func(_ string, done, _ int) {
		if done == 2 {
			cancel()
		}
	}}
	if _, err := b.EvaluateJudged(ctx, collection, false, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("the evaluation that is cut off ends with %v", err)
	}
	all, err := b.Judged(t.Context(), collection)
	if err != nil || len(all.Queries) == 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, pattern := range []string{"measurements/*/*.json", "evaluations/*/*.jsonl"} {
		kept, err := filepath.Glob(filepath.Join(data, pattern))
		if err != nil || len(kept) != 1 {
			t.Fatalf("%s: %v, %v", pattern, kept, err)
		}
		for _, q := range all.Queries {
			for _, found := range holding(t, q.Query, filepath.Dir(kept[0])) {
				t.Error("before anything is deleted: " + found)
			}
		}
	}
}

// holding lists the files below folders that hold a word, in any case, in UTF-8 or UTF-16.
func holding(t *testing.T, word string, dirs ...string) (found []string) {
	t.Helper()
	word = strings.ToLower(word)
	var little, big []byte
	for _, unit := range utf16.Encode([]rune(word)) {
		little, big = binary.LittleEndian.AppendUint16(little, unit), binary.BigEndian.AppendUint16(big, unit)
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() && d.Name() == "prepared" {
				return fs.SkipDir // models
			}
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = append(lowered(content), []byte(strings.ToLower(path))...)
			for _, form := range [][]byte{[]byte(word), little, big} {
				if bytes.Contains(content, form) {
					found = append(found, word+" is in "+strings.TrimPrefix(path, dir))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// lowered makes the small letters of ASCII, and leaves every other byte where it is.
func lowered(text []byte) []byte {
	out := bytes.Clone(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return out
}
