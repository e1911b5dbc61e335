package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fanous/backend"
	"fanous/backend/domain"
)

func TestMain(m *testing.M) {
	if backend.Child() { // files are read as the program reads them
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// debt is something sought in a file.
type debt struct{ file, query string }

// debts are what is not found yet, and why. One that is paid is an error, too.
var debts = map[debt]string{
	{"office-pdf/scripts.pdf", "വിളക്കുമാടത്തിന്റെ"}: "a space comes behind each u",
	{"office-pdf/scripts.pdf", "പുസ്തകം"}:            "a space comes behind each u",
	{"office-pdf/scripts.pdf", "ភ្លើង"}:              "letters of the syllable come twice",
	{"printed/scripts.pdf", "সমুদ্রের"}:              "the syllable comes twice",
}

// TestCorpus makes the corpus, indexes it with the real backend and asks for everything that stands in its table.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("FANOUS_CORPUS") // where it is to stay
	if dir == "" {
		dir = t.TempDir()
	}
	files, err := Make(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	b, end := open(t, t.TempDir())
	defer end()
	for _, name := range collections(files) {
		if _, err := b.Index(t.Context(), domain.IndexRequest{Collection: name, Paths: []string{filepath.Join(dir, name)}, NoOCR: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	asked, owed := 0, map[debt]bool{}
	for _, name := range collections(files) {
		page, err := b.Documents(t.Context(), name, domain.DocumentFilter{})
		if err != nil {
			t.Fatal(err)
		}
		documents := map[domain.Location]domain.Document{}
		for _, d := range page.Documents {
			documents[domain.Location{Path: d.Path, Member: d.Member}] = d.Document
		}
		for _, f := range files {
			if collection(f) == name && checkStates(t, dir, f, documents) {
				for _, s := range f.Sought {
					asked++
					err := check(search(t, b, name, s.Query), filepath.Join(dir, filepath.FromSlash(f.Name)), s)
					if due := (debt{f.Name, s.Query}); err != nil && debts[due] != "" {
						owed[due] = true
						t.Logf("%s, %q: %v: %s", f.Name, s.Query, err, debts[due])
					} else if err != nil {
						t.Errorf("%s %s, %q: %v", f.Name, s.Member, s.Query, err)
					}
				}
			}
		}
		for place, d := range documents {
			t.Errorf("%s is a document: %s %s", place, d.State, d.Reason)
		}
	}
	for due := range debts {
		if !owed[due] {
			t.Errorf("%q is found in %s: it is no debt any more", due.query, due.file)
		}
	}
	t.Logf("%d files, %d searches", len(files), asked)
}

// open gives a backend without models, which reads files in children, and what closes it.
func open(t testing.TB, data string) (*backend.Backend, func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.Open(t.Context(), backend.Config{DataDir: data, Program: exe})
	if err != nil {
		t.Fatal(err)
	}
	return b, func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

func collection(f File) string {
	name, _, _ := strings.Cut(f.Name, "/")
	return name
}

func collections(files []File) []string {
	var names []string
	for _, f := range files {
		names = append(names, collection(f))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// checkStates holds a file and what is in it to their states, and takes them out of documents. It says whether there is
// something in it to be found.
func checkStates(t *testing.T, dir string, f File, documents map[domain.Location]domain.Document) (good bool) {
	t.Helper()
	good = true
	for member, state := range withItself(f) {
		at := domain.Location{Path: filepath.Join(dir, filepath.FromSlash(f.Name)), Member: member}
		d, ok := documents[at]
		delete(documents, at)
		switch {
		case !ok:
			good = false
			t.Errorf("%s has no member %q", f.Name, member)
		case d.State != state:
			good = false
			t.Errorf("%s, %q is %s (%s), want %s", f.Name, member, d.State, d.Reason, state)
		case member == "" && !strings.Contains(strings.Join(d.Warnings, "\n"), f.Warning), member == "" && f.Warning == "" && len(d.Warnings) > 0:
			t.Errorf("%s has the warnings %q, want %q", f.Name, d.Warnings, f.Warning)
		case member == "" && f.Title != "" && d.Title != f.Title:
			t.Errorf("%s is called %q, want %q", f.Name, d.Title, f.Title)
		}
	}
	return good
}

func withItself(f File) map[string]domain.DocumentState {
	all := map[string]domain.DocumentState{"": f.State}
	for member, state := range f.Members {
		all[member] = state
	}
	return all
}

func search(t *testing.T, b *backend.Backend, collection, query string) []domain.Hit {
	t.Helper()
	r, err := b.Search(t.Context(), domain.SearchRequest{Query: query, Collection: collection, Method: domain.BM25, Rerank: domain.RerankOff,
		Top: 400, Candidates: 400, PerDocument: 400}, nil)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return r.Hits
}

// check holds what a search found in a file to what is sought.
func check(hits []domain.Hit, path string, s Sought) error {
	at := domain.Location{Path: path, Member: s.Member}
	hits = slices.DeleteFunc(hits, func(h domain.Hit) bool {
		return at != (domain.Location{Path: h.Path, Member: h.Member}) && !slices.Contains(h.Also, at)
	})
	switch {
	case s.Absent && len(hits) > 0:
		return fmt.Errorf("found in %q", hits[0].Text)
	case s.Absent:
		return nil
	case len(hits) == 0:
		return fmt.Errorf("not found")
	}
	left := slices.Clone(s.Marked)
	for _, h := range hits {
		for _, r := range h.Highlights {
			if err := whole(h.Text, r); err != nil {
				return err
			}
			at := slices.IndexFunc(left, func(w string) bool { return shown(w) == shown(h.Text[r[0]:r[1]]) })
			switch {
			case at >= 0:
				if err := standsAt(h, s.Place); err != nil && at == 0 && len(left) == len(s.Marked) {
					return err
				}
				left = slices.Delete(left, at, at+1)
			case s.Once:
				return fmt.Errorf("%q is marked, too, in %q", h.Text[r[0]:r[1]], h.Text)
			}
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("%q is not marked in %q, but %q", left, hits[0].Text, marked(hits[0]))
	}
	return nil
}

func marked(h domain.Hit) []string {
	var words []string
	for _, r := range h.Highlights {
		words = append(words, h.Text[r[0]:r[1]])
	}
	return words
}

// whole says what is wrong with the ends of a highlight: it must not part a letter from its marks.
func whole(text string, r [2]int) error {
	next, _ := utf8.DecodeRuneInString(text[r[1]:])
	if !utf8.ValidString(text[r[0]:r[1]]) || unicode.Is(unicode.M, next) && !unicode.Is(unicode.Variation_Selector, next) {
		return fmt.Errorf("the highlight %q parts a character in %q", text[r[0]:r[1]], text)
	}
	return nil
}

// shown is a word as a page shows it: there one sees no joiners, no order of marks and no line ends.
func shown(word string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, word))
}

func standsAt(h domain.Hit, want domain.Place) error {
	got := domain.Place{Page: h.Page, Heading: h.Heading, Line: h.Line, Cells: h.Cells}
	if want.Page != 0 && want.Page != got.Page || want.Heading != "" && want.Heading != got.Heading || want.Line != 0 && want.Line != got.Line || want.Cells != "" && want.Cells != got.Cells {
		return fmt.Errorf("it stands at %+v, want %+v", got, want)
	}
	return nil
}
