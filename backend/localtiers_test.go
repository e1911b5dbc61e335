package backend_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/models"
	"fanous/models/tinyxlmr"
)

// installTiny puts the small cross-encoder with made-up weights into a folder of models, as a model of the tier.
func installTiny(t *testing.T, dir string, tier models.Tier) string {
	t.Helper()
	name := tinyxlmr.Name + "-" + string(tier)
	starter, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*", models.TokenizerFile))
	if err != nil || len(starter) == 0 {
		t.Fatal("FANOUS_MODELS has no starter model (go tool mage test sets it)", err)
	}
	path := filepath.Join(dir, name)
	manifest, err := tinyxlmr.Write(path, starter[0])
	if err != nil {
		t.Fatal(err)
	}
	manifest.Name, manifest.Tier = name, tier
	graph, err := os.ReadFile(filepath.Join(path, models.GraphFile))
	if err != nil {
		t.Fatal(err)
	}
	// A description of the tier (field 6 of an ONNX model) makes the two files differ.
	graph = append(append(graph, 6<<3|2, byte(len(tier))), tier...)
	if err := os.WriteFile(filepath.Join(path, models.GraphFile), graph, 0o644); err != nil {
		t.Fatal(err)
	}
	if manifest.Files[0], err = models.FileAt(t.Context(), filepath.Join(path, models.GraphFile)); err != nil {
		t.Fatal(err)
	}
	if err := manifest.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLocalTiers: a cascade of what is installed, whose scores outlive the process, and which steps down, and says
// so, when a model turns out to be damaged.
func TestLocalTiers(t *testing.T) {
	dirs := t.TempDir()
	precise := installTiny(t, dirs, models.Precise)
	fast := installTiny(t, dirs, models.Fast)
	texts, data := t.TempDir(), t.TempDir()
	for i := range 16 {
		name := filepath.Join(texts, string(rune('a'+i))+".txt")
		if err := os.WriteFile(name, []byte("lantern number "+string(rune('a'+i))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	open := func() *backend.Backend {
		t.Helper()
		b, err := backend.Open(t.Context(), backend.Config{
			DataDir: data, RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{dirs},
			LocalBudget: time.Hour, // loading counts, and this machine may be busy
		})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	search := func(b *backend.Backend, query string) domain.SearchResponse {
		t.Helper()
		r, err := b.Search(t.Context(), domain.SearchRequest{Query: query, Method: domain.BM25, Rerank: domain.RerankLocal, Top: 16}, nil)
		if err != nil || len(r.Hits) != 16 {
			t.Fatalf("%d hits, %v", len(r.Hits), err)
		}
		return r
	}
	closed := func(b *backend.Backend) {
		t.Helper()
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}

	b := open()
	if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{texts}}, nil); err != nil {
		t.Fatal(err)
	}
	first := search(b, "lantern")
	trace := first.Rerank
	if trace.Model != filepath.Base(precise) || trace.Stage1N != 16 || trace.Stage2N != 12 || trace.CandidatesOut != 12 || trace.FellBackFrom != nil {
		t.Errorf("%+v", trace)
	}
	for i, h := range first.Hits {
		if reached := i < 12; reached != (h.RawScore != nil) || reached != (h.ScoreKind == domain.ScoreRelevance) || reached != (h.RerankDelta != nil) {
			t.Errorf("hit %d: %+v", i+1, h)
		}
	}
	closed(b)

	// From now on no model can be loaded: a file that the manifest does not describe is damaged.
	for _, dir := range []string{precise, fast} {
		if err := os.WriteFile(filepath.Join(dir, models.TokenizerFile), []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b = open()
	again := search(b, "lantern")
	if again.Rerank.Stage2N != 12 || again.Rerank.FellBackFrom != nil {
		t.Errorf("%+v", again.Rerank)
	}
	for i, h := range again.Hits {
		if want := first.Hits[i]; h.ChunkID != want.ChunkID || h.RawScore != nil && *h.RawScore != *want.RawScore {
			t.Errorf("hit %d is %d, was %d", i+1, h.ChunkID, want.ChunkID)
		}
	}
	fresh := search(b, "number")
	if fresh.Rerank.Backend != domain.BackendNone || fresh.Rerank.FellBackFrom == nil || len(fresh.Degraded) == 0 {
		t.Errorf("%+v, %q", fresh.Rerank, fresh.Degraded)
	}
	status, err := b.Status(t.Context())
	if err != nil || status.Local.Ready || status.Local.Reason == "" {
		t.Errorf("%+v, %v", status.Local, err)
	}
	closed(b)

	// Only the precise one is damaged: the fast one's order stands, and the trace says why.
	installTiny(t, dirs, models.Fast)
	b = open()
	stepped := search(b, "number")
	if stepped.Rerank.Model != filepath.Base(fast) || stepped.Rerank.Stage2N != 0 || stepped.Rerank.FellBackFrom == nil || stepped.Rerank.Reason == "" {
		t.Errorf("%+v", stepped.Rerank)
	}
	closed(b)
}
