package backend_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/backend/store"
	"fanous/models"
)

const plenty = 1 << 40

// outpost is a data folder with an index, searches that Cohere has answered, and a small local reranker beside the
// starter.
type outpost struct {
	t      *testing.T
	data   string
	models string
	server *coheretest.Server

	program string // for self-tests; empty: there are none, which saves seconds
}

func newOutpost(t *testing.T) *outpost {
	t.Helper()
	o := &outpost{t: t, data: t.TempDir(), models: t.TempDir(), server: coheretest.Start()}
	t.Cleanup(o.server.Close)
	installTiny(t, o.models, models.Fast)
	texts := t.TempDir()
	for name, text := range map[string]string{
		"harbour.txt": "The lantern of the harbour was lit in the autumn.", "tower.txt": "A lantern hangs in the old tower.",
		"garden.txt": "Roses grow in the garden, and one lantern.",
	} {
		put(t, filepath.Join(texts, name), []byte(text))
	}
	b := o.open()
	if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{texts}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.SetPolicy(t.Context(), domain.DefaultCollection, domain.PolicyAllowed); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"lantern of the harbour", "roses"} {
		r, err := b.Search(t.Context(), domain.SearchRequest{Query: query}, nil)
		if err != nil || r.Rerank.Backend != domain.BackendCohere {
			t.Fatalf("%+v, %v", r.Rerank, err)
		}
	}
	o.closed(b)
	return o
}

// copy is the same in folders of its own.
func (o *outpost) copy(t *testing.T) *outpost {
	c := &outpost{t: t, data: filepath.Join(t.TempDir(), "data"), models: filepath.Join(t.TempDir(), "models"), server: o.server}
	for from, to := range map[string]string{o.data: c.data, o.models: c.models} {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (o *outpost) open() *backend.Backend {
	o.t.Helper()
	b, err := backend.Open(o.t.Context(), backend.Config{
		Program: o.program, LocalBudget: time.Hour, DataDir: o.data, RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{os.Getenv("FANOUS_MODELS"), o.models},
		CohereKey: coheretest.Key, CohereURL: o.server.URL, CohereModel: "rerank-v4.0-fast", CohereMaxTokens: 4096, CohereDeadline: time.Hour,
		SearchSettings: backend.SearchSettings{History: true, HistoryLength: 100, Candidates: 10, Top: 5, LexicalWeight: 0.3},
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return b
}

func (o *outpost) closed(b *backend.Backend) {
	o.t.Helper()
	if err := b.Close(); err != nil {
		o.t.Fatal(err)
	}
}

func (o *outpost) drill(memory, disk int64) domain.DrillReport {
	o.t.Helper()
	b := o.open()
	defer o.closed(b)
	r, err := b.DrillOn(o.t.Context(), domain.DrillRequest{}, memory, disk)
	if err != nil {
		o.t.Fatal(err)
	}
	return r
}

// finding is what one check has found of a code; nil: nothing.
func finding(r domain.DrillReport, check string, code domain.Code) *domain.DrillFinding {
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			if c.Name == check && f.Code == code {
				return &f
			}
		}
	}
	return nil
}

// TestADrillNamesEverySabotage: what was ready is not once something is broken, and the verdict says what.
func TestADrillNamesEverySabotage(t *testing.T) {
	base := newOutpost(t)
	connections, requests := base.server.Connections(), base.server.Requests()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	base.program = exe
	ready := base.drill(plenty, plenty)
	base.program = ""
	if ready.State != domain.DrillReady || ready.Source != domain.DrillFromHistory || ready.Queries != 2 || ready.FirstWait == 0 {
		t.Fatalf("%+v", ready)
	}
	for _, c := range ready.Checks {
		if c.Skipped != "" {
			t.Errorf("%s: %s", c.Name, c.Skipped)
		}
	}
	if o := ready.Online; o == nil || o.Queries != 2 || ready.Tiers[0].Agreement.Queries != 2 || ready.Tiers[0].Lower != 0 {
		t.Errorf("%+v %+v", ready.Online, ready.Tiers[0])
	}
	var tiers []string
	for _, r := range ready.Tiers {
		tiers = append(tiers, r.Tier)
	}
	if want := []string{"serving", "fast", "late", "none"}; !slices.Equal(tiers, want) {
		t.Errorf("%q, want %q", tiers, want)
	}
	tiny := filepath.Base(installedTiny(t, base.models))
	for name, s := range map[string]struct {
		do     func(o *outpost)
		memory int64
		disk   int64
		check  string
		code   domain.Code
		what   string
		state  domain.DrillState
	}{
		"a flipped byte of a model": {do: func(o *outpost) {
			graph := filepath.Join(installedTiny(t, o.models), models.GraphFile)
			data, err := os.ReadFile(graph)
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)/2] ^= 1
			put(t, graph, data)
		}, check: domain.DrillCheckModels, code: domain.CodeModelAltered, what: tiny, state: domain.DrillDegraded},
		"a model that was there is gone": {do: func(o *outpost) {
			if err := os.RemoveAll(installedTiny(t, o.models)); err != nil {
				t.Fatal(err)
			}
		}, check: domain.DrillCheckTiers, code: domain.CodeTierGone, what: "fast", state: domain.DrillDegraded},
		"terms of another analyser": {do: func(o *outpost) {
			o.write(func(w *store.Writer) error { return w.RebuildTerms(t.Context(), "another") })
		}, check: domain.DrillCheckStamps, code: domain.CodeStampStale, what: "analyser", state: domain.DrillDegraded},
		"vectors of another embedder": {do: func(o *outpost) {
			o.write(func(w *store.Writer) error { return w.DropVectors(t.Context(), "another", 8) })
		}, check: domain.DrillCheckStamps, code: domain.CodeStampStale, what: "embedder", state: domain.DrillDegraded},
		"a letter changed in the index": {do: func(o *outpost) {
			path := filepath.Join(o.data, "fanous.db")
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(data, []byte("old tower")) {
				t.Fatal("the text is not in the file")
			}
			put(t, path, bytes.Replace(data, []byte("old tower"), []byte("odd tower"), 1))
		}, check: domain.DrillCheckIndex, code: domain.CodeDamaged, what: "index", state: domain.DrillNotReady},
		"no memory":   {memory: 1 << 20, check: domain.DrillCheckMemory, code: domain.CodeMemoryLow, what: "memory", state: domain.DrillDegraded},
		"a full disk": {disk: 1 << 20, check: domain.DrillCheckDisk, code: domain.CodeDiskFull, state: domain.DrillDegraded},
		"nothing is indexed": {do: func(o *outpost) {
			b := o.open()
			defer o.closed(b)
			if err := b.RemoveCollection(t.Context(), domain.DefaultCollection); err != nil {
				t.Fatal(err)
			}
		}, check: domain.DrillCheckStamps, code: domain.CodeNothingIndexed, what: "index", state: domain.DrillNotReady},
	} {
		t.Run(name, func(t *testing.T) {
			o := base.copy(t)
			if s.do != nil {
				s.do(o)
			}
			memory, disk := s.memory, s.disk
			if memory == 0 {
				memory = plenty
			}
			if disk == 0 {
				disk = plenty
			}
			r := o.drill(memory, disk)
			f := finding(r, s.check, s.code)
			if f == nil || s.what != "" && f.What != s.what || f.Reason == "" || f.Hint == "" {
				t.Fatalf("not named: %+v", r.Checks)
			}
			if r.State != s.state || !strings.Contains(r.Verdict, f.Reason) && s.check != domain.DrillCheckStamps {
				t.Errorf("%s: %s", r.State, r.Verdict)
			}
		})
	}
	if base.server.Connections() != connections || base.server.Requests() != requests {
		t.Error("a drill has connected to somebody")
	}
}

