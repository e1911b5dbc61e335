package backend_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

// bare is a backend without models on a folder of two documents.
func bare(t *testing.T) (*backend.Backend, string) {
	t.Helper()
	dir := folder(t)
	cfg, err := backend.LoadConfig("", dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg.RuntimeLibrary, cfg.ModelDirs = "", nil
	b, err := backend.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	docs := t.TempDir()
	write(t, docs, "lamp.txt", "The old lantern hangs in the hall.")
	write(t, docs, "keeper.txt", "The keeper lights the lantern. نگهبان کتاب‌ها را می‌خواند.")
	if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{docs}}, nil); err != nil {
		t.Fatal(err)
	}
	return b, docs
}

// kept gives the history, which has this many searches: whoever asks for it waits for those that are not written yet.
func kept(t *testing.T, b *backend.Backend, n int) []domain.HistoryEntry {
	t.Helper()
	list, err := b.History(t.Context(), 0)
	if err != nil || len(list) != n {
		t.Fatalf("%d searches are kept, want %d; %v", len(list), n, err)
	}
	return list
}

func TestThePastIsShownAsItWas(t *testing.T) {
	b, docs := bare(t)
	req := domain.SearchRequest{Query: "lantern", Method: domain.BM25, Rerank: domain.RerankOff, Send: true}
	resp, err := b.Search(t.Context(), req, nil)
	if err != nil || len(resp.Hits) != 2 {
		t.Fatalf("%d hits, %v", len(resp.Hits), err)
	}
	if _, err := b.Search(t.Context(), domain.SearchRequest{Query: "کتاب", Method: domain.BM25, Rerank: domain.RerankOff}, nil); err != nil {
		t.Fatal(err)
	}
	list := kept(t, b, 2)
	if r := list[1].Trace.Request; r == nil || r.Query != "lantern" || r.Method != domain.BM25 || r.Send {
		t.Errorf("it was asked for %+v", r)
	}
	for words, want := range map[string]int{"": 2, "lanterns": 1, "LAN": 1, "كتاب": 1, "lantern hall": 0, "antern": 0} {
		if found, err := b.FindHistory(t.Context(), words, 0); err != nil || len(found) != want {
			t.Errorf("%q finds %d, want %d (%v)", words, len(found), want, err)
		}
	}
	past, err := b.PastSearch(t.Context(), list[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range past.Hits {
		if h.Text != resp.Hits[i].Text || h.Path != resp.Hits[i].Path || h.Score != resp.Hits[i].Score || *h.Ranks.BM25 != *resp.Hits[i].Ranks.BM25 {
			t.Errorf("%d: %+v, want %+v", i, h, resp.Hits[i])
		}
	}

	// What was read anew by now is left out, and the answer says so.
	write(t, docs, "lamp.txt", "Another lantern, of brass, hangs there since.")
	if _, err := b.Index(t.Context(), domain.IndexRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	past, err = b.PastSearch(t.Context(), list[1].ID)
	if err != nil || len(past.Hits) != 1 || !strings.Contains(strings.Join(past.Degraded, " "), "not in the index any more: 1.") {
		t.Errorf("%d hits, %q, %v", len(past.Hits), past.Degraded, err)
	}
	if err := b.ForgetSearch(t.Context(), list[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := b.PastSearch(t.Context(), list[0].ID); domain.CodeOf(err) != domain.CodeNotFound || domain.HintOf(err) == "" {
		t.Errorf("a forgotten one: %v", err)
	}
}

func TestSavedSearches(t *testing.T) {
	dir := folder(t)
	cfg, err := backend.LoadConfig("", dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg.RuntimeLibrary, cfg.ModelDirs = "", nil
	b, err := backend.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.AddCollection(t.Context(), "default", nil); err != nil {
		t.Fatal(err)
	}
	one := domain.SavedSearch{Name: " فانوس ", Query: `"old lantern"`, Collection: "default", Method: domain.Hybrid, Rerank: domain.RerankLocal, Variety: true}
	if err := b.SaveSearch(one); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]error{
		"twice": b.SaveSearch(one), "no name": b.SaveSearch(domain.SavedSearch{Name: " ", Query: "x"}), "no query": b.SaveSearch(domain.SavedSearch{Name: "x"}),
		"long": b.SaveSearch(domain.SavedSearch{Name: strings.Repeat("ب", 201), Query: "x"}), "renamed to nothing": b.RenameSearch("فانوس", ""),
	} {
		if domain.CodeOf(bad) != domain.CodeUsage || domain.HintOf(bad) == "" {
			t.Errorf("%s: %v", name, bad)
		}
	}
	if err := b.RenameSearch("فانوس", "lamps"); err != nil {
		t.Error(err)
	}
	one.Name = "lamps"
	if list, err := b.SavedSearches(); err != nil || len(list) != 1 || list[0] != one {
		t.Errorf("%+v, %v", list, err)
	}
	if err := errors.Join(b.RenameCollection(t.Context(), "default", "letters"), b.SaveSearch(domain.SavedSearch{Name: "other", Query: "x", Collection: "other"})); err != nil {
		t.Error(err)
	}
	if list, err := b.SavedSearches(); err != nil || list[0].Collection != "letters" || list[1].Collection != "other" {
		t.Errorf("renamed with its collection: %+v, %v", list, err)
	}
	if err := errors.Join(b.RemoveCollection(t.Context(), "letters"), b.SaveSearch(one)); err != nil {
		t.Error(err)
	}
	if list, err := b.SavedSearches(); err != nil || len(list) != 2 || list[0].Name != "other" {
		t.Errorf("gone with its collection: %+v, %v", list, err)
	}
	if err := b.DeleteSearch("فانوس"); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("one that is not there: %v", err)
	}
	if err := b.DeleteSearch("lamps"); err != nil {
		t.Error(err)
	}
	write(t, dir, "searches.json", "[{")
	if err := b.SaveSearch(one); domain.CodeOf(err) != domain.CodeUsage || read(t, dir, "searches.json") != "[{" {
		t.Errorf("a broken file: %v", err)
	}
}