func installedTiny(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", models.GraphFile))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return filepath.Dir(found[0])
}

// write changes the index behind the program's back.
func (o *outpost) write(change func(*store.Writer) error) {
	o.t.Helper()
	s, err := store.Open(o.t.Context(), filepath.Join(o.data, "fanous.db"), store.Options{})
	if err != nil {
		o.t.Fatal(err)
	}
	defer s.Close()
	w, err := s.Writer(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	defer w.Close()
	if err := change(w); err != nil {
		o.t.Fatal(err)
	}
}

// TestADrillLeavesNoTrace but its report, which has no text of a query or a document; the last one can be read in
// both languages.
func TestADrillLeavesNoTrace(t *testing.T) {
	o := newOutpost(t)
	b := o.open()
	defer o.closed(b)
	ledger := func() int {
		list, err := b.Ledger(t.Context(), domain.LedgerFilter{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := ledger()
	if last, err := b.LastDrill(t.Context(), "en"); last != nil || err != nil {
		t.Fatal(last, err)
	}
	r, err := b.DrillOn(t.Context(), domain.DrillRequest{}, plenty, plenty)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := b.Movement(t.Context()); err != nil || m.Searches != 2 || ledger() != before {
		t.Errorf("%d searches are kept, %d entries of %d, %v", m.Searches, ledger(), before, err)
	}
	if len(r.Suffer) == 0 || len(r.Suffer[0].Lost) > 0 && r.Suffer[0].Lost[0].Title == "" {
		t.Logf("no search suffers: %+v", r.Suffer)
	}
	kept, err := os.ReadFile(filepath.Join(o.data, "drill.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"lantern", "harbour", "roses", "garden", "tower"} {
		if bytes.Contains(bytes.ToLower(kept), []byte(word)) {
			t.Errorf("%q is in the kept report", word)
		}
	}
	fa, err := b.LastDrill(t.Context(), "fa")
	if err != nil || fa.State != r.State || !strings.Contains(fa.Verdict, "اگر شبکه") || len(fa.Suffer) != len(r.Suffer) {
		t.Errorf("%+v, %v", fa, err)
	}
	for i, q := range fa.Suffer {
		if q.Text != r.Suffer[i].Text || q.Text == "" {
			t.Errorf("%+v, want %+v", q, r.Suffer[i])
		}
	}
	path := filepath.Join(t.TempDir(), "report.html")
	if err := b.WriteDrill(r, path, "fa"); err != nil {
		t.Fatal(err)
	}
	if err := b.WriteDrill(r, path, "fa"); domain.CodeOf(err) != domain.CodeUsage {
		t.Errorf("a file is written over: %v", err)
	}
}
